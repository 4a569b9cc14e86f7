/**
 * Routes that need credentials. Every call passes, in this order and before anything is done for it: both credentials,
 * rate, content type, length; then the body is read, checked and parsed. What a route does with it is not known here.
 *
 * All of it runs in Fastify's first hook: its own body parsing would come before our checks and cost more than they do.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Clock } from '../domain/clock.ts';
import type { Limits } from '../domain/limits.ts';
import type { KeyScope } from '../domain/records.ts';
import type { Caller } from '../domain/send.ts';
import { type BodyResult, readBody } from './body.ts';
import type { Credentials } from './credentials.ts';
import { type Answer, type Exchange, exchangeOf, notSent, rejection, retryAfter } from './exchange.ts';
import type { Fail } from './failure.ts';
import { type JsonProblem, parseJson } from './json.ts';
import type { Rates } from './rate.ts';

export interface Call {
  caller: Caller;
  exchange: Exchange;
  /** Parameters of the path. */
  params: Readonly<Record<string, string>>;
}

export interface JsonCall extends Call {
  /** Parsed; objects in it inherit nothing. */
  body: unknown;
  /** As it came. */
  bytes: Buffer;
}

/** A body that is a table (`text/csv`, RFC 4180) or JSON, whichever was sent. */
export interface UploadCall extends Call {
  body: { kind: 'json'; value: unknown } | { kind: 'csv'; text: string };
}

export type Work<C extends Call> = (call: C) => Later;

/** Registers routes that need credentials; `scope` is what the key pair must be allowed to do. */
export interface GuardedRoutes {
  get(url: string, scope: KeyScope, work: Work<Call>): void;
  delete(url: string, scope: KeyScope, work: Work<Call>): void;
  /** Takes a JSON body. */
  post(url: string, scope: KeyScope, work: Work<JsonCall>): void;
  /** Takes a JSON body. */
  patch(url: string, scope: KeyScope, work: Work<JsonCall>): void;
  /** A POST with a JSON body or with none, which counts as an empty object. */
  act(url: string, scope: KeyScope, work: Work<JsonCall>): void;
  /** A POST with a JSON or CSV body. */
  upload(url: string, scope: KeyScope, work: Work<UploadCall>): void;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type BodyTypes = 'json' | 'json or csv';
type Later = Answer | Promise<Answer>;

/** JSON is UTF-8 (RFC 8259 §8.1); the parameter is allowed because clients send it, nothing else is. */
const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;
const csvType = /^text\/csv(?:[ \t]*;[ \t]*(?:charset="?utf-8"?|header=(?:present|absent)))*[ \t]*$/i;

interface Parts {
  clock: Clock;
  credentials: Credentials;
  rates: Rates;
  limits: Limits;
  fail: Fail;
}

export function createGuardedRoutes(app: FastifyInstance, parts: Parts): GuardedRoutes {
  const { limits, fail } = parts;
  const reading = { clock: parts.clock, bytesMax: limits.bodyBytesMax };

  /** Begins a guarded call; null when it was answered already. */
  function begin(request: FastifyRequest, reply: FastifyReply, route: string | null, scope: KeyScope): Call | null {
    reply.hijack();
    const exchange = exchangeOf(request.raw);
    exchange.route = route;
    const caller = admit(request, exchange, scope, parts);
    if ('account' in caller) return { caller, exchange, params: request.params as Call['params'] };
    exchange.send(caller);
    return null;
  }

  function register(method: Method, url: string, scope: KeyScope, handle: (call: Call) => void): void {
    // The pattern is worth logging only when it differs from the path.
    const route = url.includes(':') ? url : null;
    const onRequest: onRequestHookHandler = (request, reply) => {
      const call = begin(request, reply as FastifyReply, route, scope);
      if (call !== null) handle(call);
    };
    app.route({ method, url, onRequest, handler: () => {} });
  }

  /** Reads the body and gives its bytes to `work`; a content type that is not taken is answered before that. */
  function take(call: Call, types: BodyTypes, work: (bytes: Buffer) => Later): void {
    const { exchange } = call;
    const { request, connection } = exchange;
    const refusal = typeProblem(request.headers, types);
    if (refusal !== null) {
      exchange.send(refusal);
      return;
    }
    exchange.askForBody();
    connection.reading = request;
    readBody(request, reading, (result) => {
      connection.reading = null;
      finish(exchange, fail, () => (result.kind === 'read' ? work(result.bytes) : unreadAnswer(result, limits)));
    });
  }

  function takeJson(call: Call, work: Work<JsonCall>): void {
    take(call, 'json', (bytes) => withJson(bytes, limits, (body) => work({ ...call, body, bytes })));
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
        : withJson(bytes, limits, (value) => work({ ...call, body: { kind: 'json', value } })),
    );
  }

  const answer = (call: Call, work: Work<Call>): void => finish(call.exchange, fail, () => work(call));
  return {
    get: (url, scope, work) => register('GET', url, scope, (call) => answer(call, work)),
    delete: (url, scope, work) => register('DELETE', url, scope, (call) => answer(call, work)),
    post: (url, scope, work) => register('POST', url, scope, (call) => takeJson(call, work)),
    patch: (url, scope, work) => register('PATCH', url, scope, (call) => takeJson(call, work)),
    act: (url, scope, work) => register('POST', url, scope, (call) => act(call, work)),
    upload: (url, scope, work) => register('POST', url, scope, (call) => upload(call, work)),
  };
}

/** RFC 9112 §6.3: a request with neither header has no body. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The caller, or the answer to one that is not let in. */
function admit(request: FastifyRequest, exchange: Exchange, scope: KeyScope, parts: Parts): Caller | Answer {
  const { authorization, 'x-api-key': apiKey } = request.raw.headers;
  const admission = parts.credentials.admit(
    {
      authorization,
      apiKeyHeader: apiKey === undefined ? undefined : String(apiKey),
      query: exchange.query,
      address: () => request.ip,
    },
    scope,
  );
  if (!admission.ok) return rejection(admission.reason, admission.detail);
  exchange.caller = admission.caller;
  const rate = parts.rates.take(admission.caller);
  exchange.rateHeaders = rate.headers;
  if (rate.allowed) return admission.caller;
  return rejection(
    'RATE_LIMITED',
    `This key pair or its account sends more requests per second than it may. Try again in ${rate.retryAfterSeconds} s. ${notSent}`,
    { headers: retryAfter(rate.retryAfterSeconds) },
  );
}

/** Sends what `work` comes to, now or later; what it throws is told like any failure. */
function finish(exchange: Exchange, fail: Fail, work: () => Later): void {
  const failed = (error: unknown): void => fail(exchange, error);
  try {
    const result = work();
    if (result instanceof Promise) result.then((answer) => exchange.send(answer), failed);
    else exchange.send(result);
  } catch (error) {
    failed(error);
  }
}

function withJson(bytes: Buffer, limits: Limits, work: (value: unknown) => Later): Later {
  const parsed = parseJson(bytes, limits.jsonDepthMax);
  if (!parsed.ok) return rejection('INVALID_JSON', `${jsonRule(parsed.problem, limits)} ${notSent}`);
  return work(parsed.value);
}

/** Spreadsheets begin their tables with a byte order mark, which is no part of the first cell. */
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
  if (type === 'application/json' || (type !== undefined && jsonType.test(type))) return null;
  if (types === 'json or csv' && type !== undefined && csvType.test(type)) return null;
  const wanted = types === 'json' ? 'application/json' : 'application/json or text/csv';
  const seen = type === undefined ? 'Content-Type is missing' : `Content-Type is not ${wanted} in UTF-8`;
  return rejection('UNSUPPORTED_CONTENT_TYPE', `${seen}. Send Content-Type: ${wanted}. ${notSent}`);
}

function unreadAnswer({ kind }: BodyResult, limits: Limits): Answer {
  if (kind === 'too_slow') {
    return rejection('INVALID_REQUEST', `The body came too slowly. Send it in one go. ${notSent}`, {
      status: 408,
      abandon: true,
    });
  }
  return rejection(
    'BODY_TOO_LARGE',
    `The body is over ${limits.bodyBytesMax} bytes. Split the recipients, or the entries of an import, over several requests. ${notSent}`,
    { abandon: true },
  );
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
      return 'A key stands twice in one object of the body. Programs differ on which one counts: send each key once.';
    case 'syntax':
      return 'The body is not valid JSON. Let a JSON library write it.';
  }
}
