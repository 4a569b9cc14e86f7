import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { directoryOf } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { NewEvent } from '../store/items.ts';
import { createCarrierNotifier } from './carrier-notifier.ts';

function carrierNotifier() {
  const clock = settlingClock();
  const events: NewEvent[] = [];
  const store = {
    fails: null as Error | null,
    addEvents: async (added: NewEvent[]) => {
      if (store.fails !== null) throw store.fails;
      events.push(...added);
    },
  };
  let ids = 0;
  const faults: unknown[] = [];
  const { link, stop } = createCarrierNotifier({
    clock,
    ids: { next: (prefix) => `${prefix}${++ids}` },
    logger: silentLogger,
    store,
    directory: () => directoryOf(),
    broken: (error) => faults.push(error),
  });
  const reported = () => events.map(({ type, accountId, data }) => [type, accountId, data.carrierId]);
  return { clock, store, link, stop, reported, faults };
}

describe('news of carriers', () => {
  it('report a carrier that stays down and its return, once each', async () => {
    const { clock, link, reported } = carrierNotifier();
    link('a', true);
    link('a', false);
    link('a', false);
    await clock.pass(9_999);
    expect(reported()).toEqual([]);
    await clock.pass(1);
    expect(reported()).toEqual([['carrier.down', 'acc1', 'a']]);
    link('a', true);
    link('a', true);
    await clock.pass(60_000);
    expect(reported()).toEqual([
      ['carrier.down', 'acc1', 'a'],
      ['carrier.up', 'acc1', 'a'],
    ]);
  });

  it('report a carrier that never came up', async () => {
    const { clock, link, reported } = carrierNotifier();
    link('a', false);
    await clock.pass(10_000);
    expect(reported()).toEqual([['carrier.down', 'acc1', 'a']]);
  });

  it('say nothing of a link that flaps, of a carrier on no record, and after the end', async () => {
    const { clock, link, stop, reported } = carrierNotifier();
    for (let i = 0; i < 10; i++) {
      link('a', false);
      await clock.pass(5_000);
      link('a', true);
    }
    link('gone', false);
    await clock.pass(20_000);
    link('a', false);
    stop();
    await clock.pass(20_000);
    expect(reported()).toEqual([]);
  });

  it('wait for the store, and hand on what is no passing fault', async () => {
    const { clock, store, link, reported, faults } = carrierNotifier();
    store.fails = new StoreUnavailable('full', 'disk full');
    link('a', false);
    await clock.pass(11_000);
    expect(reported()).toEqual([]);
    store.fails = null;
    await clock.pass(1_000);
    expect(reported()).toEqual([['carrier.down', 'acc1', 'a']]);
    store.fails = new Error('bug');
    link('a', true);
    await clock.pass(0);
    expect(faults).toEqual([store.fails]);
  });
});
