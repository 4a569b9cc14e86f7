/** Sending: batches, crashes, slow and dead endpoints, our own limits, rotation, an absent store, shutdown. */
import { describe, expect, it } from 'vitest';
import { settlingClock, t0 } from '../../../../../../test/props/clock.ts';
import type { AttemptOutcome } from '../../../messaging/store/items.ts';
import { endpoint } from '../../../model/world-fixture.ts';
import { StoreUnavailable } from '../../../store/faults.ts';
import type { WebhookPosted } from '../webhook-post.ts';
import { queuedPerEndpointMax } from './endpoint-queue.ts';
import { answered, day, ok, on, type Posted, pass, type Stage, settled, stage } from './notify-fixture.ts';
import { delivered, type Outbox, outbox } from './outbox-fixture.ts';

const to = (name: string) => (post: Posted) => post.url.includes(name);
const numbersOf = (posts: Posted[]) => posts.map(({ id }) => Number(id.split('_')[1]));

async function logEvents(s: Stage, count: number): Promise<void> {
  s.store.log(count);
  s.notifier.nudge();
  await settled();
}

/** A million deliveries that have long been due, generated when they are read. */
function backlog(store: Outbox, endpointId: string, count: number) {
  const moved = new Map<number, AttemptOutcome>();
  const state = { loaded: 0, looks: 0, moved };
  const { dueWebhooks, recordAttempts, webhookQueues } = store;
  const row = (position: number, dueAt: number) => ({
    delivery: { tries: 0, dueAt } as Awaited<ReturnType<typeof dueWebhooks>>[0]['delivery'],
    event: delivered(position),
  });
  store.dueWebhooks = async (request) => {
    if (request.endpointId !== endpointId) return dueWebhooks(request);
    const rows = [];
    for (let n = 1; n <= count && rows.length < request.limit; n++) if (!moved.has(n)) rows.push(row(n, 0));
    state.looks++;
    state.loaded += rows.length;
    return rows;
  };
  store.recordAttempts = async (request) => {
    for (const outcome of request.outcomes) {
      if (outcome.endpointId === endpointId) moved.set(outcome.position, outcome);
    }
    await recordAttempts(request);
  };
  store.webhookQueues = async () => [...(await webhookQueues()), { endpointId, waiting: 10_000, dueAt: 0 }];
  return state;
}

describe('what has just been given out', () => {
  it('goes straight to its endpoint, without asking the store, in few commits', async () => {
    const s = await stage([endpoint('ep_a')]);
    await logEvents(s, 200);
    expect(s.posts).toHaveLength(200);
    expect(new Set(numbersOf(s.posts)).size).toBe(200);
    expect(s.store.loaded).toBe(0);
    expect(s.store.batches.length).toBeLessThan(60);
    expect([...s.store.rows.values()].every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(
      true,
    );
  });

  it('is sent once each when there is far more than fits into memory, oldest first', async () => {
    const s = await stage([endpoint('ep_a')]);
    await logEvents(s, 5_000);
    await pass(s.clock, 5_000, 1_000);
    expect(s.posts).toHaveLength(5_000);
    expect(new Set(numbersOf(s.posts)).size).toBe(5_000);
    expect(numbersOf(s.posts).slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(s.faults).toEqual([]);
  });

  it('has more under way at an endpoint that answers well, and begins anew after a failure', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = null;
    await logEvents(s, 1_000);
    expect(s.posts.length).toBeLessThanOrEqual(32);
    let over = 0;
    const answer = async (count: number, posted: WebhookPosted) => {
      for (const post of s.posts.slice(over, over + count)) post.answer(posted);
      over += count;
      await settled();
    };
    for (let i = 0; i < 20; i++) await answer(20, ok);
    expect(s.posts.length - over).toBeGreaterThan(64);
    expect(s.posts.length - over).toBeLessThanOrEqual(256);
    const before = s.posts.length;
    await answer(1, answered(500));
    await answer(20, ok);
    expect(s.posts.length).toBe(before);
  });

  it('has at most 32 under way at one endpoint and leaves room for others however many are slow', async () => {
    const slow = Array.from({ length: 300 }, (_, i) => endpoint(`ep_slow${i}`));
    const s = await stage([...slow, endpoint('ep_fast')]);
    s.script.answer = ({ url }) => (url.includes('fast') ? ok : null);
    await logEvents(s, 40);
    const open = s.posts.filter(to('slow'));
    for (const { endpointId } of slow) expect(open.filter(to(`${endpointId}.`)).length).toBeLessThanOrEqual(32);
    expect(open.length).toBeGreaterThanOrEqual(300);
    expect(open.length).toBeLessThanOrEqual(1_024);
    expect(s.posts.filter(to('fast'))).toHaveLength(40);
  });
});

describe('W-02 after kill -9', () => {
  it('what was under way is sent again with the same id, what was recorded is not', async () => {
    const first = await stage([endpoint('ep_a')]);
    first.script.answer = ({ id }) => (id === 'evt_2_5' ? null : ok);
    await logEvents(first, 3);
    const second = await first.again();
    await settled();
    expect(first.posts.map(({ id }) => id)).toEqual(['evt_1_5', 'evt_2_5', 'evt_3_5']);
    expect(second.posts.map(({ id }) => id)).toEqual(['evt_2_5']);
    expect(second.posts[0]!.body).toBe(first.posts[1]!.body);
  });

  it('what was answered and not yet on disk is sent again with the same id', async () => {
    const first = await stage([endpoint('ep_a')]);
    first.store.fails.recordAttempts = new StoreUnavailable('busy', 'busy');
    await logEvents(first, 1);
    first.store.fails = {};
    const second = await first.again();
    expect([...first.posts, ...second.posts].map(({ id }) => id)).toEqual(['evt_1_5', 'evt_1_5']);
    expect(second.store.row('ep_a', 1).state).toBe('delivered');
  });

  it('what waited for its time keeps it', async () => {
    const first = await stage([endpoint('ep_a')]);
    first.script.answer = () => answered(500);
    await logEvents(first, 1);
    const second = await first.again();
    await pass(first.clock, 4_999);
    expect(second.posts).toHaveLength(0);
    await pass(first.clock, 1);
    expect(second.posts).toHaveLength(1);
  });
});

describe('W-04', () => {
  it('a dead endpoint with a million waiting costs one row a probe and holds up nobody', async () => {
    const store = outbox([endpoint('ep_dead'), endpoint('ep_fine')]);
    const waiting = backlog(store, 'ep_dead', 1_000_000);
    const s = await on(store, settlingClock(), answered(503));
    const dead = (post: { url: string }) => post.url.includes('dead');
    s.script.answer = (post) => (dead(post) ? answered(503) : ok);
    await pass(s.clock, 1);
    const loadedFirst = waiting.loaded;
    expect(loadedFirst).toBeLessThanOrEqual(queuedPerEndpointMax);
    const before = s.posts.filter(to('dead')).length;
    expect(before).toBeLessThan(32 + 5);
    for (let minute = 0; minute < 20; minute++) {
      const sent = s.posts.filter(to('fine')).length;
      await logEvents(s, 5);
      expect(s.posts.filter(to('fine')).length - sent).toBe(5);
      await pass(s.clock, 60_000, 1_000);
    }
    const probes = s.posts.filter(to('dead')).length - before;
    expect(probes).toBeGreaterThanOrEqual(18);
    expect(probes).toBeLessThanOrEqual(30);
    expect(waiting.loaded - loadedFirst).toBeGreaterThanOrEqual(probes);
    expect(waiting.loaded - loadedFirst).toBeLessThanOrEqual(2 * probes);
    // The endpoint is back: deliveries flow.
    const end = s.posts.length + 1_000;
    s.script.answer = () => (s.posts.length < end ? ok : null);
    await pass(s.clock, 60_000, 1_000);
    expect(s.posts.length).toBeGreaterThanOrEqual(end);
    expect(s.faults).toEqual([]);
  });

  it('probes come after 1 s, 2 s, 4 s … 60 s, one at a time, and the first success lets all through', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => answered(500);
    await logEvents(s, 40);
    const first = s.posts.length;
    const gaps: number[] = [];
    let last = s.clock.now();
    for (let i = 0; i < 4_000 && gaps.length < 9; i++) {
      const before = s.posts.length;
      await pass(s.clock, 100);
      expect(s.posts.length - before).toBeLessThanOrEqual(1);
      if (s.posts.length > before) {
        gaps.push(s.clock.now() - last);
        last = s.clock.now();
      }
    }
    expect(first).toBeLessThan(32 + 5);
    expect(gaps.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    s.script.answer = () => ok;
    await pass(s.clock, 400_000, 10_000);
    expect([...s.store.rows.values()].every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('many backlogs share the places in memory', async () => {
    const many = Array.from({ length: 40 }, (_, i) => endpoint(`ep_${i}x`));
    const s = await stage(many);
    s.script.answer = () => null;
    await logEvents(s, 300);
    await pass(s.clock, 3_000, 1_000);
    for (const { endpointId } of many) expect(s.posts.filter(to(`${endpointId}.`)).length).toBeGreaterThan(0);
    // All endpoints answer now; in the end every delivery has arrived once.
    s.script.answer = () => ok;
    for (const post of s.posts.slice()) post.answer(ok);
    await pass(s.clock, 10_000, 500);
    expect([...s.store.rows.values()].filter(({ state }) => state !== 'delivered')).toHaveLength(0);
    expect(s.posts).toHaveLength(40 * 300);
  });
});

describe('a single delivery that fails', () => {
  it('does not slow down the others of its endpoint', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = ({ id }) => (id === 'evt_1_5' ? answered(500) : ok);
    await logEvents(s, 50);
    expect([...s.store.rows.values()].filter(({ state }) => state === 'delivered')).toHaveLength(49);
  });
});

describe('two deliveries that fail', () => {
  it('keep their own times', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => answered(500);
    await logEvents(s, 1);
    await pass(s.clock, 2_000);
    await logEvents(s, 1);
    await pass(s.clock, 10_000, 500);
    expect(s.posts.map(({ id, at }) => `${id} ${at - t0}`)).toEqual([
      'evt_1_5 0',
      'evt_2_5 2000',
      'evt_1_5 5000',
      'evt_2_5 7000',
    ]);
  });
});

describe('limits of our own', () => {
  it('are no attempt: it is sent a little later', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => ({ kind: 'busy' });
    await logEvents(s, 1);
    expect(s.store.outcomes).toEqual([]);
    s.script.answer = () => ok;
    await pass(s.clock, 250);
    expect(s.store.row('ep_a', 1)).toMatchObject({ state: 'delivered', attempts: 1 });
  });
});

describe('a URL that is blocked, an answer that never comes', () => {
  it.each(['blocked', 'timeout', 'tls'])('%s is a failed attempt with that word', async (error) => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => ({ kind: 'unreachable', error, durationMs: 5 });
    await logEvents(s, 1);
    expect(s.store.outcomes[0]).toMatchObject({
      to: 'waiting',
      tries: 0,
      attempt: { status: null, error, answer: '' },
    });
  });

  it('secrets that do not open are one too, and stop nobody else', async () => {
    const broken = endpoint('ep_a', { secrets: [{ secret: 'of another key', expiresAt: null }] });
    const s = await stage([broken, endpoint('ep_b')]);
    await logEvents(s, 1);
    expect(s.store.row('ep_b', 1).state).toBe('delivered');
    expect(s.store.outcomes.find(({ endpointId }) => endpointId === 'ep_a')?.attempt.error).toBe('secret');
    expect(s.faults).toEqual([]);
  });
});

describe('W-07 rotation', () => {
  it('signs with both secrets until the old one is over', async () => {
    const until = t0 + day;
    const secrets = [
      { secret: 'sealed new', expiresAt: null },
      { secret: 'sealed old', expiresAt: until },
    ];
    const s = await stage([endpoint('ep_a', { secrets })]);
    const signed = async () => {
      await logEvents(s, 1);
      return s.posts.at(-1)!.secrets.map((secret) => secret.reveal());
    };
    expect(await signed()).toEqual(['new', 'old']);
    await pass(s.clock, day - 1, day / 8);
    expect(await signed()).toEqual(['new', 'old']);
    await pass(s.clock, 1);
    expect(await signed()).toEqual(['new']);
  });

  it('begins with the next attempt', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => answered(500);
    await logEvents(s, 1);
    const secrets = [{ secret: 'sealed fresh', expiresAt: null }];
    await s.store.putRecords({ ...s.store.current, endpoints: [endpoint('ep_a', { secrets })] });
    s.refresh();
    await pass(s.clock, 5_000);
    expect(s.posts.at(-1)!.secrets[0]!.reveal()).toBe('fresh');
  });
});

describe('the store', () => {
  it('away while an outcome is to be written: nothing new is attempted, nothing is lost', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.store.fails.recordAttempts = new StoreUnavailable('full', 'full');
    await logEvents(s, 10);
    const before = s.posts.length;
    await logEvents(s, 10);
    await pass(s.clock, 3_000, 250);
    expect(s.posts.length).toBe(before);
    s.store.fails = {};
    await pass(s.clock, 1_000, 250);
    expect([...s.store.rows.values()].every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(
      true,
    );
    expect(s.posts).toHaveLength(20);
  });

  it('away while a delivery is due: it is sent when the store is back', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => answered(500);
    await logEvents(s, 1);
    s.store.fails.dueWebhooks = new StoreUnavailable('down', 'down');
    await pass(s.clock, 20_000, 1_000);
    expect(s.posts).toHaveLength(1);
    s.store.fails = {};
    await pass(s.clock, 2_000, 500);
    expect(s.posts).toHaveLength(2);
    expect(s.faults).toEqual([]);
    expect(s.warnings).toEqual(['the store gives no webhooks now']);
  });

  it('away while an endpoint is to be disabled: it is disabled afterwards, with one notice', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.store.fails.addEvents = new StoreUnavailable('busy', 'busy');
    s.script.answer = () => answered(410);
    await logEvents(s, 2);
    await pass(s.clock, 5_000, 500);
    expect(s.store.current.endpoints[0]!.disabled).toBeNull();
    s.store.fails = {};
    await pass(s.clock, 1_000);
    expect(s.store.current.endpoints[0]!.disabled).toMatchObject({ why: 'gone' });
    expect(s.store.events.filter(({ type }) => type === 'endpoint.disabled')).toHaveLength(1);
  });
});

describe('endpoints that change', () => {
  const put = async (s: Stage, ...endpoints: ReturnType<typeof endpoint>[]) => {
    await s.store.putRecords({ ...s.store.current, endpoints });
    s.refresh();
    await settled();
  };

  it('disabled by hand: events meanwhile wait, and continue when it is enabled', async () => {
    const s = await stage([endpoint('ep_a', { disabled: { at: t0, why: 'by hand' } })]);
    await logEvents(s, 3);
    await pass(s.clock, day, day / 4);
    expect(s.posts).toHaveLength(0);
    expect(s.store.row('ep_a', 3).state).toBe('waiting');
    await put(s, endpoint('ep_a'));
    expect(s.posts).toHaveLength(3);
  });

  it('enabled again: a thousand that had failed go on at once, however long they had to wait, with all their tries', async () => {
    const s = await stage([endpoint('ep_a', { disabled: { at: t0, why: 'failing' } })]);
    await logEvents(s, 1_100);
    for (const row of s.store.rows.values())
      Object.assign(row, { tries: row.position % 3 ? 12 : 0, dueAt: t0 + 5 * day });
    s.store.fails.webhookDeliveries = new StoreUnavailable('busy', 'busy');
    await put(s, endpoint('ep_a'));
    expect(s.posts).toHaveLength(0);
    s.store.fails = {};
    await pass(s.clock, 1_000);
    await pass(s.clock, 1);
    expect(s.posts).toHaveLength(1_100);
    expect(s.store.outcomes.every(({ tries }) => tries === 0)).toBe(true);
  });

  it('enabled while the gateway was down, after seven days of failure: it starts anew', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.store.health.set('ep_a', { endpointId: 'ep_a', failingSince: t0 - 8 * day, lastSuccessAt: null });
    const again = await s.again();
    again.script.answer = () => answered(500);
    await logEvents(again, 1);
    expect(again.store.current.endpoints[0]!.disabled).toBeNull();
    expect(again.store.health.get('ep_a')!.failingSince).toBe(t0);
  });

  it('new: it gets what was given out to it before it was known here', async () => {
    const s = await stage([endpoint('ep_a')]);
    await logEvents(s, 1);
    await s.store.putRecords({ ...s.store.current, endpoints: [endpoint('ep_new')] });
    await s.store.fanOut({
      from: 1,
      to: 1,
      deliveries: [{ ...s.store.row('ep_a', 1), endpointId: 'ep_new', at: t0 }],
    });
    s.refresh();
    await settled();
    expect(s.posts.filter(to('new'))).toHaveLength(1);
  });

  it('deleted: nothing more is sent', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => answered(500);
    await logEvents(s, 1);
    await put(s, endpoint('ep_a', { deletedAt: t0 }));
    await pass(s.clock, day, day / 24);
    expect(s.posts).toHaveLength(1);
  });

  it('replayed: looked at now, even when it fails all the time', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => answered(500);
    await logEvents(s, 6);
    await pass(s.clock, 100_000, 1_000);
    s.script.answer = () => ok;
    Object.assign(s.store.row('ep_a', 3), { tries: 0, dueAt: s.clock.now() });
    const before = s.posts.length;
    s.notifier.replayed('ep_a');
    await settled();
    expect(s.posts.length - before).toBe(1);
    expect(s.store.row('ep_a', 3).state).toBe('delivered');
    s.notifier.replayed('ep_unknown');
  });
});

describe('stop', () => {
  it('begins nothing more, waits for what is under way and records it', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => null;
    await logEvents(s, 40);
    const stopping = s.notifier.stop();
    await pass(s.clock, 5_000);
    const underWay = s.posts.length;
    expect(underWay).toBeLessThan(40);
    for (const post of s.posts) post.answer(ok);
    await stopping;
    expect(s.posts).toHaveLength(underWay);
    expect(s.store.outcomes).toHaveLength(underWay);
    expect(s.script.closed).toBe(true);
  });

  it('waits no longer than 8 s', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => null;
    await logEvents(s, 1);
    const stopping = s.notifier.stop();
    await pass(s.clock, 8_000);
    await stopping;
    s.posts[0]!.answer(ok);
    await settled();
    expect(s.store.outcomes).toEqual([]);
    expect(s.faults).toEqual([]);
  });

  it('waits no longer than it is told', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => null;
    await logEvents(s, 1);
    const resting = s.notifier.rest(1_000);
    await pass(s.clock, 1_000);
    await resting;
    expect(s.store.outcomes).toEqual([]);
  });

  it('records what a start that failed half-way had begun', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => null;
    await logEvents(s, 1);
    const resting = s.notifier.rest(1);
    await pass(s.clock, 1);
    await resting;
    s.store.fannedOut = async () => {
      await settled();
      throw new StoreUnavailable('down', 'down');
    };
    const started = s.notifier.start().catch((error: unknown) => error);
    await settled();
    await settled();
    expect(s.posts).toHaveLength(2);
    await pass(s.clock, 1_000);
    s.posts[1]!.answer(ok);
    expect(await started).toBeInstanceOf(StoreUnavailable);
    expect(s.store.outcomes).toHaveLength(1);
  });

  it('ends when the store takes nothing any more', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.store.fails.recordAttempts = new StoreUnavailable('down', 'down');
    await logEvents(s, 1);
    const stopping = s.notifier.stop();
    await pass(s.clock, 1_000, 250);
    await stopping;
    expect(s.faults).toEqual([]);
  });
});
