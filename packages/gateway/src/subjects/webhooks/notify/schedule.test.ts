/**
 * The life of deliveries over days: every wait of the schedule, endpoints that come back, and endpoints that are given
 * up.
 */
import { describe, expect, it } from 'vitest';
import { t0 } from '../../../../../../test/props/clock.ts';
import { endpoint } from '../../../model/world-fixture.ts';
import { answered, day, hour, ok, pass, type Stage, settled, stage } from './notify-fixture.ts';

const waits = [5_000, 300_000, 0.5 * hour, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, day, day, day, day];

async function failing(...status: number[]): Promise<Stage> {
  const s = await stage([endpoint('ep_a')]);
  s.script.answer = () => answered(status[0] ?? 500);
  s.store.log(1);
  s.notifier.nudge();
  await settled();
  return s;
}

describe('a delivery that nobody takes', () => {
  it('W-01 is tried after each wait of the schedule, to the millisecond', async () => {
    const s = await failing();
    let due = t0;
    for (const wait of waits) {
      due += wait;
      await pass(s.clock, wait - 1);
      const before = s.posts.length;
      await pass(s.clock, 1);
      expect(s.posts.length - before, `after ${wait} ms`).toBe(1);
      expect(s.posts.at(-1)!.at).toBe(due);
    }
    expect(s.posts).toHaveLength(13);
    expect(due - t0).toBeLessThan(7 * day);
    expect(new Set(s.posts.map(({ id }) => id)).size).toBe(1);
    expect(s.faults).toEqual([]);
  });

  it('W-01 of a dead endpoint waits on when all its attempts are used up, and the endpoint is disabled after seven days', async () => {
    const s = await failing();
    await pass(s.clock, 7 * day - 1, hour / 2);
    expect(s.store.current.endpoints[0]!.disabled).toBeNull();
    expect(s.posts).toHaveLength(13);
    await pass(s.clock, 1);
    expect(s.posts).toHaveLength(14);
    expect(s.store.current.endpoints[0]!.disabled).toEqual({ at: t0 + 7 * day, why: 'failing' });
    expect(s.store.events.at(-1)).toMatchObject({
      type: 'endpoint.disabled',
      data: { endpointId: 'ep_a', url: 'https://ep_a.example/hook', why: 'failing', at: '2023-11-21T22:13:20.000Z' },
    });
    expect(s.store.noted).toMatchObject([
      { accountId: 'acc1', userId: null, who: 'the gateway', what: 'endpoint.disabled', target: 'ep_a' },
    ]);
    expect(s.store.row('ep_a', 1).state).toBe('waiting');
    s.refresh();
    await pass(s.clock, 2 * day, hour);
    expect(s.posts).toHaveLength(14);
    // Enabled again: all waiting deliveries continue at once, with all their attempts.
    await s.store.putRecords({ ...s.store.current, endpoints: [endpoint('ep_a')] });
    s.refresh();
    await settled();
    expect(s.posts).toHaveLength(15);
    expect(s.store.health.get('ep_a')!.failingSince).toBe(s.clock.now());
    s.script.answer = () => ok;
    await pass(s.clock, 5_000);
    expect(s.posts).toHaveLength(16);
    expect(s.store.row('ep_a', 1).state).toBe('delivered');
    expect(s.faults).toEqual([]);
  });

  it('fails when its attempts are used up while the endpoint lives', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = ({ id }) => (id === 'evt_1_5' ? answered(500) : ok);
    s.store.log(1);
    s.notifier.nudge();
    for (let hours = 0; hours < 160; hours++) {
      s.store.log(1);
      await pass(s.clock, hour, hour / 4);
    }
    expect(s.posts.filter(({ id }) => id === 'evt_1_5')).toHaveLength(13);
    expect(s.store.row('ep_a', 1).state).toBe('failed');
    expect(s.store.current.endpoints[0]!.disabled).toBeNull();
    expect([...s.store.rows.values()].filter(({ state }) => state === 'delivered')).toHaveLength(160);
  });

  it('is tried within ten per cent of its time', async () => {
    for (const [fraction, wait] of [
      [0, 4_500],
      [0.999_999, 5_500],
    ]) {
      const s = await stage([endpoint('ep_a')]);
      s.script.answer = () => answered(500);
      s.script.fraction = fraction!;
      s.store.log(1);
      s.notifier.nudge();
      await settled();
      expect(s.store.row('ep_a', 1).dueAt - t0).toBe(wait);
    }
  });
});

describe('an endpoint that was down', () => {
  it.each([1, 6])('W-01 for %s days gets everything when it is back', async (days) => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => answered(503);
    for (let i = 0; i < 10 * days; i++) {
      s.store.log(1);
      await pass(s.clock, 2.4 * hour, 1.2 * hour);
    }
    s.script.answer = () => ok;
    await pass(s.clock, 1.2 * day, hour / 2);
    expect([...s.store.rows.values()].filter(({ state }) => state !== 'delivered')).toEqual([]);
    expect(s.store.current.endpoints[0]!.disabled).toBeNull();
    expect(s.faults).toEqual([]);
  });
});

describe('W-05', () => {
  it('410 disables at once, with a notice to the other endpoints', async () => {
    const s = await stage([
      endpoint('ep_a', { types: ['message.delivered'] }),
      endpoint('ep_b', { url: 'https://b.example/' }),
    ]);
    s.script.answer = ({ url }) => (url.includes('ep_a') ? answered(410) : ok);
    s.store.log(3);
    s.notifier.nudge();
    await settled();
    s.refresh();
    await pass(s.clock, 1_000);
    expect(s.store.current.endpoints[0]!.disabled).toMatchObject({ why: 'gone' });
    const notices = s.store.events.filter(({ type }) => type === 'endpoint.disabled');
    expect(notices).toHaveLength(1);
    const notice = s.posts.filter(({ id }) => id === notices[0]!.eventId);
    expect(notice.map(({ url }) => url)).toEqual(['https://b.example/']);
    expect(JSON.parse(notice[0]!.body)).toMatchObject({ type: 'endpoint.disabled', data: { why: 'gone' } });
    expect([1, 2, 3].map((n) => s.store.row('ep_a', n).state)).toEqual(['waiting', 'waiting', 'waiting']);
  });

  it.each([301, 302, 304, 307, 400, 404, 500])('%s is a failure', async (status) => {
    const s = await failing(status);
    expect(s.store.outcomes[0]).toMatchObject({ to: 'waiting', attempt: { status, error: null, answer: 'said' } });
  });

  it.each([200, 201, 202, 204, 299])('%s is a success', async (status) => {
    const s = await failing(status);
    expect(s.store.row('ep_a', 1)).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: status });
  });

  it.each([
    [429, '120', 120_000],
    [503, '120', 120_000],
    [429, '86400', hour],
    [429, '1', 5_000],
    [429, 'Tue, 14 Nov 2023 22:23:20 GMT', 600_000],
    [429, 'soon', 5_000],
    [500, '120', 5_000],
  ])('%s with Retry-After %s is tried again after %s ms', async (status, retryAfter, wait) => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => answered(status, retryAfter);
    s.store.log(1);
    s.notifier.nudge();
    await settled();
    expect(s.store.row('ep_a', 1).dueAt - t0).toBe(wait);
  });
});
