import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { warningsIn } from '../../../../../test/props/warnings.ts';
import type { FetchedMedia } from '../../model/media.ts';
import { mediaBudgetBytes } from '../../model/medium.ts';
import type { Account } from '../../model/records.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { mediaFailed, mediaJobs, medium, scriptedMedia } from './media-fixture.ts';
import { accountRequestsMax, hostRequestsMax, requestsMax, sharedRequestsMax, slowMs } from './media-slots.ts';
import { createMediaWork } from './media-work.ts';

const budgets: Record<string, number> = { m: 1_000, n: 300, same: 1_000, gone: 0 };

function worker(clock = settlingClock(), store = mediaJobs(clock.now), media = scriptedMedia()) {
  const nudged: string[] = [];
  const faults: unknown[] = [];
  const logged: object[] = [];
  const warnings: string[] = [];
  const work = createMediaWork({
    clock,
    random: { fraction: () => 0.5 },
    logger: { ...warningsIn(warnings), error: (fields) => logged.push(fields) },
    store,
    media,
    budgetOf: (carrierId) => budgets[carrierId] ?? 0,
    directory: () => ({
      account: (accountId) => ({ animations: accountId === 'strict' ? 'refuse' : 'still' }) as Account,
    }),
    nudge: (lane) => nudged.push(lane),
    broken: (error) => faults.push(error),
  });
  const settled = async () => {
    for (let i = 0; i < 10; i++) await clock.pass(0);
  };
  return { clock, store, media, work, nudged, faults, logged, warnings, settled };
}

/** Answers that arrive when the test says so. */
function held() {
  const waiting: ((fetched: FetchedMedia | null) => void)[] = [];
  const fetch = () => new Promise<FetchedMedia>((resolve) => waiting.push(resolve as (typeof waiting)[0]));
  return { waiting, fetch };
}

describe('the worker of media', () => {
  it('fetches once, fits once for each budget, and puts the messages into their lanes', async () => {
    const w = worker();
    w.store.add(1, { lanes: ['m', 'n', 'same', 'gone'], mediaUrls: ['u', 'v'] });
    w.work.start();
    await w.settled();
    expect(w.media.fetches).toEqual([{ urls: ['u', 'v'], accountId: 'acc1' }]);
    expect(w.media.fits.map(({ budgetBytes }) => budgetBytes)).toEqual([1_000, 300, mediaBudgetBytes]);
    expect(w.media.fits[0]?.options).toMatchObject({ urls: ['u', 'v'] });
    expect(w.store.outcomes()).toMatchObject([{ requestId: 'req_1', to: 'queued' }]);
    const { outcome } = w.store.written[0]!;
    if (outcome.to !== 'queued') throw new Error('not queued');
    expect(outcome.media.original).toEqual([medium('u'), medium('v')]);
    expect(outcome.media.fitted.map((set) => [set.budgetBytes, set.media.length])).toEqual([
      [1_000, 2],
      [300, 2],
      [mediaBudgetBytes, 2],
    ]);
    expect(w.nudged).toEqual(['m', 'n', 'same', 'gone']);
  });

  it('takes what it is nudged for at once, whatever the nudge coincides with', async () => {
    for (let turns = 0; turns < 30; turns++) {
      const w = worker();
      w.work.start();
      w.store.add(1);
      w.work.nudge();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      w.store.add(2);
      w.work.nudge();
      await w.settled();
      expect(
        w.store.outcomes().map(({ to }) => to),
        `after ${turns} turns`,
      ).toEqual(['queued', 'queued']);
      expect(w.media.fetches).toHaveLength(2);
    }
  });

  it('works at a few requests at a time, each once, however often it is nudged', async () => {
    const w = worker();
    const { waiting, fetch } = held();
    w.media.script.fetch = fetch;
    for (let n = 0; n < 20; n++) w.store.add(n, { accountId: `acc${n}` });
    w.work.start();
    for (let i = 0; i < 5; i++) {
      w.work.nudge();
      await w.settled();
    }
    expect(waiting).toHaveLength(requestsMax);
    waiting.shift()!(null);
    await w.settled();
    expect(w.media.fetches).toHaveLength(requestsMax + 1);
    while (waiting.length > 0) {
      waiting.shift()!(null);
      await w.settled();
    }
    expect(w.store.outcomes().map(({ to }) => to)).toEqual(Array(20).fill('queued'));
    expect(new Set(w.media.fetches.map(({ urls }) => urls[0])).size).toBe(20);
    expect(w.media.fetches).toHaveLength(20);
  });

  it('leaves room for others when the servers of one account hang', async () => {
    const w = worker();
    w.media.script.fetch = (urls) => (urls[0]!.includes('slow') ? new Promise(() => {}) : null);
    for (let n = 0; n < 30; n++) w.store.add(n, { accountId: 'slow', mediaUrls: [`slow ${n}`] });
    w.work.start();
    await w.settled();
    expect(w.media.fetches).toHaveLength(accountRequestsMax);
    for (let n = 100; n < 110; n++) w.store.add(n);
    w.work.nudge();
    await w.settled();
    expect(w.store.outcomes()).toHaveLength(10);
  });

  it('a host that hangs holds back its own media alone, also within an account', async () => {
    const w = worker();
    w.media.script.fetch = (urls) => (urls.join().includes('hangs') ? new Promise(() => {}) : null);
    for (let n = 0; n < 500; n++) w.store.add(n, { accountId: 'one', mediaUrls: [`https://hangs.example/${n}.png`] });
    await w.clock.pass(10);
    for (let n = 500; n < 520; n++) w.store.add(n, { accountId: 'one', mediaUrls: [`https://sound.example/${n}.png`] });
    w.store.add(600, { accountId: 'one', mediaUrls: ['https://sound.example/a.png', 'https://hangs.example/b.png'] });
    w.work.start();
    for (let i = 0; i < 20; i++) await w.settled();
    expect(w.store.outcomes().filter(({ to }) => to === 'queued')).toHaveLength(20);
    expect(w.media.fetches.filter(({ urls }) => urls.join().includes('hangs'))).toHaveLength(hostRequestsMax);
    // Waiting alone frees nothing: a request there must end first.
    await w.clock.pass(60_000);
    expect(w.media.fetches).toHaveLength(20 + hostRequestsMax);
  });

  it('hosts that hang leave room within an account after a moment, however many they are', async () => {
    const w = worker();
    w.media.script.fetch = (urls) => (urls.join().includes('hangs') ? new Promise(() => {}) : null);
    for (let n = 0; n < 10; n++) w.store.add(n, { accountId: 'one', mediaUrls: [`https://hangs${n}.example/a.png`] });
    await w.clock.pass(10);
    w.store.add(100, { accountId: 'one', mediaUrls: ['https://sound.example/a.png'] });
    w.work.start();
    await w.settled();
    expect(w.media.fetches).toHaveLength(accountRequestsMax);
    await w.clock.pass(slowMs);
    await w.settled();
    expect(w.store.outcomes()).toMatchObject([{ requestId: 'req_100', to: 'queued' }]);
    expect(w.media.fetches).toHaveLength(11);
  });

  it('leaves room for others however many requests of one account hang', async () => {
    const w = worker();
    w.media.script.fetch = (urls) => (urls[0]!.includes('slow') ? new Promise(() => {}) : null);
    for (let n = 0; n < 500; n++) w.store.add(n, { accountId: 'slow', mediaUrls: [`slow ${n}`] });
    await w.clock.pass(10);
    for (let n = 500; n < 510; n++) w.store.add(n);
    w.work.start();
    await w.settled();
    expect(w.store.outcomes()).toHaveLength(10);
  });

  it('leaves room for a third account when the servers of two hang', async () => {
    const w = worker();
    w.media.script.fetch = (urls) => (urls[0]!.includes('slow') ? new Promise(() => {}) : null);
    for (let n = 0; n < 100; n++) w.store.add(n, { accountId: `slow${n % 2}`, mediaUrls: [`slow ${n}`] });
    w.work.start();
    await w.settled();
    expect(w.media.fetches).toHaveLength(sharedRequestsMax);
    for (let n = 100; n < 120; n++) w.store.add(n);
    w.work.nudge();
    for (let i = 0; i < 5; i++) await w.settled();
    expect(w.store.outcomes()).toHaveLength(20);
  });

  it('lets more accounts than it has room for take turns, however old what the others have is', async () => {
    const w = worker();
    const { waiting, fetch } = held();
    w.media.script.fetch = fetch;
    const slow = requestsMax + 4;
    for (let n = 0; n < slow * 10; n++) w.store.add(n, { accountId: `slow${n % slow}` });
    w.work.start();
    await w.settled();
    await w.clock.pass(10);
    w.store.add(1_000, { accountId: 'new' });
    // Four other accounts were not served yet and have waited longer.
    for (let n = 0; n < 5; n++) {
      expect(w.media.fetches.map(({ accountId }) => accountId)).not.toContain('new');
      waiting.shift()!(null);
      await w.settled();
    }
    expect(w.media.fetches.map(({ accountId }) => accountId)).toContain('new');
  });

  it.each([
    'MEDIA_UNREACHABLE',
    'MEDIA_BLOCKED',
    'MEDIA_TOO_LARGE',
    'MEDIA_TYPE_NOT_SUPPORTED',
    'GATEWAY_ERROR',
  ] as const)('ends the messages with %s when that came of fetching', async (code) => {
    const w = worker();
    w.media.script.fetch = () => mediaFailed(code, 0);
    w.store.add(1);
    w.work.start();
    await w.settled();
    const { detail } = mediaFailed(code, 0);
    const failedMedium = { index: 0, fetched: [] };
    expect(w.store.outcomes()).toEqual([{ requestId: 'req_1', to: 'failed', code, detail, failedMedium }]);
    expect([w.media.fits, w.nudged]).toEqual([[], []]);
  });

  it('goes on with the budgets that fit, and ends the messages when none does', async () => {
    const w = worker();
    w.media.script.fit = (budgetBytes) => (budgetBytes < 1_000 ? mediaFailed('MEDIA_TOO_LARGE', 0) : null);
    w.store.add(1, { lanes: ['n', 'm'] });
    w.store.add(2, { lanes: ['n'] });
    w.work.start();
    await w.settled();
    const byId = new Map(w.store.outcomes().map((outcome) => [outcome.requestId, outcome]));
    const [first, second] = [byId.get('req_1'), byId.get('req_2')];
    expect(first).toMatchObject({ to: 'queued', media: { fitted: [{ budgetBytes: 1_000 }] } });
    expect(second).toMatchObject({ to: 'failed', code: 'MEDIA_TOO_LARGE' });
  });

  it('asks for no still picture of an animation where the account refuses them', async () => {
    const w = worker();
    w.store.add(1, { accountId: 'strict' });
    w.store.add(2, { accountId: 'other' });
    w.work.start();
    await w.settled();
    expect(w.media.fits.map(({ options }) => options?.refuseStills)).toEqual([true, false]);
  });

  it('keeps of a failed request what was fetched, and which medium failed', async () => {
    const w = worker();
    w.media.script.fit = () => mediaFailed('MEDIA_TOO_LARGE', 1);
    w.store.add(1, { mediaUrls: ['u', 'v'] });
    w.store.add(2);
    w.media.script.fetch = ([url]) =>
      url === 'u' ? null : { ...mediaFailed('MEDIA_UNREACHABLE', 1), fetched: [medium('x')] };
    w.work.start();
    await w.settled();
    expect(w.store.outcomes()).toMatchObject([
      { requestId: 'req_2', failedMedium: { index: 1, fetched: [medium('x')] } },
      { requestId: 'req_1', failedMedium: { index: 1, fetched: [medium('u'), medium('v')] } },
    ]);
  });

  it.each([
    ['busy', [1_000, 2_000, 5_000, 15_000, 15_000]],
    ['disk-full', [5_000, 15_000, 30_000, 60_000, 60_000]],
  ] as const)('puts off what is %s, longer each time, without fetching anew what it has', async (why, waits) => {
    const w = worker();
    w.media.script.fit = () => ({ kind: 'later', why });
    w.store.add(1);
    w.work.start();
    await w.settled();
    for (const [index, waitMs] of waits.entries()) {
      expect(w.store.outcomes()[index]).toEqual({ requestId: 'req_1', to: 'later', dueAt: w.clock.now() + waitMs });
      await w.clock.pass(waitMs - 1);
      await w.settled();
      expect(w.store.written).toHaveLength(index + 1);
      await w.clock.pass(1);
      await w.settled();
    }
    expect(w.media.fetches).toHaveLength(1);
    w.media.script.fit = () => null;
    await w.clock.pass(70_000);
    await w.settled();
    expect(w.store.outcomes().at(-1)).toMatchObject({ to: 'queued' });
    expect(w.media.fetches).toHaveLength(1);
  });

  it('fetches anew what it fetched so long ago that it may be swept away', async () => {
    const w = worker();
    w.media.script.fit = () => ({ kind: 'later', why: 'busy' });
    w.store.add(1, { tries: 50, expiresAt: w.clock.now() + 10 * 3_600_000 });
    w.work.start();
    for (let minutes = 0; minutes < 29; minutes++) await w.clock.pass(60_000);
    expect(w.media.fetches).toHaveLength(1);
    for (let minutes = 0; minutes < 3; minutes++) await w.clock.pass(60_000);
    expect(w.media.fetches).toHaveLength(2);
  });

  it('puts nothing off beyond the validity, and leaves what is past it to the sweep', async () => {
    const w = worker();
    w.media.script.fetch = () => ({ kind: 'later', why: 'disk-full' });
    const expiresAt = w.clock.now() + 7_000;
    w.store.add(1, { expiresAt });
    w.work.start();
    await w.settled();
    await w.clock.pass(6_000);
    await w.settled();
    expect(w.store.outcomes()).toMatchObject([{ dueAt: expiresAt - 2_000 }, { dueAt: expiresAt }]);
    await w.clock.pass(2_000);
    await w.settled();
    expect(w.media.fetches).toHaveLength(2);
    expect(w.store.outcomes().at(-1)).toMatchObject({ to: 'later' });
    w.store.jobs.get('req_1')!.job.lanes = [];
    await w.clock.pass(2_000);
    await w.settled();
    expect(w.store.outcomes().at(-1)).toMatchObject({ to: 'failed', code: 'EXPIRED' });
    expect(w.store.jobs.size).toBe(0);
  });

  it('tries a fault of its own a few times, says so, and then ends the messages', async () => {
    const w = worker();
    w.media.script.fetch = () => new Error('EIO');
    w.store.add(1);
    w.work.start();
    await w.settled();
    await w.clock.pass(600_000);
    await w.settled();
    expect(w.store.outcomes().map(({ to }) => to)).toEqual(['later', 'later', 'later', 'later', 'failed']);
    expect(w.store.outcomes().at(-1)).toMatchObject({ code: 'GATEWAY_ERROR' });
    expect(w.logged).toHaveLength(5);
    expect(w.faults).toEqual([]);
  });

  it('goes on while one request hangs, and with what falls due meanwhile', async () => {
    const w = worker();
    w.media.script.fetch = (urls) => (urls[0] === 'hangs' ? new Promise(() => {}) : null);
    w.store.add(1, { mediaUrls: ['hangs'] });
    w.store.add(2);
    w.work.start();
    await w.settled();
    expect(w.store.outcomes()).toMatchObject([{ requestId: 'req_2', to: 'queued' }]);
    w.store.add(3);
    await w.clock.pass(1_000);
    await w.settled();
    expect(w.store.outcomes()).toHaveLength(2);
  });
});

describe('the worker of media and the store', () => {
  it('reads again when the store was unavailable', async () => {
    const w = worker();
    w.store.fails.read = new StoreUnavailable('busy', 'busy');
    w.store.add(1);
    w.work.start();
    await w.clock.pass(3_000);
    expect([w.faults, w.warnings]).toEqual([[], ['the worker of media waits for the store']]);
    w.store.fails.read = null;
    await w.clock.pass(1_000);
    await w.settled();
    expect(w.store.outcomes()).toMatchObject([{ to: 'queued' }]);
  });

  it('keeps what it prepared until the store takes it, and does nothing twice', async () => {
    const w = worker();
    w.store.fails.write = new StoreUnavailable('full', 'disk full');
    w.store.add(1);
    w.work.start();
    await w.clock.pass(10_000);
    w.store.fails.write = null;
    await w.clock.pass(300);
    await w.settled();
    expect(w.store.outcomes()).toMatchObject([{ to: 'queued' }]);
    expect(w.media.fetches).toHaveLength(1);
    expect(w.faults).toEqual([]);
  });

  it('puts off what the store could not say, however often', async () => {
    const w = worker();
    w.media.script.fetch = () => new StoreUnavailable('down', 'down');
    w.store.add(1);
    w.work.start();
    await w.clock.pass(300_000);
    await w.settled();
    expect(new Set(w.store.outcomes().map(({ to }) => to))).toEqual(new Set(['later']));
    expect(w.store.written.length).toBeGreaterThan(5);
  });

  it('reports what is no passing fault', async () => {
    const w = worker();
    w.store.add(1);
    w.store.fails.write = new Error('a bug');
    w.work.start();
    await w.settled();
    expect(w.faults).toContain(w.store.fails.write);
  });

  it('does again after an end without a goodbye what was not written', async () => {
    const first = worker();
    first.store.fails.write = new StoreUnavailable('down', 'down');
    first.store.add(1);
    first.work.start();
    await first.settled();
    first.store.fails.write = null;
    const second = worker(settlingClock(), first.store);
    second.work.start();
    await second.settled();
    expect(second.media.fetches).toHaveLength(1);
    expect(first.store.outcomes()).toMatchObject([{ to: 'queued' }]);
    // What the dead node had prepared changes nothing any more.
    await first.clock.pass(1_000);
    await first.settled();
    expect(first.store.written).toHaveLength(1);
  });

  it('begins nothing after stop, writes what gets ready in time, and waits no longer', async () => {
    const w = worker();
    const { waiting, fetch } = held();
    w.media.script.fetch = fetch;
    w.store.add(1);
    w.store.add(2);
    w.work.start();
    await w.settled();
    let stopped = false;
    const stop = w.work.stop().then(() => {
      stopped = true;
    });
    w.store.add(3);
    w.work.nudge();
    waiting[0]!(null);
    await w.settled();
    expect(w.store.outcomes()).toMatchObject([{ requestId: 'req_1', to: 'queued' }]);
    expect(stopped).toBe(false);
    await w.clock.pass(5_000);
    await stop;
    waiting[1]!(null);
    await w.clock.pass(10_000);
    await w.settled();
    expect(w.store.written).toHaveLength(1);
    expect(w.media.fetches).toHaveLength(2);
    expect([...w.store.jobs.keys()]).toEqual(['req_2', 'req_3']);
  });

  /** The store reads the due requests; its answer arrives when the test says so. */
  function slowReads(w: ReturnType<typeof worker>) {
    const { mediaJobs: read } = w.store;
    const gates: (() => void)[] = [];
    w.store.mediaJobs = async (request) => {
      const jobs = await read(request);
      await new Promise<void>((resolve) => gates.push(resolve));
      return jobs;
    };
    return gates;
  }

  it('does nothing again that got ready while the store was still reading it as due', async () => {
    const w = worker();
    const { waiting, fetch } = held();
    w.media.script.fetch = fetch;
    w.store.add(1);
    w.work.start();
    await w.settled();
    const gates = slowReads(w);
    w.work.nudge();
    await w.settled();
    waiting[0]!(null);
    await w.settled();
    expect(w.store.outcomes()).toMatchObject([{ requestId: 'req_1', to: 'queued' }]);
    gates[0]!();
    await w.settled();
    expect(w.media.fetches).toHaveLength(1);
  });

  it('leaves the store alone after a stop, also when that came while it was read', async () => {
    const w = worker();
    const gates = slowReads(w);
    w.store.add(1);
    w.work.start();
    await w.settled();
    let queries = 0;
    w.store.nextMediaJobAt = async () => {
      queries += 1;
      return null;
    };
    const stop = w.work.stop();
    await w.settled();
    gates[0]!();
    await stop;
    await w.settled();
    expect([queries, w.media.fetches.length, w.store.written.length]).toEqual([0, 0, 0]);
  });

  it('stops although the store never takes what is ready, and goes on when it is started again', async () => {
    const w = worker();
    w.store.fails.write = new StoreUnavailable('full', 'disk full');
    w.store.add(1);
    w.work.start();
    await w.settled();
    const stop = w.work.stop();
    await w.clock.pass(6_000);
    await stop;
    expect(w.store.jobs.size).toBe(1);
    w.store.fails.write = null;
    w.work.start();
    await w.settled();
    expect(w.store.jobs.size).toBe(0);
  });

  it('looks no more than it must', async () => {
    const w = worker();
    w.work.start();
    await w.clock.pass(600_000);
    expect(w.store.looks.length).toBeLessThanOrEqual(11);
  });
});
