import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPageFiles } from './page-files.ts';

let folder: string;
const asset = (name: string) => join(folder, 'assets', name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helio-pages-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), 'old');
  writeFileSync(asset('a-AAAAAAAA.js'), 'a');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A disk on which `before` happens ahead of every read. */
function disk(before: (place: string) => void) {
  const waits: number[] = [];
  const read = (place: string) => {
    before(place);
    return readFileSync(place);
  };
  return { waits, read, wait: (ms: number) => void waits.push(ms) };
}

describe('the pages on the disk', () => {
  it('are none where nothing was built', () => {
    expect(readPageFiles(join(folder, 'nowhere'))).toBeNull();
  });

  it('are read whole when a build puts others in their place meanwhile', () => {
    let built = false;
    const changing = disk((place) => {
      if (built || !place.endsWith('a-AAAAAAAA.js')) return;
      built = true;
      rmSync(place);
      writeFileSync(asset('b-BBBBBBBB.js'), 'b');
      writeFileSync(join(folder, 'index.html'), 'new');
    });
    const pages = readPageFiles(folder, changing);
    expect([pages?.index, [...(pages?.files.keys() ?? [])]]).toEqual(['new', ['/assets/b-BBBBBBBB.js']]);
    expect(changing.waits).toHaveLength(1);
  });

  it('are given up on after a few reads, and what is missing is named', () => {
    let round = 0;
    const never = disk((place) => {
      if (!place.includes('assets')) return;
      rmSync(place);
      writeFileSync(asset(`c-${String(++round).padStart(8, 'C')}.js`), 'c');
    });
    expect(() => readPageFiles(folder, never)).toThrow(/c-CCCCCCC4\.js is not there any more\. Start again/);
    expect(never.waits).toHaveLength(4);
  });

  it('are held as the build packed them, and only so', () => {
    writeFileSync(`${asset('a-AAAAAAAA.js')}.br`, brotliCompressSync('a'));
    const places: string[] = [];
    const pages = readPageFiles(
      folder,
      disk((place) => places.push(place)),
    );
    const file = pages?.files.get('/assets/a-AAAAAAAA.js');
    expect([file?.bytes().toString(), file?.brotli]).toEqual(['a', brotliCompressSync('a')]);
    expect(places).toEqual([join(folder, 'index.html'), `${asset('a-AAAAAAAA.js')}.br`]);
  });

  it('that cannot be read for another reason are reported at once', () => {
    const broken = disk(() => {
      throw Object.assign(new Error('no'), { code: 'EACCES' });
    });
    expect(() => readPageFiles(folder, broken)).toThrow('no');
    expect(broken.waits).toEqual([]);
  });
});
