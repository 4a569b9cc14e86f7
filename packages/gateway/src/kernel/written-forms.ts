/**
 * Formats that people type: e-mail addresses, names, one-time keys, codes. Creates and compares secrets, never stores
 * them.
 */
import { hash } from 'node:crypto';
import type { Random } from './clock.ts';
import { sha256 } from './digest.ts';

export const emailCharactersMax = 254;
export const nameCharactersMax = 100;

/** One `@`, a dotted domain, no spaces or control characters: the part of RFC 5321 §4.1.2 that is really used. */
const emailForm = /^[^\s@\p{Cc}"(),:;<>[\]\\]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,250}[\p{L}\p{N}])?$/u;

export function isEmail(text: string): boolean {
  return text.length <= emailCharactersMax && emailForm.test(text) && !text.includes('..') && text.isWellFormed();
}

/** The form in which addresses are compared: case and Unicode form do not count. */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

/** The normal form of a name, or null when it is not one. */
export function readName(text: string): string | null {
  const name = text.trim();
  return name === '' || name.length > nameCharactersMax || /\p{Cc}/u.test(name) || !name.isWellFormed() ? null : name;
}

/** Crockford's base 32, without characters that are easily misread. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function groups(random: Random, count: number): string {
  const letters = [...random.bytes(count * 4)].map((byte) => alphabet[byte & 31]);
  return Array.from({ length: count }, (_, i) => letters.slice(i * 4, i * 4 + 4).join('')).join('-');
}

/** `4R7M-QX2C-9TLD`: 60 random bits, for a key that is valid for half an hour. */
export const newSetupKey = (random: Random): string => groups(random, 3);
/** 120 random bits: a stolen hash can be attacked for years (NIST SP 800-63B §3.1.2 wants 112 for a bare hash). */
export const newRecoveryCode = (random: Random): string => groups(random, 6);
/** 256 random bits, in a link or a cookie. */
export const newToken = (random: Random): string => Buffer.from(random.bytes(32)).toString('base64url');

/** The original key or code, however it was typed: case, spaces, hyphens and look-alikes do not count. */
export function readCode(text: string): string {
  const letters = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** SHA-256, lower-case hex: the only form in which secrets with enough randomness are stored. */
export function hashToken(token: string): string {
  return sha256(token);
}

/** Proves that a request comes from a page of the session. Derived from its cookie, so nothing more is stored. */
export function csrfToken(sessionToken: string): string {
  return hash('sha256', `heliograph csrf ${sessionToken}`, 'base64url');
}
