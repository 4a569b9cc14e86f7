import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatePair, hashCredential, isUsableCredential, parseCredential } from './credential.ts';

const random = { fraction: () => 0, bytes: (count: number) => new Uint8Array(randomBytes(count)) };

describe('SEC-17 the form of credentials', () => {
  it('is prefix, key id, 160 random bits and a checksum, URL-safe', () => {
    const sandbox = generatePair(random, 'sandbox');
    expect(sandbox.bearerToken).toMatch(/^bt_sbx_[0-9a-z]{10}_[0-9a-z]{32}[0-9a-z]{7}$/);
    expect(sandbox.authToken).toMatch(/^at_sbx_[0-9a-z]{10}_[0-9a-z]{32}[0-9a-z]{7}$/);
    const live = generatePair(random, 'live');
    expect(live.bearerToken).toMatch(/^bt_[0-9a-z]{10}_[0-9a-z]{39}$/);
    expect(encodeURIComponent(live.authToken)).toBe(live.authToken);
    expect(live.bearerToken.slice(14)).not.toBe(live.authToken.slice(14));
  });

  it('keeps every one of the 160 bits', () => {
    const ones = { fraction: () => 0, bytes: (count: number) => new Uint8Array(count).fill(0xff) };
    const zeros = { fraction: () => 0, bytes: (count: number) => new Uint8Array(count) };
    expect(generatePair(ones, 'live').bearerToken.slice(14, 46)).toBe('z'.repeat(32));
    expect(generatePair(zeros, 'live').bearerToken.slice(14, 46)).toBe('0'.repeat(32));
  });

  it('hashes with SHA-256 in hex', () => {
    // FIPS 180-4, example "abc"
    expect(hashCredential('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const pair = generatePair(random, 'live');
    expect(pair.bearerHash).toBe(hashCredential(pair.bearerToken));
    expect(pair.authHash).toBe(hashCredential(pair.authToken));
  });

  it('is read back', () => {
    const pair = generatePair(random, 'sandbox');
    const { keyId } = pair;
    expect(parseCredential(pair.bearerToken)).toEqual({
      form: 'issued',
      kind: 'bearer',
      environment: 'sandbox',
      keyId,
    });
    expect(parseCredential(pair.authToken)).toEqual({ form: 'issued', kind: 'auth', environment: 'sandbox', keyId });
    expect(parseCredential(generatePair(random, 'live').authToken)).toMatchObject({ environment: 'live' });
  });

  it('notices every change of one character', () => {
    const { bearerToken } = generatePair(random, 'live');
    for (let i = 3; i < bearerToken.length; i++) {
      if (bearerToken[i] === '_') continue;
      const other = bearerToken[i] === '3' ? '4' : '3';
      const wrong = bearerToken.slice(0, i) + other + bearerToken.slice(i + 1);
      expect(parseCredential(wrong).form, wrong).toBe('mistyped');
      expect(isUsableCredential(wrong)).toBe(false);
    }
  });

  it('has the checksum CRC-32 of IEEE 802.3', () => {
    // A token put together by hand: CRC-32 of "bt_0000000000_" and 32 zeros is 0xafe662ad.
    const body = `bt_0000000000_${'0'.repeat(32)}`;
    const right = generatePair({ fraction: () => 0, bytes: (count) => new Uint8Array(count) }, 'live').bearerToken;
    expect(right.startsWith(body)).toBe(true);
    const digits = [...right.slice(-7)].map((c) => '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(c));
    expect(digits.reduce((sum, digit) => sum * 32 + digit, 0)).toBe(0xafe662ad);
  });

  it('lets a value of ones own choice be used when it is long and URL-safe', () => {
    expect(parseCredential('my-own-secret-value-42').form).toBe('custom');
    expect(isUsableCredential('my-own-secret-value-42')).toBe(true);
    expect(isUsableCredential('bt_my-own-secret-value')).toBe(true);
    for (const bad of [
      '',
      'short',
      'with spaces in the value',
      'quote"quote"quote"quote"',
      'ümlaut-ümlaut-ümlaut-ü',
      'a'.repeat(257),
    ])
      expect(isUsableCredential(bad), bad).toBe(false);
  });

  it('never throws, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(['issued', 'mistyped', 'custom']).toContain(parseCredential(text).form);
      }),
    );
  });
});
