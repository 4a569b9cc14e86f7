/**
 * Webhooks of the gateway: verifies that a request comes from it (Standard Webhooks 1.0.0), and reads its event. Keeps
 * no state: to detect a repetition, remember the `id` of handled events.
 *
 * `node:crypto` and not Web Crypto: it exists in Node, Bun, Deno and workers alike and it is synchronous, so that a
 * forgotten `await` cannot let an unchecked request pass.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './events.ts';
import { HeliographError } from './heliograph-error.ts';

export type WebhookFault =
  /** One of the three headers is missing or unreadable. */
  | 'MISSING_HEADER'
  /** The given secret is invalid. */
  | 'INVALID_SECRET'
  | 'TIMESTAMP_TOO_OLD'
  | 'TIMESTAMP_TOO_NEW'
  /** Signed with another secret, or changed in transit. */
  | 'NO_MATCHING_SIGNATURE'
  /** Correctly signed, but not an event; or not the raw body. */
  | 'INVALID_BODY';

/** Answer such a request with 400 and do nothing else. `reason` is a `WebhookFault`. */
export class WebhookVerificationError extends HeliographError {
  declare readonly reason: WebhookFault;

  constructor(reason: WebhookFault, detail: string) {
    super(reason, detail);
    this.name = 'WebhookVerificationError';
  }
}

/** Headers of Fetch, or of Node (`request.headers`), in any letter case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the clocks may differ and how old an attempt may be; default 300. */
  toleranceSeconds?: number;
  /** The current time; default: the machine's. */
  now?: Date;
}

type RawBody = string | Uint8Array | ArrayBuffer;

const toleranceSecondsDefault = 300;

export const webhooks = {
  /**
   * Returns the event if one of `secrets` has signed this very body recently. `rawBody`: the body as received, before
   * any parser. Throws WebhookVerificationError.
   */
  verify(
    rawBody: RawBody,
    headers: WebhookHeaders,
    secrets: string | readonly string[],
    options: VerifyOptions = {},
  ): WebhookEvent {
    const { id } = webhooks.verifySignature(rawBody, headers, secrets, options);
    const event = parse(bytesOf(rawBody));
    if (event === null)
      throw fault('INVALID_BODY', 'The signature is right, but the body is not {type, timestamp, data}.');
    return { ...event, id } as WebhookEvent;
  },

  /** The same without parsing the body, for endpoints with the flat format. Throws WebhookVerificationError. */
  verifySignature(
    rawBody: RawBody,
    headers: WebhookHeaders,
    secrets: string | readonly string[],
    options: VerifyOptions = {},
  ): { id: string; timestamp: Date } {
    const body = bytesOf(rawBody);
    const keys = [secrets].flat().map(keyOf);
    if (keys.length === 0) throw fault('INVALID_SECRET', 'No secret was given.');
    const id = header(headers, 'webhook-id');
    const timestamp = header(headers, 'webhook-timestamp');
    const given = header(headers, 'webhook-signature');
    // With a full stop in the id, two different messages could have one signature.
    if (id.includes('.')) throw fault('MISSING_HEADER', 'The header webhook-id holds a full stop.');
    if (!/^[0-9]{1,12}$/.test(timestamp)) throw fault('MISSING_HEADER', 'The header webhook-timestamp is no number.');
    const expected = keys.map((key) => signature(key, id, timestamp, body));
    if (!matches(given, expected)) {
      throw fault('NO_MATCHING_SIGNATURE', 'No signature matches. Check the secret, and that the body is the raw one.');
    }
    checkAge(Number(timestamp), options);
    return { id, timestamp: new Date(Number(timestamp) * 1_000) };
  },

  /** The three headers for `body`, to test a receiver with. */
  sign(message: {
    id: string;
    body: RawBody;
    secret: string;
    timestamp?: Date;
  }): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
    const { id, body, secret } = message;
    if (!/^[!-~]+$/.test(id) || id.includes('.')) throw new TypeError('id must be visible ASCII without a full stop.');
    const timestamp = String(Math.floor((message.timestamp ?? new Date()).getTime() / 1_000));
    const value = signature(keyOf(secret), id, timestamp, bytesOf(body));
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${value}` };
  },
};

function fault(reason: WebhookFault, detail: string): WebhookVerificationError {
  return new WebhookVerificationError(reason, detail);
}

function checkAge(seconds: number, options: VerifyOptions): void {
  const tolerance = options.toleranceSeconds ?? toleranceSecondsDefault;
  const age = Math.floor((options.now ?? new Date()).getTime() / 1_000) - seconds;
  // Negated, so that a NaN tolerance refuses everything.
  if (!(age <= tolerance)) throw fault('TIMESTAMP_TOO_OLD', `The attempt is more than ${tolerance} s old.`);
  if (!(-age <= tolerance))
    throw fault('TIMESTAMP_TOO_NEW', `The attempt is more than ${tolerance} s ahead of this clock.`);
}

function signature(key: Buffer, id: string, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

/** Every pair is compared, in constant time each. */
function matches(given: string, expected: readonly string[]): boolean {
  let found = false;
  for (const entry of given.split(' ')) {
    const sent = Buffer.from(entry);
    for (const value of expected) {
      const wanted = Buffer.from(`v1,${value}`);
      if (sent.length === wanted.length && timingSafeEqual(sent, wanted)) found = true;
    }
  }
  return found;
}

function keyOf(secret: string): Buffer {
  const text = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '';
  if (!/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    throw fault('INVALID_SECRET', 'A secret is whsec_ followed by base64, as the portal shows it.');
  }
  return Buffer.from(text, 'base64');
}

function bytesOf(rawBody: RawBody): Uint8Array {
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw fault('INVALID_BODY', 'Pass the raw body, as string or bytes: a parsed one cannot be verified.');
}

function header(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : onlyValue(headers as HeaderRecord, name);
  if (typeof value !== 'string' || value === '') throw fault('MISSING_HEADER', `The header ${name} is missing.`);
  return value;
}

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Undefined also for a repeated header: these three must not be repeated. */
function onlyValue(headers: HeaderRecord, name: string): string | undefined {
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 1 ? values[0] : undefined;
}

function parse(body: Uint8Array): Pick<WebhookEvent, 'type' | 'timestamp' | 'data'> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return isEvent(value) ? value : null;
  } catch {
    return null;
  }
}

function isEvent(value: unknown): value is Pick<WebhookEvent, 'type' | 'timestamp' | 'data'> {
  if (typeof value !== 'object' || value === null) return false;
  const { type, timestamp, data } = value as Record<string, unknown>;
  return typeof type === 'string' && typeof timestamp === 'string' && typeof data === 'object' && data !== null;
}
