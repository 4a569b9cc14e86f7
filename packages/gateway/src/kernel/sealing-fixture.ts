/** Shared by the tests of sealing: a key, and secrets sealed without a place, as earlier versions did. */
import { createCipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

export const keyOf = (byte: number): KeyObject => createSecretKey(Buffer.alloc(32, byte));

/** The format `hs1.`. */
export function sealedBefore(text: string, key: KeyObject = keyOf(1)): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('heliograph sealed secret 1'));
  const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `hs1.${body.toString('base64url')}`;
}
