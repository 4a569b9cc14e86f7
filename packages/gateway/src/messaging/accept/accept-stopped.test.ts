/** Recipients who opt out through another process between the checks and the commit. */
import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../store/faults.ts';
import type { AcceptItem } from '../store/items.ts';
import { answer, world } from './accept-fixture.ts';

const to = ['12025550100', '12025550101'];

describe('an opt-out that another process has entered', () => {
  it('is known to the store: the request is judged again, and only that recipient is refused', async () => {
    const optedOut: string[] = [];
    const judgements: AcceptItem['judged'][] = [];
    const { send, stored, slots } = world({
      optedOut,
      stopped: ([item]) => {
        judgements.push(item!.judged);
        return optedOut.length === 0;
      },
      caughtUp: () => optedOut.push(`campaign:C1 ${to[0]}`),
    });
    slots.free = 2;
    const { results } = answer(await send({ to }));
    expect(results.map(({ status }) => status)).toEqual(['OPTED_OUT', 'SUCCESS']);
    expect(judgements).toEqual([
      { scope: 'campaign:C1', version: 3 },
      { scope: 'campaign:C1', version: 4 },
    ]);
    expect(stored).toHaveLength(1);
    expect(slots).toMatchObject({ free: 1, taken: [{ to: to[1] }] });
  });

  it('ends in busy when they come faster than the request can be judged', async () => {
    let times = 0;
    const { send, stored } = world({
      stopped: () => {
        times += 1;
        return true;
      },
    });
    await expect(send({ to })).rejects.toThrow(StoreUnavailable);
    expect([times, stored.length]).toEqual([5, 0]);
  });

  it('cannot be where one process alone enters them', async () => {
    const { send, stored } = world();
    await send({ to });
    expect(stored[0]).not.toHaveProperty('judged');
  });
});
