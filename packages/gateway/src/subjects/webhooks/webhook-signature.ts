/**
 * Signs webhooks (Standard Webhooks 1.0.0, scheme `v1`) and creates secrets. The signature covers the exact bytes of
 * the body, so sign after rendering.
 */
import { createHmac } from 'node:crypto';
import type { Random } from '../../kernel/clock.ts';
import { Secret } from '../../kernel/secret.ts';

const prefix = 'whsec_';
const secretBytes = 32;
/** The standard's bounds, for secrets that were created elsewhere. */
const secretBytesMin = 24;
const secretBytesMax = 64;
/** Base64 with its padding (RFC 4648 §4). */
const secretForm = /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export interface Signable {
  /** `webhook-id`: visible ASCII without a full stop, the same in all attempts. */
  readonly id: string;
  /** `webhook-timestamp`: seconds since the Unix epoch, of this attempt. */
  readonly timestamp: number;
  readonly body: string | Uint8Array;
  /** At least one; during rotation the new one and the old one. */
  readonly secrets: readonly Secret[];
}

/** A new secret: `whsec_` and the base64 of 32 random bytes. */
export function createWebhookSecret(random: Random): Secret {
  return new Secret(prefix + Buffer.from(random.bytes(secretBytes)).toString('base64'));
}

/** True for `whsec_` followed by the base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  if (!secretForm.test(text)) return false;
  const { length } = keyOf(text);
  return length >= secretBytesMin && length <= secretBytesMax;
}

/** Value of `webhook-signature`: one `v1,…` for each secret, in order, separated by spaces. */
export function signWebhook({ id, timestamp, body, secrets }: Signable): string {
  // The three parts are joined by full stops: with a full stop in the id, two different messages could have the same
  // signature.
  if (!/^[!-~]+$/.test(id) || id.includes('.')) throw new Error('A webhook id is visible ASCII without a full stop.');
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw new Error('A webhook timestamp is in whole seconds.');
  if (secrets.length === 0) throw new Error('A webhook is signed with at least one secret.');
  return secrets.map((secret) => `v1,${digest(secret, `${id}.${timestamp}.`, body)}`).join(' ');
}

function digest(secret: Secret, head: string, body: string | Uint8Array): string {
  const text = secret.reveal();
  if (!isWebhookSecret(text)) throw new Error('A webhook secret is whsec_ and the base64 of 24 to 64 bytes.');
  return createHmac('sha256', keyOf(text)).update(head).update(body).digest('base64');
}

function keyOf(text: string): Buffer {
  return Buffer.from(text.slice(prefix.length), 'base64');
}
