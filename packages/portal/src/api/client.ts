/**
 * The only access to the gateway: JSON over `/api/portal/v1` with the session's cookie. Every answer is an envelope; a
 * failure is thrown as `ApiError`, with everything that a page has to show. Caches nothing: the query cache does.
 */

import { labelsOf } from '../language/labels';
import { chosenEnvironment, keepEnvironment } from './environment-choice';
import { patienceMs, patiently, Silence } from './patience';
import { type AnswerOf, type AtArguments, type BodyOf, type Method, type PathOf, placed } from './typed';

export { query } from './typed';

const labels = labelsOf('answer');

const base = '/api/portal/v1';

/** The envelope of every answer. */
export interface Answer<T> {
  success: boolean;
  reason: string;
  detail: string;
  data: T;
  next?: string | null;
}

/** An error: in the portal's language if its labels have it, else in the gateway's own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly reason: string;
  /** Sentence per field of the form. */
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  /** For 409: the record as it is now. For 403: the missing permission. */
  readonly data: unknown;

  constructor(
    status: number,
    answer: Partial<Answer<unknown>> & { fields?: Record<string, string> },
    requestId: string | null,
  ) {
    const reason = answer.reason ?? 'NO_ANSWER';
    super(labels.refusals[reason] ?? answer.detail ?? labels.unreadable);
    this.name = 'ApiError';
    this.status = status;
    this.reason = reason;
    const fields = Object.entries(answer.fields ?? {});
    this.fields = Object.fromEntries(
      fields.map(([name, sentence]) => [name, labels.refusals[`${reason}.${name}`] ?? sentence]),
    );
    this.requestId = requestId;
    this.data = answer.data;
  }
}

/** The environment stays '' until a person has chosen one: until then the gateway picks the company's. */
const sent = { csrf: '', environment: chosenEnvironment() };

/** The request was not handled: the gateway is unreachable, or about to be. */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502);
}

/**
 * Data that cannot be read now, but can once the gateway is back. `isAway`: it is known to be unreachable; else only
 * this failure shows it.
 */
export function isAbsent(error: unknown, isAway: boolean): boolean {
  return isNoAnswer(error) && (isAway || ['OFFLINE', 'NO_ANSWER'].includes((error as ApiError).reason));
}

/** The gateway did not answer in time: an immediate retry would hardly help. */
export function isSilent(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'NO_ANSWER_IN_TIME';
}

/** Asks the signed-in person for their password; true when they gave it. */
let confirmPerson: (() => Promise<boolean>) | null = null;

/** Set by the frame; without it, requests that need the password again are refused. */
export function onConfirm(ask: (() => Promise<boolean>) | null): void {
  confirmPerson = ask;
}

/** Set after sign-in, '' after sign-out: proves to the gateway that the request comes from this page. */
export function setCsrf(token: string): void {
  sent.csrf = token;
}

export function isSignedIn(): boolean {
  return sent.csrf !== '';
}

/** Refusals that redirect a signed-in person: their session is over, or their second factor is due. */
const accessRefusals = ['NOT_SIGNED_IN', 'SECOND_FACTOR_NEEDED'] as const;
export type AccessRefusal = (typeof accessRefusals)[number];

let accessRefused: ((refusal: AccessRefusal) => void) | null = null;

/** Set by the frame, which redirects; without it, such a refusal is shown like any other. */
export function onAccessRefused(listener: ((refusal: AccessRefusal) => void) | null): void {
  accessRefused = listener;
}

/** Which of the account's two environments the pages show, once a person has chosen; until then the gateway decides. */
export function setEnvironment(environment: 'sandbox' | 'live'): void {
  sent.environment = environment;
  keepEnvironment(environment);
}

interface Sent {
  method: Method;
  path: string;
  body?: BodyInit | null;
  type?: string;
  /** How long the gateway may be silent; default: the limit for reads or writes. */
  ms?: number;
  /** Sent even if the page is left meanwhile. */
  keepalive?: boolean;
}

/** A person canceled: nothing was done, and nothing is reported. */
const left = (): ApiError => new ApiError(403, { reason: 'LEFT', detail: labels.left }, null);

export function isLeft(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'LEFT';
}

/** Runs `then` once the password was given recently, or is given now, so that a long form does not fail at its end. */
export async function confirmFirst(then: () => void): Promise<void> {
  const me = await callOnce<{ recent?: boolean }>({ method: 'GET', path: '/me' }).catch(() => null);
  const isNeeded = me?.data.recent === false && confirmPerson !== null;
  if (!isNeeded || (await confirmPerson?.()) === true) then();
}

/** A request that needs the password is repeated after the person gave it. */
async function call<T>(request: Sent): Promise<Answer<T>> {
  try {
    return await callOnce<T>(request);
  } catch (error) {
    const needed = error instanceof ApiError && error.reason === 'RECENT_SIGN_IN_NEEDED';
    if (!needed || confirmPerson === null) throw error;
    if (!(await confirmPerson())) throw left();
    return callOnce<T>(request);
  }
}

function callOnce<T>(request: Sent): Promise<Answer<T>> {
  return ask(request, async (response) => {
    const answer = (await response.json().catch(() => ({}))) as Answer<T>;
    if (!response.ok || answer.success !== true) throw refused(response, answer);
    return answer;
  });
}

function ask<T>(request: Sent, read: (response: Response, heard: (nextMs: number) => void) => Promise<T>): Promise<T> {
  const {
    method,
    path,
    body,
    type,
    keepalive = false,
    ms = method === 'GET' ? patienceMs.read : patienceMs.write,
  } = request;
  const headers: Record<string, string> = {};
  if (sent.environment !== '') headers['x-helio-environment'] = sent.environment;
  if (type !== undefined) headers['content-type'] = type;
  if (method !== 'GET') headers['x-helio-csrf'] = sent.csrf;
  return answered({ method, path, ms }, async (signal, heard) => {
    const init: RequestInit = { method, headers, body, credentials: 'same-origin', signal, keepalive };
    return read(await reached(fetch(base + path, init)), heard);
  });
}

/** The response, or the error that the gateway is unreachable. */
export function reached(fetched: Promise<Response>): Promise<Response> {
  return fetched.catch(() => {
    throw new ApiError(0, { reason: 'OFFLINE', detail: labels.away }, null);
  });
}

/** The result of `wait`, or the error of a time-out. */
export async function answered<T>(
  { method, path, ms }: { method: Method; path: string; ms: number },
  wait: Parameters<typeof patiently<T>>[1],
): Promise<T> {
  try {
    return await patiently(ms, wait);
  } catch (error) {
    if (!(error instanceof Silence)) throw error;
    const detail = method === 'GET' ? labels.silent.read(error.ms) : labels.silent.write(error.ms, placeToLook(path));
    throw new ApiError(0, { reason: 'NO_ANSWER_IN_TIME', detail }, null);
  }
}

function placeToLook(path: string): string {
  const { send, messages, any } = labels.silent.look;
  if (/^\/send\b/i.test(path)) return send;
  return path.startsWith('/messages/') ? messages : any;
}

function refused(response: Response, answer: Partial<Answer<unknown>>): ApiError {
  const refusal = accessRefusals.find((one) => one === answer.reason);
  if (refusal !== undefined && isSignedIn()) accessRefused?.(refusal);
  return new ApiError(response.status, answer, response.headers.get('x-request-id'));
}

/** Chunk by chunk: a long download is not silence. */
function blob(path: string): Promise<Blob> {
  return ask({ method: 'GET', path }, async (response, heard) => {
    if (!response.ok) throw refused(response, (await response.json().catch(() => ({}))) as Answer<unknown>);
    const pieces: BlobPart[] = [];
    const reader = response.body?.getReader();
    const next = () => {
      heard(patienceMs.download);
      return reader?.read();
    };
    for (let piece = await next(); piece?.value !== undefined; piece = await next()) pieces.push(piece.value);
    return new Blob(pieces, { type: response.headers.get('content-type') ?? '' });
  });
}

const json = 'application/json';
const bytes = 'application/octet-stream';

/** Calls are typed by their path: the gateway's records define parameters, bodies and answers. */
interface Calls {
  get<P extends PathOf<'GET'>>(path: P, ...at: AtArguments<'GET', P>): Promise<Answer<AnswerOf<'GET', P>>>;
  post<P extends PathOf<'POST'>>(
    path: P,
    body: BodyOf<'POST', P>,
    ...at: AtArguments<'POST', P>
  ): Promise<Answer<AnswerOf<'POST', P>>>;
  /** `post` that is sent even if the page is left meanwhile. */
  postLeaving<P extends PathOf<'POST'>>(
    path: P,
    body: BodyOf<'POST', P>,
    ...at: AtArguments<'POST', P>
  ): Promise<Answer<AnswerOf<'POST', P>>>;
  patch<P extends PathOf<'PATCH'>>(
    path: P,
    body: BodyOf<'PATCH', P>,
    ...at: AtArguments<'PATCH', P>
  ): Promise<Answer<AnswerOf<'PATCH', P>>>;
  delete<P extends PathOf<'DELETE'>>(path: P, ...at: AtArguments<'DELETE', P>): Promise<Answer<AnswerOf<'DELETE', P>>>;
  /** One file, as its bytes. */
  upload<P extends PathOf<'POST'>>(
    path: P,
    file: Blob,
    ...at: AtArguments<'POST', P>
  ): Promise<Answer<AnswerOf<'POST', P>>>;
}

type Given = Readonly<Record<string, unknown>>;

const calls: Calls = {
  get: (path: string, at?: Given) => call<never>({ method: 'GET', path: placed(path, at) }),
  post: (path: string, body: unknown = {}, at?: Given) =>
    call<never>({ method: 'POST', path: placed(path, at), body: JSON.stringify(body), type: json }),
  postLeaving: (path: string, body: unknown, at?: Given) =>
    call<never>({ method: 'POST', path: placed(path, at), body: JSON.stringify(body), type: json, keepalive: true }),
  patch: (path: string, body: unknown, at?: Given) =>
    call<never>({ method: 'PATCH', path: placed(path, at), body: JSON.stringify(body), type: json }),
  delete: (path: string, at?: Given) => call<never>({ method: 'DELETE', path: placed(path, at) }),
  upload: (path: string, file: Blob, at?: Given) =>
    call<never>({
      method: 'POST',
      path: placed(path, at),
      body: file,
      type: file.type || bytes,
      ms: patienceMs.upload,
    }),
};

export const api = {
  ...calls,
  /** Content other than JSON: a table, a medium. */
  blob,
  /** For a link to the answer of `get`. */
  url: (path: string) => base + path,
};
