/**
 * Secrets at rest: seals what the store must be able to give back (carrier passwords) with AES-256-GCM, and finds or makes
 * the key. Whoever has only the database learns nothing. It never prints a key and never changes an existing key file.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './domain/clock.ts';
import { createPrivateFile, readPrivateFile } from './records/private-file.ts';

export interface Sealer {
  /** A sealed form of `text`, safe to store; different each time. */
  seal(text: string): string;
  /** Throws SealingRefused when the key is another one or the sealed form was altered. */
  open(sealed: string): string;
}

/** A key or a sealed secret cannot be used: say so and end with exit code 78. Never holds a secret. */
export class SealingRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SealingRefused';
  }
}

const keyBytes = 32;
const keyFileName = 'secret.key';

/** NIST SP 800-38D §8.2.2: 96 random bits are safe for 2^32 secrets under one key. */
const nonceBytes = 12;
const tagBytes = 16;
/** Marks the form; a later form gets another number and this one stays readable. */
const version = 'hs1.';
/** Authenticated with each secret, so that nothing made with this key for another purpose is ever taken for one. */
const context = Buffer.from('heliograph sealed secret 1');

/** Seals and opens under one key. */
export function createSealer(key: KeyObject): Sealer {
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(context);
      const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return version + body.toString('base64url');
    },
    open(sealed) {
      const body = Buffer.from(sealed.slice(version.length), 'base64url');
      if (!sealed.startsWith(version) || body.length < nonceBytes + tagBytes) {
        throw new SealingRefused('A stored secret is not in the sealed form this version writes (hs1).');
      }
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(context).setAuthTag(body.subarray(-tagBytes));
      try {
        const text = decipher.update(body.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        throw new SealingRefused(
          'A stored secret does not open: it was sealed with another key, or altered. ' +
            `Bring back the key of this store (HELIO_SECRET_KEY_FILE, or ${keyFileName} in the data folder).`,
        );
      }
    },
  };
}

/** Another key made of this one, for a purpose of its own: whoever learns it learns nothing of the first (RFC 5869). */
export function deriveKey(key: KeyObject, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `heliograph ${purpose}`, keyBytes));
}

/** Reads the key from `keyFile`, else from the data folder, where it is made when missing. Throws SealingRefused. */
export function loadSecretKey(where: { dataDir: string; keyFile: string | null; random: Random }): KeyObject {
  if (where.keyFile !== null) return readKey(where.keyFile);
  const path = join(where.dataDir, keyFileName);
  if (readPrivateFile(path).kind === 'missing') {
    mkdirSync(where.dataDir, { recursive: true, mode: 0o700 });
    createPrivateFile(path, `${Buffer.from(where.random.bytes(keyBytes)).toString('hex')}\n`);
  }
  return readKey(path);
}

function readKey(path: string): KeyObject {
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
