/**
 * Sealing: the stored form reveals nothing, opens only with its key and in its place, and shows alteration. Key files
 * and their modes.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Random } from './clock.ts';
import { carrierSecretPlace, type SealedPlace, totpPlace, webhookHeaderPlace } from './sealed-place.ts';
import { createSealer, isBound, loadSecretKey, SealingRefused } from './sealing.ts';
import { keyOf } from './sealing-fixture.ts';

const random: Random = { fraction: () => 0, bytes: (count) => new Uint8Array(count).fill(7) };
const place = carrierSecretPlace('c1', 'smpp.password');

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
    const sealed = sealer.seal(text, place);
    expect(sealer.open(sealed, place)).toBe(text);
    if (text !== '') expect(sealed).not.toContain(text);
  });

  it('never seals alike twice', () => {
    expect(sealer.seal('same', place)).not.toBe(sealer.seal('same', place));
  });

  it('refuses another key, and says which key is wanted', () => {
    const sealed = createSealer(keyOf(2)).seal('secret08', place);
    expect(() => sealer.open(sealed, place)).toThrow(SealingRefused);
    expect(() => sealer.open(sealed, place)).toThrow(/another key.*HELIO_SECRET_KEY_FILE/);
  });

  it.each<[string, SealedPlace]>([
    ['another record', carrierSecretPlace('c2', 'smpp.password')],
    ['another field', carrierSecretPlace('c1', 'mm4.password')],
    ['another kind of record', { ...totpPlace('c1') }],
    ['another kind with the same field', { ...webhookHeaderPlace('c1'), field: 'smpp.password' }],
    ['a place that runs together to the same', { ...place, id: 'c1","smpp', field: 'password' as 'header' }],
  ])('opens nothing in %s, and names the record', (_, other) => {
    const sealed = sealer.seal('secret08', place);
    expect(() => sealer.open(sealed, other)).toThrow(
      `The secret ${other.field} of ${other.record} ${other.id} does not open: it was sealed with another key or for another record`,
    );
  });

  it('opens what a version before sealed, whatever its place', () => {
    const sealed = 'hs1.560K3ZK8256eOI4HhfhK8d6jHQ_KgIogaNymY4XTjhgyHjrM';
    expect(sealer.open(sealed, place)).toBe('secret08');
    expect(sealer.open(sealed, totpPlace('u1'))).toBe('secret08');
    expect([isBound(sealed), isBound(sealer.seal('secret08', place))]).toEqual([false, true]);
    expect(() => sealer.open(sealed.replace('hs1.', 'hs2.'), place)).toThrow(SealingRefused);
  });

  it('notices any altered byte', () => {
    const sealed = sealer.seal('abc', place);
    const body = Buffer.from(sealed.slice(4), 'base64url');
    for (let i = 0; i < body.length; i++) {
      const altered = Buffer.from(body);
      altered[i]! ^= 1;
      expect(() => sealer.open(`hs2.${altered.toString('base64url')}`, place), `byte ${i}`).toThrow(SealingRefused);
    }
  });

  it.each([
    '',
    'plain',
    'hs1.',
    'hs1.AAAA',
    'hs2.',
    'hs2.AAAA',
    'hs2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    sealer.seal('a', place).slice(0, -2),
    sealer.seal('a', place).replace('hs2.', 'hs1.'),
    sealer.seal('a', place).replace('hs2.', 'hs3.'),
  ])('refuses what it never wrote: %j', (text) => {
    expect(() => sealer.open(text, place)).toThrow(SealingRefused);
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
