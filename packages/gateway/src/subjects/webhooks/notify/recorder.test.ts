/** Recording: no added result is missed, whenever it is added. */
import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../../test/props/clock.ts';
import { silentLogger } from '../../../kernel/logger.ts';
import type { AttemptOutcome, EndpointHealth } from '../../../messaging/store/items.ts';
import { StoreUnavailable } from '../../../store/faults.ts';
import { settled } from './notify-fixture.ts';
import { createRecorder } from './recorder.ts';

const health: EndpointHealth = { endpointId: 'ep_a', failingSince: null, lastSuccessAt: 1 };
const outcome = (position: number) => ({ endpointId: 'ep_a', position }) as AttemptOutcome;

function recorder(recordAttempts = async () => {}) {
  const recorded: number[] = [];
  const faults: unknown[] = [];
  const made = createRecorder({
    clock: settlingClock(),
    logger: silentLogger,
    store: { recordAttempts },
    recorded: (outcomes) => recorded.push(...outcomes.map(({ position }) => position)),
    broken: (error) => faults.push(error),
  });
  return { ...made, recorded, faults };
}

describe('the recorder', () => {
  it('writes at once what comes while a write is ending', async () => {
    for (let turns = 0; turns < 20; turns++) {
      const { add, recorded } = recorder();
      add(outcome(1), health);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      add(outcome(2), health);
      await settled();
      expect(recorded, `after ${turns} turns`).toEqual([1, 2]);
    }
  });

  it('stops without the store, too', async () => {
    const { add, stop, recorded } = recorder(() => Promise.reject(new StoreUnavailable('down', 'down')));
    const stopped = stop();
    add(outcome(1), health);
    await stopped;
    await settled();
    expect(recorded).toEqual([]);
  });

  it('reports a fault and continues', async () => {
    let faulty = true;
    const { add, recorded, faults } = recorder(async () => {
      if (faulty) throw new Error('a bug');
    });
    add(outcome(1), health);
    await settled();
    faulty = false;
    add(outcome(2), health);
    await settled();
    expect(faults).toEqual([new Error('a bug')]);
    expect(recorded).toEqual([2]);
  });
});
