/** The predicted wait, computed from the head of the queue, and the accounts that it refuses. */
import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Claim } from '../../model/delivery.ts';
import type { Account } from '../../model/records.ts';
import { acme, carrier, recordsWith } from '../../model/world-fixture.ts';
import { createBacklog } from './backlog.ts';

const limited: Account = { ...acme, waitingSecondsMax: 30 };

function scene({ account = limited, secondsMaxDefault = 0 }: { account?: Account; secondsMaxDefault?: number } = {}) {
  const clock = settlingClock();
  const due = new Map<string, number>();
  const paused = new Set<string>();
  let queries = 0;
  const records = recordsWith({
    accounts: [account],
    carriers: [carrier('a', 'smpp'), carrier('b', 'smpp'), { ...carrier('off', 'smpp'), enabled: false }],
  });
  const backlog = createBacklog({
    clock,
    logger: silentLogger,
    directory: () => buildDirectory(records),
    store: {
      oldestDue: async (lanes) => {
        queries += 1;
        return lanes.map((lane) => ({ lane, dueAt: due.get(lane) ?? null }));
      },
    },
    isPaused: (lane) => paused.has(lane),
    secondsMaxDefault,
  });
  backlog.start();
  return {
    ...{ clock, due, paused, backlog },
    queries: () => queries,
    tooLong: (...lanes: string[]) => backlog.tooLong(account, lanes),
    /** The head of the queue had waited for `ageS` at the last look, and moves at `speed` times real time. */
    async run(lane: string, seconds: number, { ageS, speed }: { ageS: number; speed: number }) {
      for (let second = 0; second < seconds; second += 1) {
        due.set(lane, clock.now() + 1_000 - (ageS + second * (1 - speed)) * 1_000);
        await clock.pass(1_000);
      }
    },
    answered: (lane: string, acceptedAt: number, attempt = 1) =>
      backlog.answered([{ claim: { lane, attempt, acceptedAt } as Claim }]),
  };
}

describe('a backlog', () => {
  it('lets all join while nothing waits', async () => {
    const s = scene();
    await s.clock.pass(5_000);
    expect(s.tooLong('a', 'b')).toBeNull();
  });

  it('keeps those out whose account wants no message to wait as long as the oldest does', async () => {
    const s = scene();
    s.due.set('a', s.clock.now() - 28_000);
    await s.clock.pass(1_000);
    expect(s.tooLong('a')).toBeNull();
    await s.clock.pass(3_000);
    expect(s.tooLong('a')).toEqual({ limitSeconds: 30, retrySeconds: 2 });
    expect(s.tooLong('b', 'a')).not.toBeNull();
    expect(s.tooLong('b')).toBeNull();
    s.due.delete('a');
    await s.clock.pass(1_000);
    expect(s.tooLong('a')).toBeNull();
  });

  it('foresees that those who join now would wait longer than the oldest has', async () => {
    const s = scene();
    // Five times as many messages arrive as leave: the head has waited for 7 s, and the tail will wait for 35.
    await s.run('a', 4, { ageS: 4, speed: 0.2 });
    expect(s.tooLong('a')).not.toBeNull();
  });

  it('lets them join where the head moves as fast as time goes by', async () => {
    const s = scene();
    await s.run('a', 6, { ageS: 20, speed: 1 });
    expect(s.tooLong('a')).toBeNull();
  });

  it('sees what is only in the journal by what carriers answer', async () => {
    const s = scene();
    const began = s.clock.now();
    for (let second = 1; second <= 8; second += 1) {
      s.answered('a', began + second * 200);
      await s.clock.pass(1_000);
    }
    expect(s.tooLong('a')).not.toBeNull();
    // No answer since then: no message is known to be waiting.
    await s.clock.pass(4_000);
    expect(s.tooLong('a')).toBeNull();
  });

  it('takes no message for late that was held on purpose, nor one that is tried again', async () => {
    const s = scene({ account: { ...acme, waitingSecondsMax: 10 } });
    s.answered('a', s.clock.now() - 3_600_000);
    s.answered('b', s.clock.now() - 14_000, 2);
    await s.clock.pass(1_000);
    expect(s.tooLong('a', 'b')).toBeNull();
    s.due.set('a', s.clock.now() + 3_600_000);
    await s.clock.pass(3_000);
    expect(s.tooLong('a')).toBeNull();
  });

  it('does not count what waits for a carrier that is paused or switched off', async () => {
    const s = scene();
    for (const lane of ['a', 'off']) s.due.set(lane, s.clock.now() - 100_000);
    await s.clock.pass(1_000);
    expect([s.tooLong('a'), s.tooLong('off')]).toEqual([expect.anything(), null]);
    s.paused.add('a');
    await s.clock.pass(1_000);
    expect(s.tooLong('a')).toBeNull();
  });
});

describe('all queues of an environment', () => {
  it('are too long only when each of them is', async () => {
    const s = scene();
    const everywhere = () => s.backlog.tooLongEverywhere(limited, 'live');
    s.due.set('a', s.clock.now() - 100_000);
    await s.clock.pass(1_000);
    expect([s.tooLong('a'), everywhere()]).toEqual([expect.anything(), null]);
    s.due.set('b', s.clock.now() - 50_000);
    await s.clock.pass(1_000);
    expect(everywhere()).toEqual({ limitSeconds: 30, retrySeconds: 21 });
    expect(s.backlog.tooLongEverywhere(limited, 'sandbox')).toBeNull();
    expect(s.backlog.tooLongEverywhere(acme, 'live')).toBeNull();
  });
});

describe('the limit', () => {
  it("is the operator's where an account has none, and none where an account says so", async () => {
    for (const [account, expected] of [
      [acme, 20],
      [{ ...acme, waitingSecondsMax: 40 }, 40],
      [{ ...acme, waitingSecondsMax: 0 }, null],
    ] as const) {
      const s = scene({ account, secondsMaxDefault: 20 });
      s.due.set('a', s.clock.now() - 100_000);
      await s.clock.pass(1_000);
      expect(s.tooLong('a')?.limitSeconds ?? null).toBe(expected);
    }
  });

  it('costs nothing while nobody has one', async () => {
    const s = scene({ account: acme });
    s.due.set('a', s.clock.now() - 100_000);
    await s.clock.pass(5_000);
    expect([s.queries(), s.tooLong('a')]).toEqual([0, null]);
  });

  it('requests a retry after a minute at most', async () => {
    const s = scene();
    s.due.set('a', s.clock.now() - 3_600_000);
    await s.clock.pass(1_000);
    expect(s.tooLong('a')?.retrySeconds).toBe(60);
  });
});
