import { createFaultInjection } from '@heliograph/sandbox';
import { noFaults, ordinarySettings } from '@heliograph/sandbox/faults';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { openTestServer, recordsOf, type Speak, speak, type TestServer } from '../../http/server-fixture.ts';
import { createIds } from '../../kernel/ids.ts';
import { account, inLive, inSandbox, keyOf, newPair, number, own } from '../../model/world-fixture.ts';
import { sandboxResetRoute } from './sandbox-carrier-route.ts';
import { sandboxDemoRoutes } from './sandbox-demo-routes.ts';
import { sandboxFaultRoutes } from './sandbox-fault-routes.ts';
import { createWireLog, type WireLog } from './wire-log.ts';

const phone = '12025550100';
const path = `/api/v1/sandbox/handsets/${phone}/behaviour`;
const faultsPath = '/api/v1/sandbox/faults';
const live = newPair('live');

let testServer: TestServer;
let wire: WireLog;
let dropped: number;

beforeAll(async () => {
  const clock = movedClock();
  const faultInjection = createFaultInjection({ clock, random: steadyRandom(), ownerOf: () => account.accountId });
  wire = createWireLog({ clock, ids: createIds(clock, steadyRandom()) });
  const withLinks = { ...faultInjection, dropLinks: () => ++dropped };
  testServer = await openTestServer({
    routes: [
      sandboxFaultRoutes(withLinks, wire),
      sandboxResetRoute({ clear: () => {} }, faultInjection),
      sandboxDemoRoutes({
        data: async () => null,
        seed: async () => ({ from: 0, until: 1, messages: 1 }),
        remove: async () => 1,
        onChanged: () => {},
      }),
    ],
  });
  testServer.use({
    ...recordsOf([keyOf(testServer.pair), keyOf(live, inLive)]),
    numbers: [number(own, { ...inSandbox, campaignId: null })],
  });
});
afterAll(() => testServer.close());
beforeEach(() => {
  dropped = 0;
});

const get = (where: string, more: Speak = {}) => speak(testServer, { method: 'GET', path: where, ...more });
const post = (where: string, body: unknown, more: Speak = {}) =>
  speak(testServer, { method: 'POST', path: where, body, ...more });

describe('the behaviour of a handset', () => {
  it('is set, read, and made ordinary again', async () => {
    const settings = { power: 'off', receipt: { outcome: 'UNDELIV' }, autoReply: { text: 'Later' } };
    const now = {
      number: phone,
      power: 'off',
      inbox: 'space',
      receipt: { outcome: 'UNDELIV', afterMs: 400 },
      autoReply: { text: 'Later', afterMs: 1_000 },
    };
    expect((await post(path, settings)).json.data).toEqual(now);
    expect((await get(path)).json.data).toEqual(now);
    expect((await post(path, {})).json.data).toEqual({ number: phone, ...ordinarySettings });
  });

  it.each([
    [{ power: 'maybe' }, 'power'],
    [{ receipt: { outcome: 'DELIVRD', afterMs: -1 } }, 'receipt.afterMs'],
    [{ receipt: {} }, 'outcome'],
    [{ autoReply: { text: ' ' } }, 'autoReply'],
    [{ powr: 'off' }, 'powr'],
    [[], 'object'],
  ])('%j is refused, and nothing changes', async (body, named) => {
    const { status, json } = await post(path, body);
    expect([status, json.success]).toEqual([400, false]);
    expect(json.detail).toContain(named);
    expect((await get(path)).json.data).toEqual({ number: phone, ...ordinarySettings });
  });

  it('of what is no handset is refused', async () => {
    expect((await get('/api/v1/sandbox/handsets/x/behaviour')).status).toBe(400);
    expect((await post('/api/v1/sandbox/handsets/x/behaviour', {})).status).toBe(400);
  });
});

describe('faults', () => {
  it('are set, read, and ended', async () => {
    const settings = { refuseBind: true, loseReceiptsPercent: 20, throttlePerSecond: 0 };
    expect((await post(faultsPath, settings)).json.data).toEqual({ ...noFaults, ...settings });
    expect((await get(faultsPath)).json.data).toEqual({ ...noFaults, ...settings });
    expect(dropped).toBe(0);
    expect((await post(faultsPath, {})).json.data).toEqual(noFaults);
  });

  it('drop the link once', async () => {
    expect((await post(faultsPath, { dropLink: true })).json.data).toEqual(noFaults);
    expect(dropped).toBe(1);
  });

  it.each([[{ loseReceiptsPercent: 101 }], [{ refuseBind: 'yes' }], [{ lose: 1 }], [{ answerAfterMs: 60_001 }]])(
    '%j is refused',
    async (body) => {
      expect((await post(faultsPath, body)).status).toBe(400);
      expect((await get(faultsPath)).json.data).toEqual(noFaults);
    },
  );
});

it.each([
  ...[path, faultsPath, '/api/v1/sandbox/demo'].flatMap((where) => [`GET ${where}`, `POST ${where}`]),
  'DELETE /api/v1/sandbox/demo',
  'POST /api/v1/sandbox/reset',
])('%s answers without a cursor: it is no list', async (operation) => {
  const [method = '', where] = operation.split(' ');
  const { status, json } = await speak(testServer, { method, path: where!, ...(method === 'POST' && { body: {} }) });
  expect([status, Object.keys(json)]).toEqual([200, ['success', 'reason', 'detail', 'data']]);
});

describe('the wire', () => {
  it('shows what is about the own numbers and the link, and goes on after an entry', async () => {
    const common = { link: 'smpp', direction: 'to_carrier', command: 'submit_sm' } as const;
    wire.add({ ...common, command: 'bind_transceiver' });
    wire.add({ ...common, own, handset: phone, text: 'mine' });
    wire.add({ ...common, own: '12025550150', handset: phone, text: 'secret' });
    wire.add({ ...common, own, handset: '12025550101', text: 'other phone' });
    const all = (await get('/api/v1/sandbox/wire')).json.data;
    expect(all.map(({ text }: { text: string }) => text)).toEqual([null, 'mine', 'other phone']);
    const one = (await get('/api/v1/sandbox/wire', { query: `number=${phone}` })).json.data;
    expect(one.map(({ text }: { text: string }) => text)).toEqual([null, 'mine']);
    expect((await get('/api/v1/sandbox/wire', { query: `after=${all[1].id}` })).json.data).toEqual([all[2]]);
  });

  it.each(['number=x', 'after=x', 'wait=61', 'number=1&number=2'])('%s is refused', async (query) => {
    const { status, json } = await get('/api/v1/sandbox/wire', { query });
    expect([status, json.reason]).toEqual([400, 'INVALID_FIELD']);
  });
});

it('a live pair finds none of it', async () => {
  const pair = { bearer: live.bearerToken, apikey: live.authToken };
  for (const where of [path, faultsPath, '/api/v1/sandbox/wire']) expect((await get(where, pair)).status).toBe(404);
  for (const where of [path, faultsPath]) expect((await post(where, {}, pair)).status).toBe(404);
});
