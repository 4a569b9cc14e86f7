/**
 * Limits over real stores, on both engines: a day's count is exact regardless of how the earlier process ended, and
 * messages that wait for a limit are sent at once when it is lifted. Only the log has the count, so closing the store
 * is like killing the process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../../test/postgres.ts';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { openStore } from '../../app/open-store.ts';
import type { Store } from '../../app/store.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Records } from '../../model/records.ts';
import { emptyRegistration, type Pacing } from '../../model/registration.ts';
import { directoryOf, records } from '../../model/world-fixture.ts';
import { acceptItem, hour } from '../../store/contract/fixture.ts';
import { createSettler } from '../send-queue/settle.ts';
import { createPace, type Pace } from './pace.ts';

const own = '12025550199';
const cap = (segmentsPerDay: number | null): Pacing => ({
  segmentsPerMinute: null,
  mmsPerMinute: null,
  segmentsPerDay,
});

function limited(pacing: Pacing | undefined): Partial<Records> {
  const [campaign] = records().campaigns;
  return { campaigns: [{ ...campaign!, pacing, registration: { ...emptyRegistration(), brandId: 'brd_1' } }] };
}

let server: TestPostgres;
const dataDir = mkdtempSync(join(tmpdir(), 'heliograph-pace-'));
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  await server?.remove();
});

describe.each(['SQLite', 'PostgreSQL'] as const)('limits on %s', (engine) => {
  it('are exact after a death, count what went before they were there, and let go at once', async () => {
    const clock = settlingClock();
    const databaseUrl = engine === 'SQLite' ? undefined : await server.createSchema(await server.createDatabase());
    const open = (): Promise<Store> => openStore({ databaseUrl, dataDir, role: 'node', clock });
    let store = await open();
    let directory = directoryOf(limited(undefined));

    function paceOn(): Pace {
      const broken = (error: unknown): void => {
        throw error;
      };
      const parts = { clock, store, logger: silentLogger, directory: () => directory, broken, warn: () => {} };
      const pace = createPace(parts);
      pace.follow();
      return pace;
    }
    /** Accepts and claims, asks the pace, and settles like the lane: sent, or returned to the queue. */
    async function send(pace: Pace, count: number, die = false): Promise<number> {
      for (let n = 0; n < count; n++)
        await store.accept([
          acceptItem(clock.now(), { from: own, lane: 'a', segments: 2, expiresAt: clock.now() + 24 * hour }),
        ]);
      return await dispatch(pace, die);
    }
    async function dispatch(pace: Pace, die = false): Promise<number> {
      const claims = await store.claim({ lane: 'a', limit: 100, now: clock.now(), token: store.token });
      const random = { fraction: () => 0 } as never;
      const settler = createSettler({
        clock,
        random,
        logger: silentLogger,
        store,
        uncertainWaitMs: hour,
        isSandbox: () => false,
        nextLane: () => 'a',
      });
      let went = 0;
      for (const claim of claims) {
        const wait = pace.ask(claim);
        if (wait === null) went++;
        const parts = [1, 2].map((part) => ({ part, carrierMessageId: `${claim.messageId}-${part}` }));
        if (wait !== null) await settler.settle([{ claim, outcome: wait }]);
        else if (!die) await settler.settle([{ claim, outcome: { kind: 'accepted', parts } }]);
      }
      return went;
    }
    const used = (pace: Pace) => pace.use('C1').segmentsToday?.used;

    let pace = paceOn();
    expect(await send(pace, 3)).toBe(3);
    directory = directoryOf(limited(cap(20)));
    pace.follow();
    await pace.settled();
    expect(used(pace)).toBe(6);
    expect(await send(pace, 2)).toBe(2);
    expect(await send(pace, 1, true)).toBe(1);
    expect(used(pace)).toBe(12);
    await pace.stop();
    await store.close();

    store = await open();
    const now = clock.now();
    await store.recover({ token: store.token, now, dueAt: now + hour, limit: 10 });
    pace = paceOn();
    await pace.settled();
    expect(used(pace)).toBe(12);
    expect(await send(pace, 6)).toBe(4);
    expect([used(pace), await dispatch(pace)]).toEqual([20, 0]);

    directory = directoryOf(limited(cap(22)));
    pace.follow();
    await pace.settled();
    expect(await dispatch(pace)).toBe(1);
    directory = directoryOf(limited(undefined));
    pace.follow();
    await pace.settled();
    expect([await dispatch(pace), await store.queueCounts()]).toEqual([1, []]);
    await pace.stop();
    await store.close();
  });
});
