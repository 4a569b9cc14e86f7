/**
 * The one way to the gateway: JSON over `/api/portal/v1` with the session's cookie. Every answer is an envelope; what is no
 * success is thrown as `ApiError`, which says everything a page has to show. It keeps no data: that is the query cache.
 */

const base = '/api/portal/v1';

/** The envelope of every answer. */
export interface Answer<T> {
  success: boolean;
  reason: string;
  detail: string;
  data: T;
  next?: string | null;
}

/** What went wrong, in the gateway's own words. */
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
    super(answer.detail ?? 'The gateway gave no answer that can be read.');
    this.name = 'ApiError';
    this.status = status;
    this.reason = answer.reason ?? 'NO_ANSWER';
    this.fields = answer.fields ?? {};
    this.requestId = requestId;
    this.data = answer.data;
  }
}

const storedName = 'helio-environment';

/** The environment stays '' until a person has chosen one: then the gateway picks what this company has. */
const sent = { csrf: '', environment: storedEnvironment() };

function storedEnvironment(): string {
  try {
    return sessionStorage.getItem(storedName) ?? '';
  } catch {
    return '';
  }
}

/** Nobody looked at what was asked: the gateway is away, or about to be. */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502);
}

/** Asks who sits there for their password; true when they gave it. */
let confirmPerson: (() => Promise<boolean>) | null = null;

/** The frame says how; without it, what needs the password once more is refused. */
export function onConfirm(ask: (() => Promise<boolean>) | null): void {
  confirmPerson = ask;
}

/** Set after sign-in: proves to the gateway that the request comes from this page. */
export function setCsrf(token: string): void {
  sent.csrf = token;
}

/** Which of the account's two worlds the pages look at, once a person has chosen; until then the gateway does. */
export function setEnvironment(environment: 'sandbox' | 'live'): void {
  sent.environment = environment;
  try {
    sessionStorage.setItem(storedName, environment);
  } catch {
    // Storage may be switched off: it holds until the page is closed.
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What somebody chose not to go on with: nothing was done, and there is nothing to tell. */
const left = (): ApiError => new ApiError(403, { reason: 'LEFT', detail: 'You chose not to go on.' }, null);

export function isLeft(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'LEFT';
}

/** Does `then` when the password was given lately, or is given now: what is long to fill in must not fail at its end for it. */
export async function confirmFirst(then: () => void): Promise<void> {
  const me = await callOnce<{ recent?: boolean }>('GET', '/me').catch(() => null);
  const isNeeded = me?.data.recent === false && confirmPerson !== null;
  if (!isNeeded || (await confirmPerson?.()) === true) then();
}

/** What needs the password once more is asked again when the password was given. */
async function call<T>(method: Method, path: string, body?: BodyInit | null, type?: string): Promise<Answer<T>> {
  try {
    return await callOnce<T>(method, path, body, type);
  } catch (error) {
    const needed = error instanceof ApiError && error.reason === 'RECENT_SIGN_IN_NEEDED';
    if (!needed || confirmPerson === null) throw error;
    if (!(await confirmPerson())) throw left();
    return callOnce<T>(method, path, body, type);
  }
}

async function callOnce<T>(method: Method, path: string, body?: BodyInit | null, type?: string): Promise<Answer<T>> {
  const response = await ask(method, path, body, type);
  const answer = (await response.json().catch(() => ({}))) as Answer<T>;
  if (!response.ok || answer.success !== true) throw refused(response, answer);
  return answer;
}

async function ask(method: Method, path: string, body?: BodyInit | null, type?: string): Promise<Response> {
  const headers: Record<string, string> = {};
  if (sent.environment !== '') headers['x-helio-environment'] = sent.environment;
  if (type !== undefined) headers['content-type'] = type;
  if (method !== 'GET') headers['x-helio-csrf'] = sent.csrf;
  try {
    return await fetch(base + path, { method, headers, body, credentials: 'same-origin' });
  } catch {
    throw new ApiError(0, { reason: 'OFFLINE', detail: 'The gateway cannot be reached from this browser.' }, null);
  }
}

function refused(response: Response, answer: Partial<Answer<unknown>>): ApiError {
  return new ApiError(response.status, answer, response.headers.get('x-request-id'));
}

async function blob(path: string): Promise<Blob> {
  const response = await ask('GET', path);
  if (!response.ok) throw refused(response, (await response.json().catch(() => ({}))) as Answer<unknown>);
  return response.blob();
}

export const api = {
  get: <T>(path: string) => call<T>('GET', path),
  post: <T>(path: string, body: unknown = {}) => call<T>('POST', path, JSON.stringify(body), 'application/json'),
  patch: <T>(path: string, body: unknown) => call<T>('PATCH', path, JSON.stringify(body), 'application/json'),
  delete: <T>(path: string) => call<T>('DELETE', path),
  /** What is no JSON: a table, a medium. */
  blob,
  /** For a link to what `get` would answer. */
  url: (path: string) => base + path,
  /** One file, as its bytes. */
  upload: <T>(path: string, file: Blob) => call<T>('POST', path, file, file.type || 'application/octet-stream'),
};

/** A query string from what is set; '' when nothing is. */
export function query(values: Readonly<Record<string, string | number | boolean | null | undefined>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}
