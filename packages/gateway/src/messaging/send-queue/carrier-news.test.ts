import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { directoryOf } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { NewEvent } from '../store/items.ts';
import { createCarrierNews } from './carrier-news.ts';

function news() {
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
  const { link, stop } = createCarrierNews({
    clock,
    ids: { next: (prefix) => `${prefix}${++ids}` },
    logger: silentLogger,
    store,
    directory: () => directoryOf(),
    broken: (error) => faults.push(error),
  });
  const told = () => events.map(({ type, accountId, data }) => [type, accountId, data.carrierId]);
  return { clock, store, link, stop, told, faults };
}

describe('news of carriers', () => {
  it('report a carrier that stays down and its return, once each', async () => {
    const { clock, link, told } = news();
    link('a', true);
    link('a', false);
    link('a', false);
    await clock.pass(9_999);
    expect(told()).toEqual([]);
    await clock.pass(1);
    expect(told()).toEqual([['carrier.down', 'acc1', 'a']]);
    link('a', true);
    link('a', true);
    await clock.pass(60_000);
    expect(told()).toEqual([
      ['carrier.down', 'acc1', 'a'],
      ['carrier.up', 'acc1', 'a'],
    ]);
  });

  it('report a carrier that never came up', async () => {
    const { clock, link, told } = news();
    link('a', false);
    await clock.pass(10_000);
    expect(told()).toEqual([['carrier.down', 'acc1', 'a']]);
  });

  it('say nothing of a link that flaps, of a carrier on no record, and after the end', async () => {
    const { clock, link, stop, told } = news();
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
    expect(told()).toEqual([]);
  });

  it('wait for the store, and hand on what is no passing fault', async () => {
    const { clock, store, link, told, faults } = news();
    store.fails = new StoreUnavailable('full', 'disk full');
    link('a', false);
    await clock.pass(11_000);
    expect(told()).toEqual([]);
    store.fails = null;
    await clock.pass(1_000);
    expect(told()).toEqual([['carrier.down', 'acc1', 'a']]);
    store.fails = new Error('bug');
    link('a', true);
    await clock.pass(0);
    expect(faults).toEqual([store.fails]);
  });
});
