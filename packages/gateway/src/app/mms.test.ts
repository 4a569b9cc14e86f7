/** How much of a disk that is nearly full each may still use: requests and uploads, carriers, media of accepted messages. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { door, relaxed } from '../../../guarded-fetch/src/net-fixture.ts';
import { defaultLimits } from '../domain/limits.ts';
import { silentLogger } from '../domain/logger.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import { phoneJpeg, temporaryFolder } from '../media/media-fixture.ts';
import type { Store } from '../store/store.ts';
import { type MmsParts, openMediaRoom, openMms } from './mms.ts';
import type { Outside } from './outside.ts';

const MB = 1024 * 1024;
let free = 0;
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  statfs: async () => ({ bavail: free / 4_096, bsize: 4_096 }),
}));

async function opened() {
  const dataDir = temporaryFolder();
  const common = { dataDir, clock: machineClock, random: machineRandom, logger: silentLogger };
  const store = { mediaLink: async () => null } as Partial<Store> as Store;
  const outside = { guarded: door(), policy: () => relaxed } as Partial<Outside> as Outside;
  const room = await openMediaRoom({ ...common, store, outside, key: new Uint8Array(32), baseUrl: () => 'https://a' });
  onTestFinished(() => room.media.close());
  const lanes = { mediaBytesMax: () => 0, up: () => true, nudge: () => {} };
  const mms = openMms({ ...common, limits: defaultLimits, store, room, lanes } as Partial<MmsParts> as MmsParts);
  return { room, mms };
}

describe('a disk that is nearly full', () => {
  it.each([
    [64 * MB, true, 'kept'],
    [64 * MB - 4_096, false, 'kept'],
    [16 * MB, false, 'kept'],
    [16 * MB - 4_096, false, 'later'],
    [0, false, 'later'],
  ])('with %i bytes left: takes requests and uploads %s, and replies of handsets: %s', async (left, hasRoom, taken) => {
    const { room, mms } = await opened();
    free = left;
    expect(await mms.hasRoom()).toBe(hasRoom);
    expect((await room.media.keep(await phoneJpeg(20, 20), 'image/jpeg')).kind).toBe(taken);
    // What is accepted already may have the rest.
    expect((await room.media.put(Buffer.from('fitted'))).ok).toBe(true);
  });
});
