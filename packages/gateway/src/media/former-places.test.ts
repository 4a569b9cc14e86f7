/** Files at the place of an earlier version: read there, moved one by one, and at no moment in neither place. */
import { describe, expect, it } from 'vitest';
import { movedClock, until } from '../../../../test/props/clock.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineRandom } from '../kernel/machine.ts';
import { openMediaFiles } from './files.ts';
import { createFileMove, withFormer } from './former-places.ts';
import { temporaryFolder } from './media-fixture.ts';
import type { FilePlace } from './place.ts';

const opened = () => openMediaFiles({ dataDir: temporaryFolder(), random: machineRandom, now: () => 1_000_000 });

async function filled() {
  const [from, to, clock] = [await opened(), await opened(), movedClock()];
  const hashes = [];
  for (const text of ['one', 'two', 'three']) {
    const put = await from.put(Buffer.from(text));
    if (!put.ok) throw new Error(put.why);
    hashes.push(put.hash);
  }
  const logged: string[] = [];
  const note = (_: object, text?: string) => void logged.push(text ?? '');
  const logger = { ...silentLogger, info: note, warn: note };
  const move = (into: FilePlace, out: FilePlace = from) =>
    createFileMove({ clock, logger, moves: [{ what: 'media', from: out, to: into }] });
  return { from, to, clock, hashes, logged, move };
}

async function hashesIn(place: FilePlace): Promise<string[]> {
  const found = [];
  for await (const batch of place.list()) found.push(...batch);
  return found;
}

describe('files elsewhere', () => {
  it('are read where they are, and where they went between two looks', async () => {
    const { from, to, hashes } = await filled();
    expect((await withFormer(to, [from]).read(hashes[0]!))?.toString()).toBe('one');
    // Moves the file between the look at the new place and the look at the old one.
    const moving: FilePlace = {
      ...from,
      read: async () => {
        await to.put(Buffer.from('one'));
        return null;
      },
    };
    expect((await withFormer(to, [moving]).read(hashes[0]!))?.toString()).toBe('one');
  });

  it('are swept in both places', async () => {
    const { from, to, hashes } = await filled();
    await to.put(Buffer.from('four'));
    const both = withFormer(to, [from]);
    expect(await hashesIn(both)).toHaveLength(4);
    expect(await both.remove(hashes, 2_000_000)).toBe(3);
    expect(await hashesIn(both)).toHaveLength(1);
  });

  it('are moved, and the begin and the end are logged', async () => {
    const { from, to, hashes, logged, move } = await filled();
    move(to).start();
    await until(() => logged.length === 2);
    expect(logged).toEqual(['files are being moved to where they are kept now', 'all files are moved']);
    expect(await hashesIn(from)).toEqual([]);
    expect((await hashesIn(to)).sort()).toEqual([...hashes].sort());
  });

  it('are each in one place at least when a move is stopped or fails at any step, and the next goes on', async () => {
    const { from, to, clock, hashes, logged, move } = await filled();
    let puts = 0;
    const failing: FilePlace = {
      ...to,
      put: async (bytes) => (++puts === 2 ? { ok: false, why: 'busy' } : to.put(bytes)),
    };
    const first = move(failing);
    first.start();
    await until(() => clock.timers() === 1);
    const [there, here] = [await hashesIn(from), await hashesIn(to)];
    expect([there.length, here.length]).toEqual([2, 1]);
    expect([...there, ...here].sort()).toEqual([...hashes].sort());
    await first.stop();
    expect(clock.timers()).toBe(0);
    const second = move(to);
    second.start();
    await until(() => logged.at(-1) === 'all files are moved');
    expect((await hashesIn(to)).sort()).toEqual([...hashes].sort());
  });
});
