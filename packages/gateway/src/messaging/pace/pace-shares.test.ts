/** Limits that several nodes share: together they never exceed a limit in any minute or day. */
import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Claim } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import { emptyRegistration, type Pacing } from '../../model/registration.ts';
import { directoryOf, records } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { type Operation, runSync } from '../../store/query.ts';
import { claim } from '../send-queue/lane-fixture.ts';
import { countPace, lendPace } from '../store/operations/pace-shares.ts';
import { createPace, type PaceWarning } from './pace.ts';
import type { HandedOver } from './pace-store.ts';

const none: Pacing = { segmentsPerMinute: null, mmsPerMinute: null, segmentsPerDay: null };
const own = '12025550199';

function limited(pacing: Partial<Pacing>, more: string[] = []): Directory {
  const [campaign] = records().campaigns;
  const [number] = records().numbers;
  const registration = { ...emptyRegistration(), brandId: 'brd_1' };
  return directoryOf({
    campaigns: [{ ...campaign!, pacing: { ...none, ...pacing }, registration }],
    numbers: [number!, ...more.map((one) => ({ ...number!, number: one }))],
  });
}

/** Nodes over one store in memory, with a shared clock. */
function cluster(first: Directory) {
  const clock = settlingClock();
  const settings = new Map<string, string>();
  const handed: HandedOver[] = [];
  const world = { directory: first, fails: false, lends: 0 };
  const context = () => ({ databaseNow: clock.now() }) as never;

  async function written<T>(operation: () => Operation<T>): Promise<T> {
    if (world.fails) throw new StoreUnavailable('down', 'away');
    return runSync(operation(), ({ statement, rows }) => {
      const [row] = rows as { name: string; value: string }[];
      if (statement.name === 'put_setting') settings.set(row!.name, row!.value);
      const value = settings.get(row!.name);
      return value === undefined ? [] : [{ value }];
    });
  }

  async function node() {
    const warnings: PaceWarning[] = [];
    const pace = createPace({
      clock,
      logger: silentLogger,
      directory: () => world.directory,
      broken: (error) => {
        throw error;
      },
      warn: (warning) => warnings.push(warning),
      store: {
        positionAt: async () => 0,
        handedOver: async () => ({ handed: [...handed], underWay: [], position: 1, more: false }),
        waitingFor: async () => ({ waiting: [], next: null }),
        makeDue: async () => 0,
      },
      shared: {
        lendPace: (items) => {
          world.lends += 1;
          return written(() => lendPace(items, context()));
        },
        countPace: (items) => written(() => countPace(items, context())).then(() => {}),
      },
    });
    pace.follow();
    await clock.pass(0);
    /** Like a lane: the messages that may be sent, and when the others return. */
    async function send(claims: readonly Claim[]): Promise<(number | null | 'never')[]> {
      if (pace.lacks(claims)) await pace.lend(claims).catch(() => {});
      return claims.map((one) => {
        const wait = pace.ask(one);
        if (wait?.kind !== 'refused') return null;
        return wait.retry === 'never' ? 'never' : (wait.afterMs ?? 0);
      });
    }
    return { pace, send, warnings };
  }
  return { clock, node, handed, world, settings };
}

let serial = 0;
const texts = (count: number, more: object = {}) =>
  Array.from({ length: count }, () => claim(++serial, { acceptedAt: serial, ...more }));

describe('the rate of a campaign over several nodes', () => {
  it('never lets a minute hold more, wherever its messages go, and sends all in the end', async () => {
    const { clock, node } = cluster(limited({ segmentsPerMinute: 60 }));
    const nodes = [await node(), await node(), await node()];
    const went: number[] = [];
    const queues = nodes.map(() => texts(70).map((one) => ({ one, dueAt: 0 })));
    for (let step = 0; step < 2_000 && queues.some(({ length }) => length > 0); step += 1) {
      for (const [place, { send }] of nodes.entries()) {
        const due = queues[place]!.filter(({ dueAt }) => dueAt <= clock.now()).slice(0, 10);
        const answers = await send(due.map(({ one }) => one));
        for (const [index, answer] of answers.entries()) {
          const entry = due[index]!;
          if (answer === null) {
            went.push(clock.now());
            queues[place]!.splice(queues[place]!.indexOf(entry), 1);
          } else entry.dueAt = clock.now() + Number(answer);
        }
      }
      await clock.pass(250);
    }
    expect(went).toHaveLength(210);
    for (const from of went) {
      expect(went.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(60);
    }
    expect(went.at(-1)! - went[0]!).toBeLessThan(5 * 60_000);
  });

  it('is all one node’s while the others send nothing', async () => {
    const { node } = cluster(limited({ segmentsPerMinute: 60 }));
    const [busy] = [await node(), await node()];
    const went = (await busy!.send(texts(70))).filter((answer) => answer === null);
    expect(went).toHaveLength(60);
  });

  it('counts what a node lent and never used, and forgets it after a minute', async () => {
    const { clock, node } = cluster(limited({ segmentsPerMinute: 60 }));
    const [first, second] = [await node(), await node()];
    expect(await first!.send(texts(59))).toEqual(Array(59).fill(null));
    const [answer] = await second!.send(texts(1));
    expect(answer).toBeGreaterThan(60_000);
    expect(await first!.send(texts(1))).toEqual([null]);
    await clock.pass(65_000);
    expect(await second!.send(texts(1))).toEqual([null]);
  });

  it('gets back what a node lent and did not use in time, when that node asks again', async () => {
    const { clock, node } = cluster(limited({ segmentsPerMinute: 60 }));
    const [slow, before, after] = [await node(), await node(), await node()];
    const claims = texts(60);
    await slow.pace.lend(claims);
    for (const one of claims.slice(0, 20)) expect(slow.pace.ask(one)).toBeNull();
    await clock.pass(2_000);
    expect(slow.pace.ask(claims[20]!)).not.toBeNull();
    expect((await before.send(texts(1)))[0]).toBeGreaterThan(55_000);
    // One that it needs and one to spare; 38 of the 40 are there for others.
    expect(await slow.send(texts(1))).toEqual([null]);
    expect((await after.send(texts(60))).filter((answer) => answer === null)).toHaveLength(38);
  });

  it('gets nothing back twice: not again after a request that the store did not answer', async () => {
    const { clock, node, world } = cluster(limited({ segmentsPerMinute: 60 }));
    const [slow, other] = [await node(), await node()];
    await slow.pace.lend(texts(29));
    await clock.pass(2_000);
    world.fails = true;
    expect(await slow.send(texts(1))).toEqual([1_000]);
    world.fails = false;
    expect(await slow.send(texts(1))).toEqual([null]);
    expect((await other.send(texts(60))).filter((answer) => answer === null)).toHaveLength(28);
  });

  it('lets nothing go that was lent too long ago, or while the store is away', async () => {
    const { clock, node, world } = cluster(limited({ segmentsPerMinute: 600 }));
    const one = await node();
    expect(await one.send(texts(1))).toEqual([null]);
    const before = world.lends;
    expect(await one.send(texts(1))).toEqual([null]);
    expect(world.lends).toBe(before);
    await clock.pass(2_000);
    world.fails = true;
    expect(await one.send(texts(1))).toEqual([1_000]);
    world.fails = false;
    expect(await one.send(texts(1))).toEqual([null]);
    expect(one.pace.use('C1').segmentsThisMinute).toMatchObject({ limit: 600 });
  });
});

describe('the daily cap of a brand over several nodes', () => {
  it('is never exceeded, and nearly all of it can be used', async () => {
    const { node } = cluster(limited({ segmentsPerDay: 300 }));
    const nodes = [await node(), await node(), await node()];
    let went = 0;
    for (let round = 0; round < 50; round += 1) {
      for (const { send } of nodes) went += (await send(texts(7))).filter((answer) => answer === null).length;
    }
    expect(went).toBeLessThanOrEqual(300);
    expect(went).toBeGreaterThan(290);
    expect(nodes.flatMap(({ warnings }) => warnings)).toMatchObject([{ limit: 'day', of: 300 }]);
    expect(nodes[0]!.pace.use('C1').segmentsToday).toMatchObject({ used: 300, limit: 300 });
  });

  it('counts what went before anybody lent, and what other numbers sent before they came under it', async () => {
    const { clock, node, handed, world } = cluster(limited({ segmentsPerDay: 100 }));
    handed.push({ number: own, kind: 'SMS', second: 0, units: 40 });
    handed.push({ number: '12025550198', kind: 'SMS', second: 0, units: 50 });
    const [first, second] = [await node(), await node()];
    const went = async (of: typeof first, count: number) =>
      (await of!.send(texts(count))).filter((answer) => answer === null).length;
    expect([await went(first, 5), await went(second, 3)]).toEqual([5, 3]);
    world.directory = limited({ segmentsPerDay: 100 }, ['12025550198']);
    for (const { pace } of [first!, second!]) pace.follow();
    await clock.pass(0);
    expect((await went(first, 50)) + (await went(second, 50))).toBeLessThanOrEqual(2);
  });

  it('is given back what a carrier refused', async () => {
    const { node } = cluster(limited({ segmentsPerDay: 2 }));
    const one = await node();
    const [first, second] = texts(2);
    expect(await one.send([first!, second!])).toEqual([null, null]);
    expect((await one.send(texts(1, { expiresAt: 0 })))[0]).toBe('never');
    one.pace.giveBack(second!, 0);
    expect(await one.send(texts(1))).toEqual([null]);
  });
});
