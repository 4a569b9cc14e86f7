/** Sending that comes and goes, as another of several nodes sends in between. */
import { describe, expect, it } from 'vitest';
import { endpoint } from '../../../model/world-fixture.ts';
import { StoreUnavailable } from '../../../store/faults.ts';
import { on, pass, settled, stage } from './notify-fixture.ts';

const positions = (posts: readonly { id: string }[]) => posts.map(({ id }) => id);

describe('a notifier', () => {
  it('that rests sends nothing more, notifies listeners of new events, and goes on where another has stopped', async () => {
    const first = await stage([endpoint('ep_a')]);
    const notified: number[] = [];
    first.notifier.changed((_, events) => notified.push(...events.map(({ position }) => position)));
    first.store.log(1);
    first.notifier.nudge();
    await settled();
    await first.notifier.rest();
    const second = await on(first.store, first.clock);
    first.store.log(2);
    for (const { notifier } of [first, second]) notifier.nudge();
    await settled();
    await pass(first.clock, 2_000, 250);
    expect([first.posts.length, second.posts.length]).toEqual([1, 2]);
    expect(notified).toEqual([1, 2, 3]);
    await second.notifier.rest();
    await first.notifier.start();
    first.store.log(1);
    await pass(first.clock, 2_000, 250);
    expect([first.posts.length, second.posts.length]).toEqual([2, 2]);
    expect(new Set([...positions(first.posts), ...positions(second.posts)]).size).toBe(4);
    expect(notified).toEqual([1, 2, 3, 4]);
    expect([...first.faults, ...second.faults]).toEqual([]);
  });

  it('that rests waits for what is under way, and records it', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.script.answer = () => null;
    s.store.log(1);
    s.notifier.nudge();
    await settled();
    let rests = false;
    const resting = s.notifier.rest().then(() => {
      rests = true;
    });
    await settled();
    expect([s.posts.length, rests]).toEqual([1, false]);
    s.posts[0]!.answer({ kind: 'answered', status: 200, answer: '', retryAfter: null, durationMs: 1 });
    await resting;
    expect(s.store.outcomes).toHaveLength(1);
  });

  it('whose writes are refused, as another node sends, attempts nothing more', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.store.fails.recordAttempts = new StoreUnavailable('busy', 'this node does not have it');
    s.store.log(1);
    s.notifier.nudge();
    await settled();
    s.store.log(5);
    s.notifier.nudge();
    await pass(s.clock, 3_000, 250);
    expect(s.posts).toHaveLength(1);
    const resting = s.notifier.rest();
    await pass(s.clock, 500, 250);
    await resting;
    expect(s.store.outcomes).toEqual([]);
  });

  it('attempts nothing while another node may have taken over, and goes on when the lease is renewed', async () => {
    const s = await stage([endpoint('ep_a')]);
    s.store.leased = false;
    s.store.log(2);
    s.notifier.nudge();
    await pass(s.clock, 2_000, 250);
    expect(s.posts).toEqual([]);
    s.store.leased = true;
    await pass(s.clock, 500, 250);
    expect(s.posts).toHaveLength(2);
  });
});
