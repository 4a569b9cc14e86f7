/** Sealing: what is stored says nothing, opens only with its key, and shows when it was altered. Key files and their modes. */
import { createSecretKey } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Random } from './domain/clock.ts';
import { createSealer, loadSecretKey, SealingRefused } from './sealing.ts';

const random: Random = { fraction: () => 0, bytes: (count) => new Uint8Array(count).fill(7) };
const keyOf = (byte: number) => createSecretKey(Buffer.alloc(32, byte));

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'helio-sealing-'));
}

function keyFile(content: string | Buffer, mode = 0o600): string {
  const path = join(newFolder(), 'key');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe('createSealer', () => {
  const sealer = createSealer(keyOf(1));

  it.each(['', 'secret08', 'pä$$wörd 🎉', 'x'.repeat(10_000)])('opens what it sealed: %j', (text) => {
    const sealed = sealer.seal(text);
    expect(sealer.open(sealed)).toBe(text);
    if (text !== '') expect(sealed).not.toContain(text);
  });

  it('never seals alike twice', () => {
    expect(sealer.seal('same')).not.toBe(sealer.seal('same'));
  });

  it('refuses another key, and says which key is wanted', () => {
    const sealed = createSealer(keyOf(2)).seal('secret08');
    expect(() => sealer.open(sealed)).toThrow(SealingRefused);
    expect(() => sealer.open(sealed)).toThrow(/another key.*HELIO_SECRET_KEY_FILE/);
  });

  it('notices any altered byte', () => {
    const sealed = sealer.seal('abc');
    const body = Buffer.from(sealed.slice(4), 'base64url');
    for (let i = 0; i < body.length; i++) {
      const altered = Buffer.from(body);
      altered[i] ^= 1;
      expect(() => sealer.open(`hs1.${altered.toString('base64url')}`), `byte ${i}`).toThrow(SealingRefused);
    }
  });

  it.each([
    '',
    'plain',
    'hs1.',
    'hs1.AAAA',
    'hs2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    sealer.seal('a').slice(0, -2),
  ])('refuses what it never wrote: %j', (text) => {
    expect(() => sealer.open(text)).toThrow(SealingRefused);
  });
});

describe('loadSecretKey', () => {
  const raw = Buffer.from(Array.from({ length: 32 }, (_, i) => i * 8));

  it.each([
    ['raw bytes', raw],
    ['hex', raw.toString('hex')],
    ['hex in upper case with a line end', `${raw.toString('hex').toUpperCase()}\n`],
    ['base64', `${raw.toString('base64')}\n`],
    ['base64url', raw.toString('base64url')],
  ])('takes %s', (_, content) => {
    const key = loadSecretKey({ dataDir: '/nowhere', keyFile: keyFile(content), random });
    expect(key.export()).toEqual(raw);
  });

  it.each([
    ['nothing', ''],
    ['too short', raw.subarray(1)],
    ['too long', `${raw.toString('hex')}00`],
    ['words', 'correct horse battery staple correct horse'],
  ])('refuses %s and says what is allowed', (_, content) => {
    expect(() => loadSecretKey({ dataDir: '/', keyFile: keyFile(content), random })).toThrow(
      /holds no key; allowed: 32 bytes raw, as 64 hex digits or as base64/,
    );
  });

  it.each([0o640, 0o604, 0o644, 0o620])('refuses a file that others can open (mode %o), with the command', (mode) => {
    const path = keyFile(raw, mode);
    expect(() => loadSecretKey({ dataDir: '/', keyFile: path, random })).toThrow(`Run: chmod 600 ${path}`);
  });

  it('names a missing key file', () => {
    expect(() => loadSecretKey({ dataDir: '/', keyFile: '/nowhere/key', random })).toThrow('/nowhere/key is not there');
  });

  it('makes a key for its owner alone in the data folder, once', () => {
    const dataDir = join(newFolder(), 'data');
    const first = loadSecretKey({ dataDir, keyFile: null, random });
    const path = join(dataDir, 'secret.key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, 'utf8')).toBe(`${'07'.repeat(32)}\n`);
    const other: Random = { ...random, bytes: (count) => new Uint8Array(count).fill(9) };
    expect(loadSecretKey({ dataDir, keyFile: null, random: other }).export()).toEqual(first.export());
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
  });

  it('never replaces a damaged key', () => {
    const dataDir = newFolder();
    const path = join(dataDir, 'secret.key');
    writeFileSync(path, '', { mode: 0o600 });
    expect(() => loadSecretKey({ dataDir, keyFile: null, random })).toThrow(SealingRefused);
    expect(readFileSync(path, 'utf8')).toBe('');
  });
});
