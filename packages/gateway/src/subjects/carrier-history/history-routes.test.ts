/** The operator's board over HTTP and a real store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildDirectory } from '../../carriers/directory.ts';
import { type Browser, openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { type HistoryRow, historyHourMs as hour } from '../../model/carrier-history.ts';
import { noRecords } from '../../model/records.ts';
import { carrier } from '../../model/world-fixture.ts';
import { carrierHistoryRoutes } from './history-routes.ts';
import { createHistoryService } from './history-service.ts';

let world: PortalWorld;
let operator: Browser;
let now: number;

beforeEach(async () => {
  const carriers = ['a', 'b'].map((carrierId) => carrier(carrierId, 'smpp', { smpp: { registered_delivery: true } }));
  const directory = buildDirectory({ ...noRecords(), carriers, version: 1 });
  world = await openPortalWorld({
    modules: (parts) => [carrierHistoryRoutes(createHistoryService({ ...parts, directory: () => directory }))],
  });
  operator = await world.as('Owner');
  now = Math.floor(world.clock.now() / hour) * hour;
});
afterEach(() => world.close());

const add = (carrierId: string, hoursAgo: number, figures: HistoryRow['figures'], counts: HistoryRow['counts'] = []) =>
  world.store.addCarrierHistory({
    rows: [{ carrierId, at: now - hoursAgo * hour, figures: { watchedMs: hour, upMs: hour, ...figures }, counts }],
    demo: '',
  });
const ask = async (path: string) => (await operator.call('GET', `/carrier-history${path}`)).json;

describe('the board', () => {
  it('holds each carrier against the time before, and says what got worse', async () => {
    await add('a', 0, { taken: 100, delivered: 90, undelivered: 4 });
    await add('a', 25, { taken: 100, delivered: 92, undelivered: 2 });
    await add('b', 3, { taken: 60, refused: 40 });
    await add('b', 30, { taken: 98, refused: 2 });
    // In neither of the two periods.
    await add('b', 49, { taken: 1_000 });
    const { data, detail } = await ask('');
    expect(detail).toBe('2 carriers, 1 got worse.');
    expect(data).toMatchObject({ range: '24h', from: new Date(now - 23 * hour).toISOString() });
    const [a, b] = data.carriers;
    expect(a).toMatchObject({ carrierId: 'a', now: { taken: 100 }, before: { taken: 100 }, worse: [] });
    expect(a.trend).toEqual([...Array.from({ length: 23 }, () => null), 100]);
    expect(b).toMatchObject({ now: { refusalRate: 0.4 }, before: { taken: 98, refusalRate: 0.02 } });
    expect(b.worse).toEqual([{ figure: 'refusalRate', now: 0.4, before: 0.02, weight: 0.38 }]);
    expect((await ask('?range=7d')).data.carriers[1].now.taken).toBe(1_158);
    expect((await ask('?range=1h')).data.carriers[0].trend).toHaveLength(60);
  });

  it('shows one carrier bar by bar, with its codes', async () => {
    const code = (name: string, count: number, part: 'refused' | 'undelivered' | 'delay' = 'refused') => ({
      part,
      name,
      count,
    });
    await add('a', 0, { taken: 5, refused: 3 }, [code('CARRIER_REJECTED', 3), code('UNREACHABLE', 9, 'undelivered')]);
    await add('a', 2, { taken: 1 }, [code('CARRIER_REJECTED', 1), code('10', 4, 'delay')]);
    await add('a', 26, { taken: 7 }, [code('CARRIER_REJECTED', 2), code('MALFORMED', 1)]);
    await add('b', 0, { taken: 100 }, [code('CARRIER_REJECTED', 50)]);
    const { data } = await ask('/a');
    expect(data).toMatchObject({ carrierId: 'a', now: { taken: 6 }, before: { taken: 7 } });
    expect(data.codes).toEqual([
      { part: 'undelivered', code: 'UNREACHABLE', count: 9, before: 0 },
      { part: 'refused', code: 'CARRIER_REJECTED', count: 4, before: 2 },
      { part: 'refused', code: 'MALFORMED', count: 0, before: 1 },
    ]);
    expect(data.bars).toHaveLength(24);
    expect(data.bars.at(-1)).toMatchObject({ taken: 5, refused: 3, delayP50Ms: null });
    expect(Math.round(data.bars.at(-3).delayP50Ms)).toBe(619);
    expect(data.bars[0]).toMatchObject({ watchedMs: 0, perSecond: null });
    expect((await ask('/nobody')).reason).toBe('NOT_FOUND');
  });

  it('refuses another range, and everybody who is no operator', async () => {
    for (const path of ['?range=2h', '/a?range=', '?range=1h&range=6h']) {
      expect((await ask(path)).reason, path).toBe('INVALID_FIELD');
    }
    const developer = await world.as('Developer');
    for (const path of ['', '/a']) expect((await developer.call('GET', `/carrier-history${path}`)).status).toBe(403);
  });
});
