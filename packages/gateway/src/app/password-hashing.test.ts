/** The real hashing and codes, compared with the format and the test vectors of their standards. */
import { describe, expect, it } from 'vitest';
import { argon2 } from './password-hashing.ts';
import { totpCodes } from './people.ts';

describe('argon2id', () => {
  it('has 64 MiB, 3 passes and 1 lane, and a salt of its own', async () => {
    const [first, second] = await Promise.all([argon2.hash('a password'), argon2.hash('a password')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[A-Za-z0-9+/]{22,}\$[A-Za-z0-9+/]{43}$/);
    expect(first).not.toBe(second);
    expect([await argon2.verify(first!, 'a password'), await argon2.verify(first!, 'A password')]).toEqual([
      true,
      false,
    ]);
  });

  it('does not take what is no hash for one', async () => {
    await expect(argon2.verify('plain:a', 'a')).rejects.toThrow();
  });
});

describe('a password', () => {
  const words = ['ada@rockets.example', 'Ada Lovelace', 'Rockets'];
  it.each([
    'mailcreated5240',
    '123qweasdzxc',
    'motherfucker',
    'm0therfucker',
    '102030405060',
    '1qa2ws3ed4rf',
    'counterstrike',
    'transformers1',
    'bullshit1234',
    '4815162342lost',
  ])('such as %s, which stands in lists of leaked ones, is soon guessed', async (password) => {
    expect(await argon2.isGuessable(password, words)).toBe(true);
  });

  it.each(['violins under the pear tree', 'Kf8#nq2L!x0z', 'correct horse battery', 'drei kleine Wale im Schrank'])(
    'such as %s is not',
    async (password) => {
      expect(await argon2.isGuessable(password, words)).toBe(false);
    },
  );

  it('that is very long is judged by its beginning', async () => {
    expect(await argon2.isGuessable(`${'x'.repeat(200)}Kf8#nq2L!x0z`, words)).toBe(true);
  });
});

describe('time-based codes', () => {
  // RFC 6238 appendix B, SHA-1, the last six digits.
  const secret = totpCodes.newSecret(Buffer.from('12345678901234567890'));
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('at %i s is %s', (seconds, code) => {
    const step = Math.floor(seconds / 30);
    expect(totpCodes.stepOf(secret, code, seconds * 1_000)).toBe(step);
    expect(totpCodes.stepOf(secret, code, (seconds + 30) * 1_000)).toBe(step);
    expect(totpCodes.stepOf(secret, code, (seconds - 30) * 1_000)).toBe(step);
    expect(totpCodes.stepOf(secret, code, (seconds + 60) * 1_000)).toBeNull();
    expect(totpCodes.stepOf(secret, '000000', seconds * 1_000)).toBeNull();
  });

  it('reach an app through a URI', () => {
    const uri = totpCodes.uri(secret, { issuer: 'Heliograph', label: 'ada@rockets.example' });
    expect(uri).toMatch(/^otpauth:\/\/totp\/Heliograph:ada%40rockets\.example\?issuer=Heliograph&secret=[A-Z2-7]{32}&/);
  });
});
