/** Which evidence is deleted: files that no record names and that no node may be about to name. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../kernel/logger.ts';
import type { MediaFiles } from '../../model/media.ts';
import { createEvidenceKeeping, youngMs } from './evidence-keeping.ts';
import { goodBrand, openRegistrationWorld, type RegistrationWorld } from './registration-fixture.ts';

let world: RegistrationWorld;
beforeEach(async () => {
  world = await openRegistrationWorld();
});
afterEach(() => world.close());

it('goes at start and hourly, sparing what is young and what a record names', async () => {
  const admin = await world.as('Admin');
  const { brandId } = (await admin.call('POST', '/brands', goodBrand)).json.data;
  const headers = { 'content-type': 'application/pdf' };
  await admin.call('POST', `/brands/${brandId}/evidence`, Buffer.from('%PDF-1.7\nletter'), { headers });
  const [named] = [...world.kept.keys()];
  const sweeps: { putBefore: number; kept: string[] }[] = [];
  const files: Pick<MediaFiles, 'sweep'> = {
    sweep: async ({ needed, putBefore }) => {
      sweeps.push({ putBefore, kept: [...(await needed([named!, 'other']))] });
      return 1;
    },
  };
  const timers: { delayMs: number; run: () => void }[] = [];
  const clock = {
    now: () => 10 * youngMs,
    after: (delayMs: number, run: () => void) => {
      timers.push({ delayMs, run });
      return () => {};
    },
  };
  const keeping = createEvidenceKeeping({ clock, logger: silentLogger, store: world.store, files });
  keeping.start();
  timers[0]!.run();
  await keeping.stop();
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([3_600_000, 3_600_000]);
  const expected = { putBefore: 9 * youngMs, kept: [named] };
  expect(sweeps).toEqual([expected, expected]);
});
