/**
 * The corpus of hostile media: code makes every file, names it for its fault, and says which results are allowed. The
 * files are harmless unless opened. The families are in `hostile-*-fixture.ts`.
 */
import { dice } from '../../../../test/props/chance.ts';
import { gifFiles } from './hostile-gif-fixture.ts';
import { jpegFiles } from './hostile-jpeg-fixture.ts';
import { pngFiles } from './hostile-png-fixture.ts';
import { disguises, wrongTypes } from './hostile-types-fixture.ts';
import { webpFiles } from './hostile-webp-fixture.ts';
import { canary, type HostileFile, wholeFiles } from './hostile-whole-fixture.ts';

export async function hostileCorpus(): Promise<HostileFile[]> {
  const whole = await wholeFiles();
  const wrong = await wrongTypes();
  return [
    ...wrong.map(([name, bytes]): HostileFile => ({ name, bytes, may: 'be refused' })),
    ...disguises(wrong),
    ...[...whole].flatMap(([name, bytes]) => [...cut(name, bytes), ...damaged(name, bytes), ...followed(name, bytes)]),
    ...(await jpegFiles()),
    ...(await pngFiles()),
    ...(await gifFiles()),
    ...(await webpFiles()),
  ];
}

/** Truncated copies. They may pass as the type that they claim: a truncated file can still be valid. */
function cut(name: string, bytes: Buffer): HostileFile[] {
  const lengths = [1, 4, 12, 0.25, 0.5, 0.75, 0.95, 0.999].map((n) => (n < 1 ? Math.floor(bytes.length * n) : n));
  return [...lengths, bytes.length - 1].map((length) => ({
    name: `${name} cut to ${length} of ${bytes.length} bytes`,
    bytes: bytes.subarray(0, length),
    may: 'be anything safe',
  }));
}

/** Bytes changed at random, the same in each run. */
function damaged(name: string, bytes: Buffer): HostileFile[] {
  const chance = dice(bytes.length);
  return Array.from({ length: 12 }, (_, round) => {
    const copy = Buffer.from(bytes);
    const range = round % 2 === 0 ? Math.min(128, copy.length) : copy.length;
    for (let i = 0; i <= round; i++) copy[Math.floor(chance() * range)] = Math.floor(chance() * 256);
    return { name: `${name} with ${round + 1} wrong bytes`, bytes: copy, may: 'be anything safe' };
  });
}

/** A whole file with another one after its end. */
function followed(name: string, bytes: Buffer): HostileFile[] {
  const zip = Buffer.concat([
    Buffer.from('PK\x03\x04', 'latin1'),
    Buffer.alloc(26),
    Buffer.from('PK\x05\x06', 'latin1'),
    Buffer.alloc(18),
  ]);
  const tails: [string, Buffer][] = [
    ['HTML', Buffer.from(`<!doctype html><html><body>${canary}</body></html>`)],
    ['a ZIP', Buffer.concat([Buffer.from(canary), zip])],
    ['a PDF', Buffer.from(`%PDF-1.7\n${canary}\n%%EOF`)],
    ['PHP', Buffer.from(`<?php system($_GET['c']); /* ${canary} */ ?>`)],
    ['itself', bytes],
  ];
  return tails.map(([what, tail]) => ({
    name: `${name} with ${what} behind it`,
    bytes: Buffer.concat([bytes, tail]),
    may: 'be anything safe',
  }));
}
