/** A journal compared with the database's note of it: a torn end is a normal crash, all else is damage. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { frameAt, openJournal } from './journal.ts';
import { type JournalNote, lookAtJournal, outOfUse } from './look.ts';

const mib = 1 << 20;
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-look-'));
  path = join(folder, 'store.journal');
});
afterEach(() => rmSync(folder, { recursive: true }));

const texts = ['{"a":"one"}', '{"a":"two"}', '{"a":"three"}', '{"a":"four"}'];
/** The note of generation 4, which holds these texts; generation 3 was longer. */
const note: JournalNote = { done: 3, frames: 0 };

/** The end of each frame, in bytes. */
function written(own: readonly string[] = texts): number[] {
  const journal = openJournal(path, 3);
  for (let count = 0; count < 9; count += 1) journal.append(`{"old":"${count}${'x'.repeat(30)}"}`);
  journal.restart(4);
  const ends = own.map((text) => {
    journal.append(text);
    return journal.bytes();
  });
  journal.close();
  return ends;
}

function change(edit: (bytes: Buffer) => unknown): void {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
}

const flip = (bytes: Buffer, at: number, bit: number) => bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);

const seen = (own = note) => {
  const { fault, pieces, torn } = lookAtJournal(path, own);
  const read = pieces.map((piece) => (piece.kind === 'frame' ? piece.text : [piece.place, piece.frames]));
  return { fault, read, torn };
};
const whole = (read: readonly string[], torn = false) => ({ fault: null, read, torn });

describe('a journal as its node left it', () => {
  it('has its frames, and nothing of the generation before', () => {
    written();
    for (const frames of [null, 0, 1, 4]) expect(seen({ done: 3, frames })).toEqual(whole(texts));
  });

  it('may have no frame yet: in a new file, after a flush, and after wiping', () => {
    const journal = openJournal(path, 4);
    expect(seen()).toEqual(whole([]));
    journal.append(texts[0]!);
    journal.restart(5);
    expect(seen({ done: 4, frames: 0 })).toEqual(whole([]));
    journal.wipe();
    expect(seen({ done: 4, frames: 0 })).toEqual(whole([]));
    journal.append(texts[1]!);
    expect(seen({ done: 4, frames: 1 })).toEqual(whole([texts[1]!]));
    journal.close();
  });

  it('may end within a frame, wherever it was torn and whatever was there before', () => {
    const ends = written();
    const after = readFileSync(path);
    written(texts.slice(0, 3));
    const before = readFileSync(path);
    for (let cut = ends[2]!; cut < ends[3]!; cut += 1) {
      writeFileSync(path, Buffer.concat([after.subarray(0, cut), before.subarray(cut)]));
      expect([cut, seen().fault, seen().read]).toEqual([cut, null, texts.slice(0, 3)]);
      writeFileSync(path, Buffer.concat([after.subarray(0, cut), Buffer.alloc(after.length - cut)]));
      expect([cut, seen().fault, seen().read]).toEqual([cut, null, texts.slice(0, 3)]);
    }
    expect(seen().torn).toBe(true);
  });

  it('may have its first frame torn', () => {
    const journal = openJournal(path, 4);
    const before = readFileSync(path);
    journal.append(texts[0]!);
    const end = journal.bytes();
    journal.close();
    const after = readFileSync(path);
    for (let cut = 0; cut < end; cut += 1) {
      writeFileSync(path, Buffer.concat([after.subarray(0, cut), before.subarray(cut)]));
      expect([cut, seen().fault, seen().read]).toEqual([cut, null, []]);
    }
  });

  it('may be missing or old when it is out of use', () => {
    const own = { done: 4, frames: outOfUse };
    expect(seen(own)).toEqual(whole([]));
    written();
    expect(seen(own)).toEqual(whole([]));
    writeFileSync(path, 'garbage');
    expect(seen(own)).toEqual(whole([]));
  });

  it('of the previous version, without a note, may be missing or of another generation', () => {
    expect(seen({ done: 3, frames: null })).toEqual(whole([]));
    written();
    expect(seen({ done: 4, frames: null })).toEqual(whole([]));
  });
});

describe('one wrong bit', () => {
  it('is found and corrected wherever it is, in any frame', () => {
    const ends = written();
    const sound = readFileSync(path);
    for (let at = 0; at < ends[3]!; at += 1) {
      const damaged = Buffer.from(sound);
      damaged[at]! ^= 1 << (at % 8);
      writeFileSync(path, damaged);
      const { fault, read } = seen();
      const place = ends.findIndex((end) => at < end);
      const kind = place === 3 ? 'wrong bit' : 'broken';
      expect([at, fault]).toMatchObject([at, { kind, place }]);
      expect([at, read]).toEqual([at, texts]);
    }
  });

  it('is no torn end, even with the previous version’s note', () => {
    const ends = written();
    change((bytes) => flip(bytes, ends[3]! - 3, 2));
    expect(seen({ done: 3, frames: null }).fault).toEqual({ kind: 'wrong bit', place: 3 });
  });
});

describe('damage', () => {
  it.each([
    ['zeros', (bytes: Buffer, from: number, to: number) => bytes.fill(0, from, to)],
    ['garbage', (bytes: Buffer, from: number, to: number) => bytes.fill('garbage', from, to)],
    [
      'two wrong bits',
      (bytes: Buffer, from: number) => bytes.writeUInt16LE(bytes.readUInt16LE(from + 24) ^ 0x101, from + 24),
    ],
  ])('in the middle shows by what stands behind it: %s', (_, damage) => {
    const ends = written();
    change((bytes) => damage(bytes, ends[0]!, ends[1]!));
    expect(seen()).toEqual({
      fault: { kind: 'broken', place: 1, frames: 1, behind: 2 },
      read: [texts[0], [1, 1], texts[2], texts[3]],
      torn: false,
    });
  });

  it('of several frames says how many', () => {
    const ends = written();
    change((bytes) => bytes.fill(7, 0, ends[1]!));
    expect(seen()).toMatchObject({ fault: { place: 0, frames: 2, behind: 2 }, read: [[0, 2], texts[2], texts[3]] });
  });

  it('of a journal of the previous version is found too', () => {
    const ends = written();
    change((bytes) => bytes.fill(0, ends[0]!, ends[1]!));
    expect(seen({ done: 3, frames: null }).fault).toMatchObject({ kind: 'broken' });
  });

  it.each([
    ['no file', () => rmSync(path), { kind: 'missing' }],
    ['an empty file', () => truncateSync(path, 0), { kind: 'foreign' }],
    ['zeros', () => change((bytes) => bytes.fill(0)), { kind: 'foreign' }],
    ['garbage', () => change((bytes) => bytes.fill('garbage')), { kind: 'foreign' }],
    [
      'a folder',
      () => {
        rmSync(path);
        mkdirSync(path);
      },
      { kind: 'unreadable', why: 'EISDIR' },
    ],
  ] as const)('is %s in its place', (_, damage, fault) => {
    written();
    damage();
    expect(seen()).toMatchObject({ fault, read: [[0, null]] });
  });

  it('is an older one in its place', () => {
    const old = join(folder, 'old');
    openJournal(old, 2).close();
    copyFileSync(old, path);
    expect(seen().fault).toEqual({ kind: 'older', generation: 1 });
  });

  it('is one that the database has not noted', () => {
    written();
    expect(seen({ done: 1, frames: 0 })).toMatchObject({
      fault: { kind: 'newer', generation: 4 },
      read: [...texts, [4, null]],
    });
    expect(seen({ done: 3, frames: outOfUse }).fault).toEqual({ kind: 'newer', generation: 4 });
  });

  it('is a pipe in its place, which is not opened', () => {
    execFileSync('mkfifo', [path]);
    expect(seen().fault).toEqual({ kind: 'unreadable', why: 'it is no file' });
  });

  it('is an end that is cut off, even between two frames', () => {
    const ends = written();
    for (const end of [0, 1, ...ends, mib - 1]) {
      truncateSync(path, end);
      expect([end, seen().fault?.kind]).toEqual([end, end < 20 ? 'foreign' : 'short']);
      written();
    }
  });

  it('is a missing end that the database has noted', () => {
    const ends = written();
    change((bytes) => bytes.fill(0, ends[1]!));
    expect(seen({ done: 3, frames: 2 })).toEqual(whole(texts.slice(0, 2)));
    expect(seen({ done: 3, frames: 4 })).toEqual({
      fault: { kind: 'short', frames: 2 },
      read: [...texts.slice(0, 2), [2, 2]],
      torn: false,
    });
  });

  it('never yields a frame that was not written', () => {
    const ends = written();
    change((bytes) => bytes.fill(0xff, ends[0]!, ends[0]! + 30));
    expect(frameAt(readFileSync(path), ends[0]!, 4)).toBeNull();
    for (const piece of lookAtJournal(path, note).pieces) {
      if (piece.kind === 'frame') expect(texts).toContain(piece.text);
    }
  });
});
