/**
 * Secrets at rest: AES-256-GCM, and the key file. A sealed secret opens only in the record that it was sealed for, so
 * copying it to another record gains nothing. An existing key file is never changed.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './clock.ts';
import { makeFolder } from './make-folder.ts';
import { createPrivateFile, readPrivateFile } from './private-file.ts';
import type { SealedPlace, Sealing } from './sealed-place.ts';

export interface Sealer extends Sealing {
  /** A sealed form of `text`, safe to store; different each time. */
  seal(text: string, place: SealedPlace): string;
  /** Throws SealingRefused when the key or the place differs or the sealed form was altered. */
  open(sealed: string, place: SealedPlace): string;
}

/** A key or a sealed secret cannot be used: report it and exit with code 78. Never holds a secret. */
export class SealingRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SealingRefused';
  }
}

const keyBytes = 32;
export const keyFileName = 'secret.key';

/** NIST SP 800-38D §8.2.2: 96 random bits are safe for 2^32 secrets under one key. */
const nonceBytes = 12;
const tagBytes = 16;
/** Marks the format; a later format gets another number, and this one stays readable. */
const version = 'hs2.';
/** The format of earlier versions: without a place, so it opens anywhere. */
const placelessVersion = 'hs1.';
/** Authenticated with each secret, so that nothing else made with this key is ever accepted as one. */
const context = 'heliograph sealed secret';

/** The additional data that GCM authenticates; JSON, so that no two places have the same form. */
function authenticated(place: SealedPlace | null): Buffer {
  if (place === null) return Buffer.from(`${context} 1`);
  return Buffer.from(`${context} 2 ${JSON.stringify([place.record, place.id, place.field])}`);
}

/** Whether it is sealed for a place; secrets sealed by earlier versions are not. */
export function isBound(sealed: string): boolean {
  return sealed.startsWith(version);
}

/** Seals and opens under one key. */
export function createSealer(key: KeyObject): Sealer {
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(authenticated(place));
      const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return version + body.toString('base64url');
    },
    open(sealed, place) {
      const what = `The secret ${place.field} of ${place.record} ${place.id}`;
      const body = Buffer.from(sealed.slice(version.length), 'base64url');
      const isForm = isBound(sealed) || sealed.startsWith(placelessVersion);
      if (!isForm || body.length < nonceBytes + tagBytes) {
        throw new SealingRefused(`${what} is in no sealed form that this version reads (hs1, hs2).`);
      }
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(authenticated(isBound(sealed) ? place : null)).setAuthTag(body.subarray(-tagBytes));
      try {
        const text = decipher.update(body.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        throw new SealingRefused(
          `${what} does not open: it was sealed with another key or for another record, or altered. ` +
            `Bring back the key of this store (HELIO_SECRET_KEY_FILE, or ${keyFileName} in the data folder).`,
        );
      }
    },
  };
}

/** Null when it does not open here. */
export function opened(sealer: Pick<Sealer, 'open'>, sealed: string, place: SealedPlace): string | null {
  try {
    return sealer.open(sealed, place);
  } catch (error) {
    if (error instanceof SealingRefused) return null;
    throw error;
  }
}

/** Derives a key for another purpose that reveals nothing about this one (RFC 5869). */
export function deriveKey(key: KeyObject, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `heliograph ${purpose}`, keyBytes));
}

/** The token with which `helio doctor` gets more details from the gateway than strangers get. */
export function doctorToken(key: KeyObject): string {
  return Buffer.from(deriveKey(key, 'doctor')).toString('base64url');
}

/**
 * Reads the key from `keyFile`, else from the data folder, and creates it there when missing. Throws SealingRefused.
 */
export function loadSecretKey(where: { dataDir: string; keyFile: string | null; random: Random }): KeyObject {
  const path = where.keyFile ?? join(where.dataDir, keyFileName);
  if (existsSync(nextKeyPath(path))) {
    throw new SealingRefused(`The rotation of the key ${path} was cut off. Finish it first: npx helio rotate-key`);
  }
  if (where.keyFile === null && readPrivateFile(path).kind === 'missing') {
    makeFolder(where.dataDir);
    createPrivateFile(path, newKeyText(where.random));
  }
  return readKey(path);
}

/** Where the replacement key is kept until everything is sealed with it. */
export const nextKeyPath = (path: string): string => `${path}.new`;

/** The content of a new key file. */
export function newKeyText(random: Random): string {
  return `${Buffer.from(random.bytes(keyBytes)).toString('hex')}\n`;
}

/** Throws SealingRefused for a malformed key, or one that others can read. */
export function readKey(path: string): KeyObject {
  const file = readPrivateFile(path);
  if (file.kind === 'missing') throw new SealingRefused(`The key file ${path} is not there.`);
  if (file.kind === 'exposed') {
    throw new SealingRefused(`The key file ${path} is open to others (mode ${file.mode}). Run: chmod 600 ${path}`);
  }
  const key = keyFrom(file.bytes);
  if (key === null) {
    throw new SealingRefused(
      `The key file ${path} holds no key; allowed: 32 bytes raw, as 64 hex digits or as base64.`,
    );
  }
  return createSecretKey(key);
}

function keyFrom(bytes: Buffer): Buffer | null {
  if (bytes.length === keyBytes) return bytes;
  const text = bytes.toString('latin1').trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // Both base64 alphabets (RFC 4648 §4 and §5), with or without the padding of a 32-byte value.
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null;
}
