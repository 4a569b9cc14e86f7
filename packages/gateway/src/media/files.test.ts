import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { machineRandom } from '../kernel/machine.ts';
import { openMediaFiles } from './files.ts';
import { temporaryFolder } from './media-fixture.ts';

let syncs = 0;
let refuseWith: string | null = null;
/** A disk that can be full: `refuseWith` is the error code when a file is written or synced. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const open: typeof real.open = async (path, flags, mode) => {
    const file = await real.open(path, flags, mode);
    const sync = file.sync.bind(file);
    file.sync = async () => {
      syncs += 1;
      if (refuseWith !== null && flags === 'wx') throw Object.assign(new Error(refuseWith), { code: refuseWith });
      return sync();
    };
    return file;
  };
  return { ...real, open };
});

let nowMs = 1_800_000_000_000;
async function opened(dataDir = temporaryFolder()) {
  const files = await openMediaFiles({ dataDir, random: machineRandom, now: () => nowMs });
  const put = async (text: string) => {
    const result = await files.put(Buffer.from(text));
    if (!result.ok) throw new Error(result.why);
    return result.hash;
  };
  const text = async (hash: string) => (await files.read(hash))?.toString() ?? null;
  return { files, dataDir, put, text };
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const helloHash = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

describe('put and read', () => {
  it('names a file by what it holds, once, for this user only', async () => {
    const { dataDir, put, text } = await opened();
    expect([await put('hello'), await put('hello')]).toEqual([helloHash, helloHash]);
    expect(await text(helloHash)).toBe('hello');
    const path = join(dataDir, 'media', '2c', helloHash.slice(2));
    expect(filesBelow(dataDir)).toEqual([path]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'media', '2c')).mode & 0o777).toBe(0o700);
  });

  it('has file and folder on disk before it says so, also the second time', async () => {
    const { put } = await opened();
    syncs = 0;
    await put('once');
    expect(syncs).toBe(3);
    await put('once');
    expect(syncs).toBe(4);
  });

  it('takes the same bytes from many at once', async () => {
    const { dataDir, put } = await opened();
    const hashes = await Promise.all(Array.from({ length: 20 }, () => put('hello')));
    expect(new Set(hashes)).toEqual(new Set([helloHash]));
    expect(filesBelow(dataDir)).toHaveLength(1);
  });

  it.each([
    ['was cut', (path: string) => truncateSync(path, 3)],
    ['is empty', (path: string) => truncateSync(path, 0)],
    ['has another byte', (path: string) => writeFileSync(path, 'hellO')],
    ['is too long', (path: string) => writeFileSync(path, 'hello ')],
  ])('heals a file that %s when the same bytes come again, and does not keep it before', async (_, damage) => {
    const { files, dataDir, put, text } = await opened();
    const path = join(dataDir, 'media', '2c', helloHash.slice(2));
    await put('hello');
    damage(path);
    const damaged = readFileSync(path, 'utf8');
    const { mtimeMs } = statSync(path);
    expect(await text(helloHash)).toBeNull();
    // A file that cannot be rewritten keeps its old time.
    refuseWith = 'ENOSPC';
    expect(await files.put(Buffer.from('hello'))).toEqual({ ok: false, why: 'disk-full' });
    refuseWith = null;
    expect([readFileSync(path, 'utf8'), statSync(path).mtimeMs]).toEqual([damaged, mtimeMs]);
    expect(await put('hello')).toBe(helloHash);
    expect(await text(helloHash)).toBe('hello');
    expect(filesBelow(dataDir)).toEqual([path]);
  });

  it('reads neither what is missing, nor what was altered, nor what is no hash', async () => {
    const { dataDir, put, text } = await opened();
    writeFileSync(join(dataDir, 'secret.key'), 'secret');
    const hash = await put('hello');
    writeFileSync(join(dataDir, 'media', hash.slice(0, 2), hash.slice(2)), 'hellO');
    const names = [
      'ab'.repeat(32),
      hash,
      '../secret.key',
      `..${'/../x'.repeat(13)}`.slice(0, 64),
      '',
      hash.toUpperCase(),
    ];
    for (const name of [...names, `${hash}\n`, `${hash}/../../secret.key`]) expect(await text(name)).toBeNull();
  });
});

describe('a full disk', () => {
  it.each(['ENOSPC', 'EDQUOT'])('is a value and leaves nothing (%s)', async (code) => {
    const { files, dataDir, put } = await opened();
    refuseWith = code;
    expect(await files.put(Buffer.from('hello'))).toEqual({ ok: false, why: 'disk-full' });
    refuseWith = null;
    expect(filesBelow(dataDir)).toEqual([]);
    expect(await put('hello')).toBe(helloHash);
  });

  it('a broken one is an exception and leaves nothing, too', async () => {
    const { files, dataDir } = await opened();
    refuseWith = 'EIO';
    await expect(files.put(Buffer.from('hello'))).rejects.toThrow('EIO');
    refuseWith = null;
    expect(filesBelow(dataDir)).toEqual([]);
  });
});

describe('sweep', () => {
  const none = async () => new Set<string>();

  it('deletes what nobody needs and leaves what is needed or young', async () => {
    const { files, put, text } = await opened();
    const [needed, old] = [await put('needed'), await put('old')];
    nowMs += 60_000;
    const young = await put('young');
    const looked: string[] = [];
    const swept = await files.sweep({
      putBefore: nowMs - 30_000,
      needed: async (hashes) => {
        looked.push(...hashes);
        return new Set([needed]);
      },
    });
    expect(swept).toBe(1);
    expect(looked.sort()).toEqual([needed, old, young].sort());
    expect([await text(needed), await text(old), await text(young)]).toEqual(['needed', null, 'young']);
  });

  it('leaves files that were put again during the query', async () => {
    const { files, put, text } = await opened();
    const hash = await put('again');
    nowMs += 60_000;
    const needed = async () => {
      await put('again');
      return new Set<string>();
    };
    expect(await files.sweep({ putBefore: nowMs - 30_000, needed })).toBe(0);
    expect(await text(hash)).toBe('again');
  });

  it('and another at the same time do not mind each other', async () => {
    const { files, put } = await opened();
    for (let i = 0; i < 20; i++) await put(`file ${i}`);
    const sweep = { putBefore: nowMs + 1, needed: none };
    const swept = await Promise.all([files.sweep(sweep), files.sweep(sweep)]);
    expect(swept[0]! + swept[1]!).toBe(20);
  });

  it('touches no stranger', async () => {
    const { files, dataDir, put } = await opened();
    await put('hello');
    writeFileSync(join(dataDir, 'media', 'notes.txt'), 'x');
    writeFileSync(join(dataDir, 'media', '2c', 'notes.txt'), 'x');
    expect(await files.sweep({ putBefore: nowMs + 1, needed: none })).toBe(1);
    expect(filesBelow(dataDir).map((path) => path.slice(dataDir.length + 7))).toEqual(['notes.txt', '2c/notes.txt']);
  });

  it('keeps everything when it cannot ask', async () => {
    const { files, put, text } = await opened();
    const hash = await put('hello');
    const failing = () => Promise.reject(new Error('store'));
    await expect(files.sweep({ putBefore: nowMs + 1, needed: failing })).rejects.toThrow('store');
    expect(await text(hash)).toBe('hello');
  });
});

/** Puts one file after the other and prints which are done. */
const putter = `
  import { openMediaFiles } from ${JSON.stringify(fileURLToPath(new URL('./files.ts', import.meta.url)))};
  import { randomFillSync } from 'node:crypto';
  const random = { fraction: () => 0, bytes: (n) => randomFillSync(new Uint8Array(n)) };
  const files = await openMediaFiles({ dataDir: process.argv[1], random, now: () => 1e12 });
  for (let i = 0; i < 1e5; i++) {
    const put = await files.put(Buffer.alloc(300_000, 'n' + i + ' '));
    process.stdout.write(put.hash + '\\n');
  }`;

describe('kill -9', () => {
  it('leaves nothing half written once the store is opened again', async () => {
    const { dataDir, put } = await opened();
    await put('hello');
    writeFileSync(join(dataDir, 'media', 'unfinished', 'half'), 'x');
    expect(await (await opened(dataDir)).text(helloHash)).toBe('hello');
    expect(filesBelow(dataDir)).toHaveLength(1);
  });

  it.each([1, 4, 9])('leaves no half file, and every file that was confirmed (after %i)', async (confirmedMin) => {
    const { dataDir, files } = await opened();
    const child = spawn(process.execPath, ['--input-type=module', '-e', putter, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.split('\n').length > confirmedMin) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const confirmed = out.split('\n').slice(0, -1);
    expect(confirmed.length).toBeGreaterThanOrEqual(confirmedMin);
    for (const hash of confirmed) expect(await files.read(hash)).not.toBeNull();
    for (const folder of readdirSync(join(dataDir, 'media')).filter((name) => name.length === 2)) {
      for (const name of readdirSync(join(dataDir, 'media', folder))) {
        expect(await files.read(folder + name), `${folder}${name} is whole`).not.toBeNull();
      }
    }
    await opened(dataDir);
    expect(readdirSync(join(dataDir, 'media', 'unfinished'))).toEqual([]);
    expect(existsSync(join(dataDir, 'media', confirmed[0]!.slice(0, 2)))).toBe(true);
    expect(readFileSync(join(dataDir, 'media', confirmed[0]!.slice(0, 2), confirmed[0]!.slice(2))).length).toBe(
      300_000,
    );
  });
});
