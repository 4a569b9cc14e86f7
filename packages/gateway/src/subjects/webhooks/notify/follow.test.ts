/** Following the log: in order, once, in bounded commits, whatever the store does; and which listeners are called. */
import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../../test/props/clock.ts';
import { buildDirectory } from '../../../carriers/directory.ts';
import { silentLogger } from '../../../kernel/logger.ts';
import type { Account } from '../../../model/records.ts';
import type { EventMessage } from '../../../model/webhook-event.ts';
import { endpoint } from '../../../model/world-fixture.ts';
import { StoreUnavailable } from '../../../store/faults.ts';
import { createFollower } from './follow.ts';
import { pass, settled, stage } from './notify-fixture.ts';
import { message, outbox } from './outbox-fixture.ts';

describe('the log', () => {
  it('is given out without a nudge, within a second', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.store.log(3);
    await pass(s.clock, 1_000);
    expect(s.posts).toHaveLength(3);
    expect(s.store.mark).toBe(3);
  });

  it('is given out at once, whatever a nudge coincides with', async () => {
    for (let turns = 0; turns < 40; turns++) {
      const s = await stage([endpoint('ep_a')]);
      s.store.log(1);
      s.notifier.nudge();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      s.store.log(1);
      s.notifier.nudge();
      await pass(s.clock, 20);
      expect(s.store.mark, `after ${turns} turns`).toBe(2);
    }
  });

  it('is given out in commits of at most 2,000 deliveries, at least one event each', async () => {
    const s = await stage(Array.from({ length: 900 }, (_, i) => endpoint(`ep_${i}x`)));
    const commits: number[] = [];
    const { fanOut } = s.store;
    s.store.fanOut = (request) => {
      commits.push(request.deliveries.length);
      return fanOut(request);
    };
    s.store.log(5);
    s.notifier.nudge();
    await settled();
    expect(commits).toEqual([1_800, 1_800, 900]);
    expect(s.store.rows.size).toBe(4_500);
  });

  it('advances where no endpoint wants the events', async () => {
    const s = await stage([]);
    s.store.log(1_200);
    await pass(s.clock, 2_000, 500);
    expect(s.store.mark).toBe(1_200);
  });

  it("reads only events that an endpoint wants, but always a carrier's reports of opt-outs", async () => {
    const s = await stage([endpoint('ep_a', { types: ['message.failed'] })]);
    s.store.log(3);
    s.store.log(1, { type: 'message.undelivered', message: message(4, { code: 'CARRIER_OPTED_OUT' }) });
    await pass(s.clock, 2_000, 500);
    expect(s.store.read).toEqual([4]);
    expect(s.optOuts.map(({ position }) => position)).toEqual([4]);
    expect(s.store.mark).toBe(4);
  });

  it('is not read after a nudge for a type that nobody waits for', async () => {
    const s = await stage([endpoint('ep_a', { types: ['message.delivered'] })]);
    await settled();
    let looks = 0;
    const { eventsAfter } = s.store;
    s.store.eventsAfter = (request) => {
      looks += 1;
      return eventsAfter(request);
    };
    s.notifier.nudge('message.sent');
    await settled();
    expect(looks).toBe(0);
    s.notifier.nudge('message.delivered');
    await settled();
    expect(looks).toBeGreaterThan(0);
  });

  it('is read after any nudge while somebody listens', async () => {
    const s = await stage([endpoint('ep_a', { types: ['message.delivered'] })]);
    const types: string[] = [];
    s.notifier.changed((_, events) => types.push(...events.map(({ type }) => type)));
    s.store.log(1, { type: 'message.sent' });
    s.notifier.nudge('message.sent');
    await settled();
    expect(types).toEqual(['message.sent']);
  });

  it.each(['eventsAfter', 'fanOut'] as const)(
    'waits for the store when %s fails, and loses nothing',
    async (method) => {
      const s = await stage([endpoint('ep_a')]);
      s.store.fails[method] = new StoreUnavailable('busy', 'busy');
      s.store.log(2);
      s.notifier.nudge();
      await pass(s.clock, 3_000, 1_000);
      expect(s.posts).toHaveLength(0);
      s.store.fails = {};
      await pass(s.clock, 1_000);
      expect(s.posts.map(({ id }) => id)).toEqual(['evt_1_5', 'evt_2_5']);
      expect(s.faults).toEqual([]);
      expect(s.warnings).toEqual(['the log of events waits for the store']);
    },
  );

  it('goes on from the mark of the store when it was moved elsewhere, and says what is no passing fault', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.store.log(4);
    s.store.mark = 2;
    s.notifier.nudge();
    await settled();
    expect(s.posts.map(({ id }) => id)).toEqual(['evt_3_5', 'evt_4_5']);
    const bug = new Error('a bug');
    s.store.fails.eventsAfter = bug;
    s.notifier.nudge();
    await settled();
    expect(s.faults).toEqual([bug]);
  });
});

describe('what a carrier says of consent', () => {
  it('is handed on before the mark moves, and again when it did not move', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.store.fails.fanOut = new StoreUnavailable('busy', 'busy');
    s.store.log(1);
    s.store.log(1, { type: 'message.undelivered', message: message(2, { code: 'CARRIER_OPTED_OUT' }) });
    await pass(s.clock, 1_000);
    expect(s.optOuts).toHaveLength(1);
    s.store.fails = {};
    await pass(s.clock, 1_000);
    expect(s.optOuts.map(({ position }) => position)).toEqual([2, 2]);
    expect(s.store.mark).toBe(2);
  });
});

describe('what a carrier says of MMS', () => {
  const account = (mmsFallback: 'none' | 'links') => ({ accounts: [{ accountId: 'acc1', mmsFallback } as Account] });
  const ended = (n: number, more: Partial<EventMessage> = {}) => {
    return {
      type: 'message.failed',
      message: message(n, { code: 'MMS_NOT_SUPPORTED', messageType: 'MMS', ...more }),
    } as const;
  };

  it('is handed on for accounts that want a text instead, before the mark moves, whoever listens', async () => {
    const s = await stage([endpoint('ep_a', { types: ['message.sent'] })], account('links'));
    s.store.fails.fanOut = new StoreUnavailable('busy', 'busy');
    s.store.log(1, ended(1));
    s.store.log(1, ended(2, { code: 'UNREACHABLE' }));
    s.store.log(1, { type: 'message.sent', message: message(3) });
    s.store.log(1, ended(4, { messageType: 'SMS' }));
    s.store.log(1, { ...ended(5), type: 'message.undelivered' });
    await pass(s.clock, 1_000);
    expect(s.unsupported.map(({ position }) => position)).toEqual([1, 5]);
    s.store.fails = {};
    await pass(s.clock, 1_000);
    expect(s.unsupported.map(({ position }) => position)).toEqual([1, 5, 1, 5]);
    expect(s.store.mark).toBe(5);
  });

  it('is nothing to accounts that want none, and is not even read', async () => {
    const s = await stage([endpoint('ep_a', { types: ['message.sent'] })], account('none'));
    s.store.log(1, ended(1));
    await pass(s.clock, 2_000, 500);
    expect([s.unsupported, s.store.read]).toEqual([[], []]);
  });
});

describe('listeners', () => {
  it('hear once of whose accounts something is new, until they stop', async () => {
    const s = await stage([]);
    const notified: string[][] = [];
    const stop = s.notifier.changed((accountIds) => notified.push([...accountIds]));
    s.store.log(2);
    s.store.log(1, { accountId: 'acc2' });
    s.notifier.nudge();
    await settled();
    await pass(s.clock, 5_000, 1_000);
    expect(notified).toEqual([['acc1', 'acc2']]);
    stop();
    s.store.log(1);
    await pass(s.clock, 1_000);
    expect(notified).toHaveLength(1);
  });
});

describe('W-06', () => {
  it('every payload has the sequence by which the events of one message are put in order', async () => {
    const s = await stage([endpoint('ep_a')]);
    for (const sequence of [3, 5, 4]) s.store.log(1, { message: message(1, { sequence }) });
    await pass(s.clock, 1_000);
    expect(s.posts.map(({ body }) => JSON.parse(body).data.sequence)).toEqual([3, 5, 4]);
  });
});

describe('a node that does not act', () => {
  /** Watches a log whose deliveries another node creates. */
  async function watcher() {
    const clock = settlingClock();
    const store = outbox([endpoint('ep_a')]);
    store.log(3);
    const given: number[] = [];
    /** What other nodes have stored and this one has not read. */
    const others: (() => void)[] = [];
    const follower = createFollower({
      clock,
      logger: silentLogger,
      store,
      directory: () => buildDirectory(store.current),
      catchUp: async () => others.splice(0).forEach((change) => void change()),
      onCarrierOptOut: async () => {},
      onMmsNotSupported: async () => {},
      given: (deliveries) => given.push(...deliveries.map(({ event }) => event.position)),
      broken: (error) => {
        throw error;
      },
    });
    const reported: number[] = [];
    const ignore = follower.changed((_, events) => reported.push(...events.map(({ position }) => position)));
    await follower.watch();
    return { clock, store, follower, given, others, reported, ignore };
  }

  it('gives the events after it to an endpoint that another node has just stored, of any type', async () => {
    const { store, clock, given, follower, others, ignore } = await watcher();
    ignore();
    await follower.start();
    await pass(clock, 1_000);
    store.current = { ...store.current, version: store.current.version + 1, endpoints: [] };
    await pass(clock, 1_000);
    given.length = 0;
    others.push(() => {
      store.current = { ...store.current, version: store.current.version + 1, endpoints: [endpoint('ep_b')] };
    });
    store.log(1);
    await pass(clock, 1_000);
    expect(given).toEqual([4]);
    await follower.stop();
  });

  it('reports what is new in the log, and gives nothing out', async () => {
    const { clock, store, follower, given, reported, ignore } = await watcher();
    store.log(2);
    await pass(clock, 1_000);
    expect(reported).toEqual([4, 5]);
    ignore();
    store.log(1);
    await pass(clock, 1_000);
    expect([store.mark, store.rows.size, given]).toEqual([0, 0, []]);
    await follower.stop();
    expect(clock.timers()).toBe(0);
  });

  it('gives out all of it even when a nudge comes while it begins to', async () => {
    for (let turns = 0; turns < 12; turns++) {
      const { clock, follower, given } = await watcher();
      const started = follower.start();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      follower.nudge();
      await started;
      await pass(clock, 1_000);
      expect(given, `after ${turns} turns`).toEqual([1, 2, 3]);
      await follower.stop();
    }
  });

  it('gives out the rest of the log once it acts, and reports nothing twice', async () => {
    const { clock, store, follower, given, reported } = await watcher();
    store.log(2);
    await pass(clock, 1_000);
    // Another node created deliveries for the first two events before it was lost.
    store.mark = 2;
    await follower.start();
    await pass(clock, 1_000);
    expect(given).toEqual([3, 4, 5]);
    expect(store.mark).toBe(5);
    expect(reported).toEqual([4, 5]);
    store.log(1);
    await pass(clock, 1_000);
    expect(reported).toEqual([4, 5, 6]);
    await follower.stop();
    expect(clock.timers()).toBe(0);
  });
});
