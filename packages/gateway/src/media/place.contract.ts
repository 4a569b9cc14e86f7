/**
 * The contract of every place for whole files, run on the folder, on PostgreSQL and on a bucket. `open` is called again
 * after a kill, and in another process: `child` is a module that exports `open(place)`, and `place` is its argument.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FilePlace, filesIn } from './place.ts';

export interface PlaceFactory {
  /** Empty before each test. */
  open(now: () => number): Promise<FilePlace>;
  /** Arguments from which `openAgain` of `place-child-fixture.ts` opens the same place in another process. */
  childArgs(): string[];
  /** Alters or truncates a stored file. */
  damage(hash: string): Promise<void>;
  /** A file is surely deleted this long after its put. */
  keptMs: number;
}

const helloHash = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const start = 1_800_000_000_000;
const none = async () => new Set<string>();
const child = fileURLToPath(new URL('./place-child-fixture.ts', import.meta.url));

export function placeContract(name: string, factory: PlaceFactory): void {
  describe(`files in ${name}`, () => {
    let nowMs = start;
    let place: FilePlace;
    beforeEach(async () => {
      nowMs = start;
      place = await factory.open(() => nowMs);
    });

    async function put(bytes: Uint8Array | string): Promise<string> {
      const result = await place.put(Buffer.from(bytes as string));
      if (!result.ok) throw new Error(result.why);
      return result.hash;
    }
    const text = async (hash: string) => (await place.read(hash))?.toString() ?? null;
    const sweep = (needed = none) => filesIn(place).sweep({ needed, putBefore: nowMs + 1 });
    /** Waits long enough for every place. */
    const wait = () => {
      nowMs += factory.keptMs;
    };

    it('are named by what they hold, and the same bytes are one file', async () => {
      expect([await put('hello'), await put('hello')]).toEqual([helloHash, helloHash]);
      expect(await text(helloHash)).toBe('hello');
      wait();
      expect(await sweep()).toBe(1);
    });

    it.each([0, 1, 262_143, 262_144, 262_145, 5_000_000])('come back byte for byte: %i bytes', async (length) => {
      const bytes = Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 31) ^ (i >> 8)));
      expect((await place.read(await put(bytes)))?.equals(bytes)).toBe(true);
    });

    it('are taken from many at once', async () => {
      const puts = [...Array.from({ length: 12 }, () => put('hello')), ...['a', 'b', 'c'].map((one) => put(one))];
      const hashes = await Promise.all(puts);
      expect(new Set(hashes).size).toBe(4);
      for (const hash of hashes) expect(await text(hash)).not.toBeNull();
    });

    it('are not read when they are missing or altered, or when the name is no hash', async () => {
      const hash = await put('hello');
      for (const other of ['ab'.repeat(32), '', '../secret.key', hash.toUpperCase(), `${hash}\n`])
        expect(await text(other)).toBeNull();
      await factory.damage(hash);
      expect(await text(hash)).toBeNull();
    });

    it('are whole again when the same bytes come again', async () => {
      const hash = await put('hello');
      await factory.damage(hash);
      await put('hello');
      expect(await text(hash)).toBe('hello');
    });

    it('go when nobody needs them, and stay while somebody does', async () => {
      const [needed, old] = [await put('needed'), await put('old')];
      wait();
      const young = await put('young');
      const deleted = await filesIn(place).sweep({ putBefore: nowMs, needed: async () => new Set([needed]) });
      expect(deleted).toBe(1);
      expect([await text(needed), await text(old), await text(young)]).toEqual(['needed', null, 'young']);
    });

    it("stay, whole, when they are put again during the sweep's query", async () => {
      const hash = await put('again');
      wait();
      const needed = async () => {
        await put('again');
        return new Set<string>();
      };
      await filesIn(place).sweep({ putBefore: nowMs - 30_000, needed });
      expect(await text(hash)).toBe('again');
    });

    it('stay, whole, when they are put again while they are being deleted', async () => {
      for (let i = 0; i < 5; i += 1) {
        const bytes = Buffer.alloc(600_000, `${i}`);
        const hash = await put(bytes);
        wait();
        const [again] = await Promise.all([put(bytes), place.remove([hash], nowMs - 30_000)]);
        expect((await place.read(again))?.equals(bytes)).toBe(true);
      }
    });

    it('are swept in several batches, and stay when nobody can say what is needed', async () => {
      const hashes = [];
      for (let i = 0; i < 60; i += 1) hashes.push(await put(`file ${i}`));
      wait();
      await expect(sweep(() => Promise.reject(new Error('store')))).rejects.toThrow('store');
      const twice = await Promise.all([sweep(), sweep()]);
      expect(twice[0]! + twice[1]!).toBeGreaterThanOrEqual(60);
      for (const hash of hashes) expect(await text(hash)).toBeNull();
    });

    it.each([1, 4])(
      'after kill -9: every confirmed file whole, no half one; what no row names is swept (%i)',
      async (after) => {
        const confirmed = await killedAfter(after, factory.childArgs());
        expect(confirmed.length).toBeGreaterThanOrEqual(after);
        // The killed process used the machine's clock.
        nowMs = Date.now();
        for (const hash of confirmed) expect((await place.read(hash))?.length).toBe(600_000);
        wait();
        const seen = new Set<string>();
        for await (const batch of place.list()) {
          for (const hash of batch) {
            seen.add(hash);
            expect((await place.read(hash))?.length, 'no file is half there').toBe(600_000);
          }
        }
        for (const hash of confirmed) expect(seen.has(hash)).toBe(true);
        // As if only the first row had been committed.
        await sweep(async () => new Set([confirmed[0]!]));
        expect((await place.read(confirmed[0]!))?.length).toBe(600_000);
        for (const hash of confirmed.slice(1)) expect(await place.read(hash)).toBeNull();
      },
    );
  });
}

/** The hashes that a process confirmed before it was killed during its puts. */
async function killedAfter(count: number, args: string[]): Promise<string[]> {
  const putter = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  putter.stdout.on('data', (chunk) => {
    out += chunk;
    if (out.split('\n').length > count) putter.kill('SIGKILL');
  });
  await once(putter, 'close');
  return out.split('\n').slice(0, -1);
}
