import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Directory } from '../../model/directory.ts';
import type { Newest } from '../../store/context.ts';
import { createMemory } from './memory.ts';

/** Each read brings one version more. */
function reading(newest: Newest | null) {
  const has = { records: 1, consent: 1 };
  const state = { newest, reads: 0 };
  const clock = settlingClock();
  const memory = createMemory({
    clock,
    logger: silentLogger,
    store: { newest: () => state.newest },
    directory: {
      current: () => ({ version: has.records }) as Directory,
      catchUp: async () => {
        has.records += 1;
      },
    },
    consent: {
      version: () => has.consent,
      refresh: async () => {
        state.reads += 1;
        has.consent += 1;
      },
    },
  });
  return { has, state, clock, memory };
}

describe('memory', () => {
  it.each([
    ['nothing is newer', { records: 1, consent: 1 }, false],
    ['it is ahead of the last transaction', { records: 0, consent: 0 }, false],
    ['records have changed', { records: 2, consent: 1 }, true],
    ['an opt-out was entered', { records: 1, consent: 2 }, true],
    ['no other process writes', null, false],
  ])('where %s', (_, newest, isBehind) => {
    expect(reading(newest).memory.isBehind()).toBe(isBehind);
  });

  it('catches up with what was stored at the call, and reads no further', async () => {
    const { has, state, memory } = reading({ records: 1, consent: 4 });
    const caughtUp = memory.catchUp();
    state.newest = { records: 1, consent: 9 };
    await caughtUp;
    expect(has.consent).toBe(4);
  });

  it('looks for opt-outs by itself every second where other processes write, until it is stopped', async () => {
    const { state, clock, memory } = reading({ records: 1, consent: 1 });
    memory.start();
    await clock.pass(2_000);
    expect(state.reads).toBe(2);
    memory.stop();
    await clock.pass(5_000);
    expect(state.reads).toBe(2);
    const alone = reading(null);
    alone.memory.start();
    await alone.clock.pass(5_000);
    expect(alone.state.reads).toBe(0);
  });
});
