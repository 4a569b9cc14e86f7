/**
 * Routes that need credentials. Each call passes, in this order: both credentials, rate, the route's own check for
 * overload, content type, length; then the body is read, checked and parsed.
 *
 * This runs in Fastify's first hook: Fastify's own body parsing would run before our checks and cost more than they do.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import type { Limits } from '../model/limits.ts';
import type { Permission } from '../model/people.ts';
import type { KeyScope } from '../model/records.ts';
import type { Caller } from '../model/send.ts';
import type { Credentials, Presented } from './credentials.ts';
import { type Answer, type Exchange, exchangeOf, notSent, rejection, retryAfter } from './exchange.ts';
import type { Fail } from './failure.ts';
import { createFileSemaphore, type FileSlots } from './file-semaphore.ts';
import { createForward, type Forwarded, type OtherCells, unknownPair } from './forward.ts';
import { type BodyResult, type JsonProblem, parseJson, readBody } from './input.ts';
import { type QueryFields, readQuery } from './query-fields.ts';
import type { Rates } from './rate.ts';
import type { AnyRoute, BodyRule, Method, RouteRecord } from './route.ts';
import { readPair, type SentParts } from './sent-pair.ts';

export interface Call {
  caller: Caller;
  exchange: Exchange;
  /** Parameters of the path. */
  params: Readonly<Record<string, string>>;
}

/** A parameter of the path. Throws when the route's pattern does not have it: that is our bug, never the caller's. */
export function param({ params }: Pick<Call, 'params'>, name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`The path of this route has no parameter ${name}.`);
  return value;
}

export interface JsonCall extends Call {
  /** Parsed; objects in it inherit nothing. */
  body: unknown;
  /** The raw body. */
  bytes: Buffer;
}

/** A call whose body is a table (`text/csv`, RFC 4180) or JSON. */
export interface UploadCall extends Call {
  body: { kind: 'json'; value: unknown } | { kind: 'csv'; text: string };
}

/** A call whose body is one file. */
export interface FileCall extends Call {
  bytes: Buffer;
}

export type Work<C extends Call> = (call: C) => Later;

/** Adds routes that require `Needs` of their callers. The route's record defines how query and body are read. */
export interface RoutesFor<Needs> {
  add<Q extends QueryFields, Given, T>(route: RouteRecord<Call, Q, Given, T>, needs: Needs): void;
}

/** A route of the API, with the scope that it requires and its texts in the OpenAPI document. */
export interface ApiRoute<Q extends QueryFields, Given, T> extends RouteRecord<Call, Q, Given, T> {
  scope: KeyScope;
  operationId: string;
  summary: string;
  description?: string;
  /** Descriptions of the path parameters. */
  params?: Readonly<Record<string, string>>;
  /** What a 404 means here. Records of other accounts and of the other environment count as not found. */
  notFound?: string;
  /** What a 409 means here: the record is in the wrong state. */
  conflict?: string;
  /** Parameters in the OpenAPI document that `work` reads itself. */
  parameters?: readonly object[];
  /** Answers that the OpenAPI document describes differently from the common ones, by status. */
  responses?: Readonly<Record<string, object>>;
  /** Rules for people who use the route in the portal, beyond its scope. */
  people?: PeopleRule;
}

export interface PeopleRule {
  /** The permission that their role needs; absent = the one that the scope stands for. */
  permission?: Permission;
  /** They must sign in again first, because the answer shows a secret. */
  fresh?: true;
  /** The action's word in the audit log; absent when it changes nothing or is recorded elsewhere. */
  audit?: string;
  /** The answer is a table or a file without message texts, so people who may not read texts get it too. */
  holdsNoText?: true;
}

export type AnyApiRoute = Omit<ApiRoute<QueryFields, unknown, unknown>, 'work' | 'admits' | 'refusesUnread'>;

/** Routes that need credentials, each with the scope that the key pair must have. */
export interface GuardedRoutes {
  add<Q extends QueryFields, Given, T>(route: ApiRoute<Q, Given, T>): void;
}

/** Registers a route whose callers are admitted one by one; `handle` runs for admitted calls. */
export type Register<Needs> = (
  method: Method,
  url: string,
  needs: Needs,
  handle: (call: Call) => void,
  record: AnyRoute,
) => void;

type BodyTypes = 'json' | 'json or csv' | 'file';
type Later = Answer | Promise<Answer>;

/** JSON is UTF-8 (RFC 8259 §8.1). The charset parameter is allowed because clients send it; no other parameter is. */
const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;
const csvType = /^text\/csv(?:[ \t]*;[ \t]*(?:charset="?utf-8"?|header=(?:present|absent)))*[ \t]*$/i;
const noFileType = /^[ \t]*(?:multipart\/|application\/json\b)/i;
const slotSeconds = 2;

interface Parts {
  clock: Clock;
  credentials: Credentials;
  rates: Rates;
  limits: Limits;
  fail: Fail;
  /** Absent = there are none. */
  cells?: OtherCells;
}

/** `records` collects the added routes, for the OpenAPI document. */
export function createGuardedRoutes(
  app: FastifyInstance,
  parts: Parts,
): { routes: GuardedRoutes; records: readonly AnyApiRoute[] } {
  const records: AnyApiRoute[] = [];
  const { cells, limits, fail } = parts;
  const forward = cells === undefined ? null : createForward(cells, { clock: parts.clock, failed: fail });
  /** Begins a guarded call; null when it was answered already, or will be by another cell. */
  function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    route: string | null,
    record: GuardedRecord,
  ): Call | null {
    reply.hijack();
    const exchange = exchangeOf(request.raw);
    exchange.route = route;
    const caller = admit(request, exchange, record.scope, parts);
    if ('account' in caller) return { caller, exchange, params: request.params as Call['params'] };
    if ('status' in caller) exchange.send(caller);
    else elsewhere(exchange, caller, { address: request.ip, body: record.body });
    return null;
  }

  /** A request makes one hop: what another cell forwarded ends here. */
  function elsewhere(
    exchange: Exchange,
    { stranger, refusal }: Unknown,
    { address, body }: { address: string; body: BodyRule<unknown> | undefined },
  ): void {
    if (forward === null || exchange.forwardedFor !== null) {
      stranger.failed();
      exchange.send({ ...refusal, headers: unknownPair });
      return;
    }
    const bytesMax = body?.fileSlots?.bytesMax ?? limits.bodyBytesMax;
    const types = body?.kind === 'file' || body?.kind === 'json or csv' ? body.kind : 'json';
    forward({
      exchange,
      stranger,
      address,
      bytesMax,
      refusal,
      unread: (result) => unreadAnswer(result, types, bytesMax),
    });
  }

  const register: Register<KeyScope> = (method, url, scope, handle, record) => {
    // The pattern is worth logging only when it differs from the path.
    const route = url.includes(':') ? url : null;
    const onRequest: onRequestHookHandler = (request, reply) => {
      const call = begin(request, reply as FastifyReply, route, { scope, body: record.body });
      if (call !== null) handle(call);
    };
    app.route({ method, url, onRequest, handler: () => {}, config: { scope, record } });
  };
  const made = createRoutes(parts, register);
  const add: GuardedRoutes['add'] = (route) => {
    records.push(route);
    made.add(route, route.scope);
  };
  return { routes: { add }, records };
}

/** Serves an admitted caller: reads, checks and parses the body, runs `work`, sends the answer. */
export function createRoutes<Needs>(
  parts: Pick<Parts, 'clock' | 'limits' | 'fail'>,
  register: Register<Needs>,
): RoutesFor<Needs> {
  const { limits, fail } = parts;

  /** Reads the body and passes its bytes to `work`; refuses a wrong content type before reading. */
  function take(
    call: Call,
    types: BodyTypes,
    work: (bytes: Buffer) => Later,
    bytesMax: number = limits.bodyBytesMax,
  ): void {
    const { exchange } = call;
    const { request, connection } = exchange;
    const refusal = typeProblem(request.headers, types);
    if (refusal !== null) {
      exchange.send(refusal);
      return;
    }
    exchange.askForBody(bytesMax);
    connection.reading = request;
    readBody(request, { clock: parts.clock, bytesMax }, (result) => {
      connection.reading = null;
      if (exchange.record !== null && result.kind === 'read') exchange.record.bodyBytes = result.bytes.length;
      finish(exchange, fail, () =>
        result.kind === 'read' ? work(result.bytes) : unreadAnswer(result, types, bytesMax),
      );
    });
  }

  function takeJson(call: Call, work: Work<JsonCall>): void {
    take(call, 'json', (bytes) => withJson(call.exchange, bytes, limits, (body) => work({ ...call, body, bytes })));
  }

  function act(call: Call, work: Work<JsonCall>): void {
    if (hasBody(call.exchange.request.headers)) takeJson(call, work);
    else finish(call.exchange, fail, () => work({ ...call, body: Object.create(null), bytes: Buffer.alloc(0) }));
  }

  function upload(call: Call, work: Work<UploadCall>): void {
    const isCsv = csvType.test(call.exchange.request.headers['content-type'] ?? '');
    take(call, 'json or csv', (bytes) =>
      isCsv
        ? withCsv(bytes, (text) => work({ ...call, body: { kind: 'csv', text } }))
        : withJson(call.exchange, bytes, limits, (value) => work({ ...call, body: { kind: 'json', value } })),
    );
  }

  function createFileTaker(fileSlots: FileSlots, work: Work<FileCall>): (call: Call) => void {
    const enter = createFileSemaphore(fileSlots);
    return (call) => {
      const leave = enter(call.caller.account.accountId);
      if (leave === null) {
        call.exchange.send(noFileSlot);
        return;
      }
      call.exchange.whenOver(leave);
      take(call, 'file', (bytes) => work({ ...call, bytes }), fileSlots.bytesMax);
    };
  }

  const answer = (call: Call, work: Work<Call>): void => finish(call.exchange, fail, () => work(call));

  function add<Q extends QueryFields, Given, T>(route: RouteRecord<Call, Q, Given, T>, needs: Needs): void {
    const { method, path, body } = route;
    const work = readByRecord(route);
    register(method, path, needs, unlessRefused(route, takerOf(body, work)), route);
  }

  function takerOf(body: BodyRule<unknown> | undefined, given: Work<never>): (call: Call) => void {
    // The record's body rule gave `work` its type, and the same rule decides here.
    const work = given as Work<Call>;
    switch (body?.kind) {
      case undefined:
        return (call) => answer(call, work);
      case 'json':
        return (call) => takeJson(call, work);
      case 'optional json':
        return (call) => act(call, work);
      case 'json or csv':
        return (call) => upload(call, work);
      case 'file':
        return createFileTaker(body!.fileSlots!, work);
    }
  }

  return { add };
}

function unlessRefused<Q extends QueryFields, Given, T>(
  { refusesUnread }: RouteRecord<Call, Q, Given, T>,
  take: (call: Call) => void,
): (call: Call) => void {
  if (refusesUnread === undefined) return take;
  return (call) => {
    const refused = refusesUnread(call);
    if (refused === null) take(call);
    else call.exchange.send(refused);
  };
}

/** Wraps a route's work: first the query is read, then the body. */
function readByRecord<Q extends QueryFields, Given, T>({
  admits,
  query,
  body,
  work,
}: RouteRecord<Call, Q, Given, T>): Work<never> {
  // Leaves `work` unwrapped when the route uses none of this, so that sending pays nothing for it.
  if (admits === undefined && query === undefined && body?.read === undefined) return work as Work<never>;
  return (call: Call & { body?: unknown }) => {
    const refused = admits?.(call) ?? null;
    if (refused !== null) return refused;
    const values = query === undefined ? null : readQuery(query, call.exchange.query);
    if (values?.ok === false) return rejection('INVALID_FIELD', values.fault);
    const fields = body?.read?.(call.body);
    if (fields?.ok === false) return fields.answer;
    const given = { ...call, query: values?.values ?? {}, ...(fields !== undefined && { body: fields.fields }) };
    return work(given as never);
  };
}

const noFileSlot = rejection(
  'TEMPORARILY_UNAVAILABLE',
  `Too many files are being uploaded at the moment. Send this one again a little later. ${notSent}`,
  { headers: retryAfter(slotSeconds) },
);

/** RFC 9112 §6.3: a request with neither header has no body. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Of a route, what its caller needs and what body it takes. */
interface GuardedRecord {
  scope: KeyScope;
  body: BodyRule<unknown> | undefined;
}

/** A pair that is unknown here, and the answer where it is unknown everywhere. */
type Unknown = Pick<Forwarded, 'stranger' | 'refusal'>;

/** The caller, or the answer to one that is not let in. */
function admit(request: FastifyRequest, exchange: Exchange, scope: KeyScope, parts: Parts): Caller | Answer | Unknown {
  const { authorization, 'x-api-key': apiKey } = request.raw.headers;
  const client = exchange.forwardedFor === null ? request : { ip: exchange.forwardedFor };
  const sentParts: SentParts = {
    authorization,
    apiKeyHeader: apiKey === undefined ? undefined : String(apiKey),
    query: exchange.query,
  };
  const known = exchange.connection.admitted?.pair(sentParts) ?? null;
  const sent = known ?? readPair(sentParts);
  const presented: Presented = {
    sent,
    address: () => client.ip,
    endpoint: () => `${request.method} ${exchange.route ?? exchange.path}`,
  };
  const admission = parts.credentials.admit(presented, scope);
  const key = admission.ok ? admission.caller.key : admission.key;
  if (key !== undefined) exchange.record = { key, client, body: undefined, bodyBytes: 0, dryRun: false };
  if (!admission.ok) {
    const refusal = rejection(admission.reason, admission.detail);
    return admission.stranger === undefined ? refusal : { stranger: admission.stranger, refusal };
  }
  if (known === null) exchange.remember(sentParts, sent);
  exchange.caller = admission.caller;
  const { key: held } = admission.caller;
  exchange.admission = {
    clock: parts.clock,
    again: () => {
      const now = parts.credentials.again(held, presented, scope);
      return now.ok ? null : rejection(now.reason, now.detail);
    },
  };
  const rate = parts.rates.take(admission.caller);
  exchange.rateHeaders = rate.headers;
  if (rate.allowed) return admission.caller;
  return rejection(
    'RATE_LIMITED',
    `This key pair or its account sends more requests per second than it may. Try again in ${rate.retryAfterSeconds} s. ${notSent}`,
    { headers: retryAfter(rate.retryAfterSeconds) },
  );
}

/** Sends the answer of `work`, now or later; an exception becomes a failure answer. */
function finish(exchange: Exchange, fail: Fail, work: () => Later): void {
  const failed = (error: unknown): void => fail(exchange, error);
  try {
    const result = work();
    if (result instanceof Promise) result.then((answer) => exchange.send(exchange.refused ?? answer), failed);
    else exchange.send(result);
  } catch (error) {
    failed(error);
  }
}

function withJson({ record }: Exchange, bytes: Buffer, limits: Limits, work: (value: unknown) => Later): Later {
  const parsed = parseJson(bytes, limits.jsonDepthMax);
  if (!parsed.ok) return rejection('INVALID_JSON', `${jsonRule(parsed.problem, limits)} ${notSent}`);
  if (record !== null) record.body = parsed.value;
  return work(parsed.value);
}

/** Spreadsheets begin their tables with a byte order mark; it does not belong to the first cell. */
function withCsv(bytes: Buffer, work: (text: string) => Later): Later {
  if (!isUtf8(bytes)) return rejection('INVALID_FIELD', 'The table is not valid UTF-8. Save it as CSV in UTF-8.');
  return work(bytes.toString('utf8').replace(/^\uFEFF/, ''));
}

function typeProblem(headers: IncomingHttpHeaders, types: BodyTypes): Answer | null {
  if (headers['content-encoding'] !== undefined) {
    return rejection(
      'UNSUPPORTED_CONTENT_TYPE',
      `The body is encoded (Content-Encoding), and bodies are taken as they are only. Send it uncompressed. ${notSent}`,
    );
  }
  const type = headers['content-type'];
  if (types === 'file') {
    if (type === undefined || !noFileType.test(type)) return null;
    return rejection(
      'UNSUPPORTED_CONTENT_TYPE',
      `The body must be the file itself, not JSON and not a form. Send its bytes with its own Content-Type. ${notSent}`,
    );
  }
  if (type === 'application/json' || (type !== undefined && jsonType.test(type))) return null;
  if (types === 'json or csv' && type !== undefined && csvType.test(type)) return null;
  const wanted = types === 'json' ? 'application/json' : 'application/json or text/csv';
  const seen = type === undefined ? 'Content-Type is missing' : `Content-Type is not ${wanted} in UTF-8`;
  return rejection('UNSUPPORTED_CONTENT_TYPE', `${seen}. Send Content-Type: ${wanted}. ${notSent}`);
}

function unreadAnswer({ kind }: BodyResult, types: BodyTypes, bytesMax: number): Answer {
  if (kind === 'too_slow') {
    return rejection('INVALID_REQUEST', `The body came too slowly. Send it in one go. ${notSent}`, {
      status: 408,
      abandon: true,
    });
  }
  const fix =
    types === 'file'
      ? 'Send a smaller file.'
      : 'Split the recipients, or the entries of an import, over several requests.';
  return rejection('BODY_TOO_LARGE', `The body is over ${bytesMax} bytes. ${fix} ${notSent}`, { abandon: true });
}

function jsonRule(problem: JsonProblem, limits: Limits): string {
  switch (problem) {
    case 'bom':
      return 'The body begins with a byte order mark. Send UTF-8 without one.';
    case 'utf8':
      return 'The body is not valid UTF-8. Send JSON in UTF-8.';
    case 'depth':
      return `The body nests objects or arrays more than ${limits.jsonDepthMax} levels deep. Send the documented fields only.`;
    case 'duplicate':
      return 'An object in the body has the same key twice. Programs differ on which one counts: send each key once.';
    case 'syntax':
      return 'The body is not valid JSON. Let a JSON library write it.';
  }
}
