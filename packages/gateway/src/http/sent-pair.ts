/**
 * The two credentials of a request as they were sent, read and hashed. Whether they are those of a live pair is judged for each
 * request (credentials); reading and hashing it again is spared when a connection sends the one that was let in before, as most do.
 */
import { hash } from 'node:crypto';
import { type Query, valuesOf } from './input.ts';
import type { Target } from './target.ts';

/** The parts of a request that credentials are read from. */
export interface SentParts {
  authorization: string | undefined;
  apiKeyHeader: string | undefined;
  query: Query;
}

/** A credential as it was sent: undefined when missing, '' when its form cannot be right. */
type Sent = string | undefined;

export interface SentPair {
  bearer: Sent;
  auth: Sent;
  /** SHA-256 in hex; a missing credential is hashed too, so that the time is the same. */
  bearerHash: string;
  authHash: string;
}

const tokenCharactersMax = 512;
const bearerScheme = 'bearer ';
/** Printable ASCII without comma: Node joins two headers of the same name with a comma. */
const tokenForm = /^[!-+\--~]+$/;

export function readPair(parts: SentParts): SentPair {
  const bearer = bearerToken(parts.authorization);
  const auth = authToken(parts);
  return { bearer, auth, bearerHash: digest(bearer), authHash: digest(auth) };
}

/**
 * What a connection was last let in with. Only that is remembered: any other pair is read and hashed with each request, so
 * that a wrong one takes the same time, whatever was sent before it.
 */
export class Admitted {
  readonly #target: Target;
  readonly #parts: SentParts;
  readonly #pair: SentPair;

  constructor(target: Target, parts: SentParts, pair: SentPair) {
    this.#target = target;
    this.#parts = parts;
    this.#pair = pair;
  }

  /** The target, if this is the same; else null. */
  target(url: string): Target | null {
    return sameSecret(url, this.#target.url) ? this.#target : null;
  }

  /** The pair, if these are the same parts; else null. A query must be the same object to count as the same. */
  pair({ authorization, apiKeyHeader, query }: SentParts): SentPair | null {
    const known = this.#parts;
    const isKnown =
      known.query === query && isSame(known.authorization, authorization) && isSame(known.apiKeyHeader, apiKeyHeader);
    return isKnown ? this.#pair : null;
  }
}

function isSame(one: Sent, other: Sent): boolean {
  if (one === undefined || other === undefined) return one === other;
  return sameSecret(one, other);
}

/**
 * Whether two texts are equal, in a time that depends on their lengths alone: behind a proxy, clients that do not know each
 * other's secrets may share a connection.
 */
export function sameSecret(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let i = 0; i < one.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}

/**
 * `Authorization: Bearer <token>` (RFC 6750 §2.1); the scheme in any case. Node joins two such headers with a comma.
 */
function bearerToken(authorization: string | undefined): Sent {
  if (authorization === undefined) return undefined;
  const { length } = bearerScheme;
  if (authorization.slice(0, length).toLowerCase() !== bearerScheme) return '';
  return usable(authorization.slice(length).replace(/^ +/, ''));
}

/** The Auth Token from the query, the header, or both when they are equal. */
function authToken({ query, apiKeyHeader }: SentParts): Sent {
  const values = valuesOf(query, 'apikey');
  // `apikey[]=…` is how some frameworks send an array, never one token.
  const isArray = query.some(([name]) => name.startsWith('apikey['));
  if (values.length > 1 || isArray) return '';
  if (values.length === 0) return apiKeyHeader === undefined ? undefined : usable(apiKeyHeader);
  return apiKeyHeader === undefined || apiKeyHeader === values[0] ? usable(values[0]) : '';
}

function usable(token: string | null | undefined): string {
  return token != null && token.length <= tokenCharactersMax && tokenForm.test(token) ? token : '';
}

function digest(sent: Sent): string {
  return hash('sha256', sent ?? '', 'hex');
}
