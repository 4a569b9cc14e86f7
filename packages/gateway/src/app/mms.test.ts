/**
 * How much of a nearly full disk each of them may still use: requests and uploads, carriers, media of accepted
 * messages.
 */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openGuardedFetch, relaxed } from '../../../guarded-fetch/src/net-fixture.ts';
import { buildDirectory } from '../carriers/directory.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import { phoneJpeg, temporaryFolder } from '../media/media-fixture.ts';
import { noRecords } from '../model/records.ts';
import type { Context } from './context.ts';
import type { EgressPolicy } from './egress-policy.ts';
import { openFileStores } from './file-stores.ts';
import { type MmsPorts, openMediaStorage, openMms } from './mms.ts';
import type { Store } from './store.ts';

const MB = 1024 * 1024;
let free = 0;
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  statfs: async () => ({ bavail: free / 4_096, bsize: 4_096 }),
}));

async function opened() {
  const dataDir = temporaryFolder();
  const context = { clock: machineClock, random: machineRandom, logger: silentLogger } as Partial<Context> as Context;
  const files = await openFileStores(context, { config: { dataDir, databaseUrl: null, mediaBucket: null } });
  const store = { mediaLink: async () => null } as Partial<Store> as Store;
  const egress = { guarded: openGuardedFetch(), policy: () => relaxed } as Partial<EgressPolicy> as EgressPolicy;
  const address = { baseUrl: () => 'https://a' };
  const mediaStorage = openMediaStorage(context, { files, store, egress, address, mediaUrlKey: new Uint8Array(32) });
  onTestFinished(() => mediaStorage.media.close());
  const lanes = { mediaBytesMax: () => 0, up: () => true, nudge: () => {} };
  const directory = { current: () => buildDirectory({ ...noRecords(), version: 1 }) };
  const mms = openMms(context, { files, store, mediaStorage, lanes, directory } as Partial<MmsPorts> as MmsPorts);
  return { mediaStorage, mms };
}

describe('a disk that is nearly full', () => {
  it.each([
    [64 * MB, true, 'kept'],
    [64 * MB - 4_096, false, 'kept'],
    [16 * MB, false, 'kept'],
    [16 * MB - 4_096, false, 'later'],
    [0, false, 'later'],
  ])(
    'with %i bytes left: takes requests and uploads %s, and replies of handsets: %s',
    async (left, hasCapacity, taken) => {
      const { mediaStorage, mms } = await opened();
      free = left;
      expect(await mms.hasCapacity()).toBe(hasCapacity);
      expect((await mediaStorage.media.keep(await phoneJpeg(20, 20), 'image/jpeg')).kind).toBe(taken);
      // Media of accepted messages may use the rest.
      expect((await mediaStorage.media.put(Buffer.from('fitted'))).ok).toBe(true);
    },
  );
});
