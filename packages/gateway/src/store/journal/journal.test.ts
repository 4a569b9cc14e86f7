/** The journal file: appended frames are read back; incomplete frames and those of another generation are not. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreBroken } from '../faults.ts';
import { StoreDamaged } from '../store-damaged.ts';
import { openJournal, readJournal } from './journal.ts';

const headBytes = 20;
const mib = 1 << 20;
const full = '/dev/full';
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-journal-'));
  path = join(folder, 'store.journal');
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (generation: number, file = path) => [...readJournal(file, generation)];

/** A file of these frames and nothing behind them. */
function written(texts: readonly string[], generation = 1): Buffer {
  const journal = openJournal(path, generation);
  for (const text of texts) journal.append(text);
  const bytes = readFileSync(path).subarray(0, journal.bytes());
  journal.close();
  return bytes;
}

/** The texts that these bytes contain. */
function readOf(bytes: Uint8Array, generation = 1): string[] {
  const file = join(folder, 'damaged');
  writeFileSync(file, bytes);
  return read(generation, file);
}

describe('an appended frame', () => {
  it('comes back in its order, whatever characters it has', () => {
    const texts = ['', 'Hello', 'Grüße 😀 "quoted" \\ {x}', '\u0000\n\r\u2028', ' ', '', '{"a":[]}'];
    written(texts);
    expect(read(1)).toEqual(texts);
  });

  it('may fill all the space there is, counted in bytes of UTF-8', () => {
    const journal = openJournal(path, 1);
    expect(journal.freeBytes()).toBe(mib - headBytes);
    const texts = [
      'x'.repeat(journal.freeBytes()),
      'é'.repeat(journal.freeBytes() / 2),
      '😀'.repeat(journal.freeBytes() / 4),
    ];
    for (const text of texts) journal.append(text);
    expect(journal.bytes()).toBe(texts.length * mib);
    expect(journal.freeBytes()).toBe(mib - headBytes);
    journal.close();
    expect(read(1).map((text, index) => text === texts[index])).toEqual([true, true, true]);
  });

  it('always has allocated space ahead of it, so that a sync need not change the file size', () => {
    const journal = openJournal(path, 1);
    const texts: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      expect(statSync(path).size).toBeGreaterThanOrEqual(journal.bytes() + mib);
      texts.push(String(count).repeat(700_000));
      journal.append(texts[count]!);
    }
    const grown = statSync(path).size;
    journal.restart(2);
    for (const text of texts) journal.append(text);
    expect(statSync(path).size).toBe(grown);
    journal.close();
    expect(read(2).map((text) => text.slice(0, 2))).toEqual(['00', '11', '22', '33', '44']);
  });

  it('is readable by its owner alone', () => {
    written(['a']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('cannot exist without its folder', () => {
    expect(() => openJournal(join(folder, 'missing', 'store.journal'), 1)).toThrow(StoreDamaged);
  });

  it('survives closing, after which nothing more is accepted', () => {
    const journal = openJournal(path, 1);
    journal.append('a');
    journal.close();
    expect(() => journal.append('b')).toThrow(StoreBroken);
    expect(read(1)).toEqual(['a']);
  });
});

describe('an incomplete frame', () => {
  it.each(['', 'last 😀'])('ends the reading before it, wherever it was cut (%j)', (last) => {
    const bytes = written(['one', 'two', last]);
    const begin = written(['one', 'two']).length;
    for (let end = begin; end < bytes.length; end += 1) {
      const cut = bytes.subarray(0, end);
      expect([end, readOf(cut)]).toEqual([end, ['one', 'two']]);
      // The file is allocated ahead, so zeros usually follow a torn frame; a frame that lacks only zeros is whole.
      const padded = Buffer.concat([cut, Buffer.alloc(100)]);
      if (!padded.subarray(0, bytes.length).equals(bytes)) expect([end, readOf(padded)]).toEqual([end, ['one', 'two']]);
    }
    expect(readOf(bytes)).toEqual(['one', 'two', last]);
  });

  it.each([0x01, 0x80, 0xff])('ends the reading before it, whichever of its bytes is wrong (by %i)', (mask) => {
    const bytes = written(['one', 'two', 'last 😀']);
    const begin = written(['one', 'two']).length;
    for (let at = begin; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= mask;
      expect([at, readOf(damaged)]).toEqual([at, ['one', 'two']]);
    }
  });

  it('hides whole ones behind it', () => {
    const bytes = written(['one', 'two', 'three']);
    bytes[headBytes + 3 + headBytes]! ^= 1;
    expect(readOf(bytes)).toEqual(['one']);
  });

  it('is one at the place of another', () => {
    const bytes = written(['same', 'size', 'more']);
    const frame = headBytes + 4;
    bytes.copy(bytes, frame, 0, frame);
    expect(readOf(bytes)).toEqual(['same']);
  });
});

describe('another generation', () => {
  it('is ignored', () => {
    const bytes = written(['one', 'two'], 7);
    for (const generation of [0, 6, 8, 7 + 2 ** 31])
      expect([generation, readOf(bytes, generation)]).toEqual([generation, []]);
    expect(readOf(bytes, 7)).toEqual(['one', 'two']);
  });

  it.each([
    ['as long as', 'newe'],
    ['shorter than', 'n'],
    ['longer than', 'newer ones'],
  ])('is not read behind a newer one whose frame is %s its own', (_, text) => {
    const journal = openJournal(path, 1);
    for (const old of ['old1', 'old2', 'old3']) journal.append(old);
    journal.restart(2);
    expect(journal.bytes()).toBe(0);
    expect(read(2)).toEqual([]);
    journal.append(text);
    expect(journal.bytes()).toBe(headBytes + text.length);
    expect(read(2)).toEqual([text]);
    expect(read(1)).toEqual([]);
    journal.close();
  });

  it('is overwritten from the beginning by the next node that opens the file', () => {
    written(['old1', 'old2', 'old3']);
    const journal = openJournal(path, 2);
    expect(journal.bytes()).toBe(0);
    expect(read(2)).toEqual([]);
    journal.append('new1');
    journal.append('new2');
    journal.close();
    expect([read(1), read(2)]).toEqual([[], ['new1', 'new2']]);
  });
});

describe('wiping and removing', () => {
  const found = (text: string) => readFileSync(path).includes(text);

  it('leaves nothing of earlier generations in the file, which goes on as before', () => {
    const journal = openJournal(path, 1);
    for (let count = 0; count < 3; count += 1) journal.append(`secret${count} ${'x'.repeat(700_000)}`);
    journal.restart(2);
    journal.append('secret9');
    journal.restart(3);
    expect(found('secret')).toBe(true);
    journal.wipe();
    // Except for the empty frame that identifies the journal.
    expect(readFileSync(path).every((byte, at) => byte === 0 || at < headBytes)).toBe(true);
    journal.append('new');
    expect(read(3)).toEqual(['new']);
    journal.restart(4);
    journal.wipe();
    expect(found('new')).toBe(false);
    journal.close();
  });

  it('leaves the frames of this one', () => {
    const journal = openJournal(path, 1);
    for (let count = 0; count < 3; count += 1) journal.append(`secret${count} ${'x'.repeat(700_000)}`);
    journal.restart(2);
    journal.append('kept');
    journal.wipe();
    journal.append('more');
    journal.close();
    expect([read(2), found('secret')]).toEqual([['kept', 'more'], false]);
  });

  it('also wipes the frames of an earlier process', () => {
    written(['secret', 'secret']);
    const journal = openJournal(path, 2);
    journal.wipe();
    expect(found('secret')).toBe(false);
    journal.close();
  });

  it('that fails breaks the store', () => {
    const journal = openJournal(path, 1);
    journal.close();
    expect(() => journal.wipe()).toThrow(StoreBroken);
  });

  it('removes the file', () => {
    const journal = openJournal(path, 1);
    journal.append('a');
    journal.remove();
    expect(existsSync(path)).toBe(false);
    expect(read(1)).toEqual([]);
  });
});

describe('a file that is no journal', () => {
  it('reads as empty when it is missing', () => {
    expect(read(1)).toEqual([]);
  });

  it.each([0, 1, 4, headBytes - 1, headBytes, headBytes + 1, 5_000])(
    'reads as empty with %i bytes of garbage',
    (length) => {
      const garbage = Buffer.from(Array.from({ length }, (_, index) => (index * 89 + 7) & 0xff));
      expect(readOf(garbage)).toEqual([]);
      expect(readOf(Buffer.alloc(length))).toEqual([]);
      expect(readOf(Buffer.alloc(length, 0xff))).toEqual([]);
      writeFileSync(path, garbage);
      written(['fine']);
      expect(read(1)).toEqual(['fine']);
    },
  );
});

describe.runIf(existsSync(full))('a full disk', () => {
  it('has no room, and writing all the same breaks the store', () => {
    const journal = openJournal(full, 1);
    expect(journal.freeBytes()).toBe(0);
    expect(() => journal.append('a')).toThrow(StoreBroken);
    journal.close();
  });
});
