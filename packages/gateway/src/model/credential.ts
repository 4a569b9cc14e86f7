/**
 * The credentials of a key pair, Bearer Token (`bt_…`) and Auth Token (`at_…`): format, checksum, hash.
 *
 * Format: `bt_<keyid>_<secret><check>` (sandbox `bt_sbx_…`), lower-case Crockford base 32: 10 characters of key id, 32
 * of secret (160 random bits), 7 of checksum (CRC-32, IEEE 802.3, of everything before). The checksum detects a
 * mistyped token without a look-up; it protects nothing.
 */
import { hash } from 'node:crypto';
import type { Random } from '../kernel/clock.ts';
import type { KeyId } from '../kernel/ids.ts';
import type { Environment, TokenHint } from './records.ts';

export type CredentialKind = 'bearer' | 'auth';

/** A fresh pair. Its tokens are shown once; afterwards only their hashes exist. */
export interface CredentialPair {
  /** `key_` + 10 characters, which both tokens contain too. */
  keyId: KeyId;
  bearerToken: string;
  authToken: string;
  /** SHA-256, lower-case hex. */
  bearerHash: string;
  authHash: string;
}

export type ParsedCredential =
  /** In our format, with a valid checksum. */
  | { form: 'issued'; kind: CredentialKind; environment: Environment; keyId: KeyId }
  /** In our format, with a wrong checksum: mistyped or cut, so no key can have it. */
  | { form: 'mistyped' }
  /** Not in our format: a value chosen by hand. */
  | { form: 'custom' };

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const keyIdCharacters = 10;
const secretBytes = 20;
const checkCharacters = 7;
/** Characters after the last underscore: 32 of secret, and the checksum. */
const issuedSecretCharacters = 39;
const issuedForm = /^(bt|at)_(sbx_)?([0-9a-z]{10})_[0-9a-z]{39}$/;
const customForm = /^[A-Za-z0-9._~-]{20,256}$/;

/** A new pair from cryptographically strong bytes. */
export function generatePair(random: Random, environment: Environment): CredentialPair {
  // One random byte for each character keeps the arithmetic simple; only its low 5 bits are used.
  let keyPart = '';
  for (const byte of random.bytes(keyIdCharacters)) keyPart += alphabet[byte & 31];
  const bearerToken = token('bt', environment, keyPart, random);
  const authToken = token('at', environment, keyPart, random);
  return {
    keyId: `key_${keyPart}`,
    bearerToken,
    authToken,
    bearerHash: hashCredential(bearerToken),
    authHash: hashCredential(authToken),
  };
}

/** SHA-256 of a token, lower-case hex: the only form in which it is stored. */
export function hashCredential(value: string): string {
  return hash('sha256', value, 'hex');
}

/** Classifies a token by its form. Does not say whether any key has it. */
export function parseCredential(value: string): ParsedCredential {
  const match = issuedForm.exec(value);
  if (match === null) return { form: 'custom' };
  const body = value.slice(0, -checkCharacters);
  if (checksum(body) !== value.slice(-checkCharacters)) return { form: 'mistyped' };
  return {
    form: 'issued',
    kind: match[1] === 'bt' ? 'bearer' : 'auth',
    environment: match[2] === undefined ? 'live' : 'sandbox',
    keyId: `key_${match[3]}`,
  };
}

/** The part of our token that may be shown; undefined for a token chosen by hand, which may be short. */
export function tokenHint(value: string): TokenHint | undefined {
  return !issuedForm.test(value)
    ? undefined
    : { prefix: value.slice(0, -issuedSecretCharacters - 1), last4: value.slice(-4) };
}

/** The hints of a pair, as stored in its record. */
export function pairHints({ bearerToken, authToken }: Pick<CredentialPair, 'bearerToken' | 'authToken'>): {
  bearerHint?: TokenHint;
  authHint?: TokenHint;
} {
  return { bearerHint: tokenHint(bearerToken), authHint: tokenHint(authToken) };
}

/**
 * True for a token that a person may choose in a configuration: URL-safe, 20–256 characters, not a mistyped token of
 * ours.
 */
export function isUsableCredential(value: string): boolean {
  return customForm.test(value) && parseCredential(value).form !== 'mistyped';
}

function token(prefix: 'bt' | 'at', environment: Environment, keyPart: string, random: Random): string {
  const mark = environment === 'sandbox' ? 'sbx_' : '';
  const body = `${prefix}_${mark}${keyPart}_${base32(random.bytes(secretBytes))}`;
  return body + checksum(body);
}

function base32(bytes: Uint8Array): string {
  let out = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += alphabet[(held >>> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return out;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < checkCharacters; i++) {
    out = alphabet[rest & 31] + out;
    rest >>>= 5;
  }
  return out;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) crc = (crc >>> 8) ^ crcTable[(crc ^ text.charCodeAt(i)) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}
