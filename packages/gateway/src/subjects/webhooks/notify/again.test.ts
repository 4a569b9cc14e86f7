/** Events that repeat another. */
import { describe, expect, it } from 'vitest';
import { endpoint } from '../../../model/world-fixture.ts';
import { StoreUnavailable } from '../../../store/faults.ts';
import { pass, type Stage, settled, stage } from './notify-fixture.ts';

async function logEvents(s: Stage, count: number): Promise<void> {
  s.store.log(count);
  s.notifier.nudge();
  await settled();
}

describe('an event that repeats another', () => {
  const again = {
    type: 'message.delivered',
    message: null,
    data: { resend: { endpointId: 'ep_a', position: 1 } },
  } as const;

  it('goes out with its content under an id of its own, and not at all when that is gone', async () => {
    const s = await stage([endpoint('ep_a', { timeoutMs: 2_000 })]);
    await logEvents(s, 1);
    s.store.log(1, again);
    s.notifier.nudge();
    await settled();
    const [first, second] = s.posts;
    expect(second!.body).toBe(first!.body);
    expect(second!.id).not.toBe(first!.id);
    expect([first!.timeoutMs, second!.timeoutMs]).toEqual([2_000, 2_000]);
    s.store.log(1, { ...again, data: { resend: { endpointId: 'ep_a', position: 99 } } });
    s.notifier.nudge();
    await settled();
    expect(s.posts).toHaveLength(2);
    expect(s.store.outcomes.at(-1)).toMatchObject({ attempt: { status: null, error: 'gone' } });
  });

  it('waits while the store does not answer', async () => {
    const s = await stage([endpoint('ep_a')]);
    await logEvents(s, 1);
    s.store.fails.webhookDelivery = new StoreUnavailable('busy', 'x');
    s.store.log(1, again);
    s.notifier.nudge();
    await settled();
    expect(s.posts).toHaveLength(1);
    delete s.store.fails.webhookDelivery;
    await pass(s.clock, 1_000, 250);
    expect(s.posts).toHaveLength(2);
    expect(s.faults).toEqual([]);
  });
});
