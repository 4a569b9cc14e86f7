/** The live stream: who gets which events, resuming where a browser left off, and every way it ends. */
import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type Browser, openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import type { ChangedListener } from '../webhooks/notify/follow.ts';
import { createLive, type Live, liveLimits } from './live.ts';
import { streamLimits, streamRoutes } from './stream-routes.ts';

let world: PortalWorld;
let live: Live;
let notifyLog: ChangedListener | null = null;
const cuts: (() => void)[] = [];

async function open(): Promise<void> {
  world = await openPortalWorld({
    modules: ({ store, directory, clock }) => {
      live = createLive({
        store,
        directory,
        changed: (listener) => {
          notifyLog = listener;
          return () => {
            notifyLog = null;
          };
        },
      });
      return [(routes, deps) => streamRoutes({ live, store })(routes, { ...deps, clock })];
    },
  });
}

afterEach(async () => {
  for (const cut of cuts.splice(0)) cut();
  live.end();
  await world.close();
});

interface Client {
  status: number;
  text: string;
  ended: boolean;
  until(needle: string | RegExp): Promise<string>;
  untilEnded(): Promise<void>;
  cut(): void;
}

function listen(browser: Browser, headers: Record<string, string> = {}): Promise<Client> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port: world.testServer.port,
      path: '/api/portal/v1/stream',
      agent: false,
      headers: { cookie: browser.cookie ?? '', 'sec-fetch-site': 'same-origin', ...headers },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      const waiting = new Set<() => void>();
      const moved = (): void => {
        for (const look of waiting) look();
      };
      const client: Client = {
        status: response.statusCode ?? 0,
        text: '',
        ended: false,
        until: (needle) =>
          new Promise((found) => {
            const look = (): void => {
              if (client.text.search(needle) === -1) return;
              waiting.delete(look);
              found(client.text);
            };
            waiting.add(look);
            look();
          }),
        untilEnded: () => new Promise((over) => (client.ended ? over() : response.once('close', () => over()))),
        cut: () => call.destroy(),
      };
      response.setEncoding('utf8').on('data', (text: string) => {
        client.text += text;
        moved();
      });
      response.on('error', () => {});
      response.on('close', () => {
        client.ended = true;
      });
      call.off('error', reject).on('error', () => {});
      cuts.push(client.cut);
      resolve(client);
    });
    call.end();
  });
}

async function log(accountId: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const eventId = `evt_${accountId.toUpperCase().replace('_', '')}${await live.position()}N${i}`;
    await world.store.addEvents([
      { eventId, accountId, type: 'contact.opted_out', at: world.clock.now(), data: { secret: 'words of a text' } },
    ]);
  }
}

/** As the log's follower does. */
async function notifyFrom(after: number): Promise<void> {
  const { events } = await world.store.eventsAfter({ after, limit: 1_000 });
  notifyLog?.(new Set(events.map(({ accountId }) => accountId)), events);
}

describe('who hears what', () => {
  it('follows the log of the own account, with its positions, and of no other', async () => {
    await open();
    const one = await listen(await world.as('Viewer'));
    await one.until('event: ready');
    const two = await listen(await world.as('Owner', 'acc_two'));
    await two.until('event: ready');
    await log('acc_one', 1);
    await notifyFrom(0);
    world.clock.pass(streamLimits.flushMs);
    const text = await one.until('event: contact');
    expect(text).toMatch(/id: 1\nevent: contact\ndata: \{[^\n]*\}\n\n/);
    expect(text).not.toContain('words of a text');
    live.recordsChanged(7);
    world.clock.pass(streamLimits.flushMs);
    expect(await two.until('event: records')).not.toContain('contact');
  });

  it('reports a carrier that is down to operators at once, and others only through their log', async () => {
    await open();
    const operator = await listen(await world.as('Owner'));
    await operator.until('event: ready');
    const plain = await listen(await world.as('Admin'));
    await plain.until('event: ready');
    live.linkChanged('car_1', false);
    live.recordsChanged(8);
    world.clock.pass(streamLimits.flushMs);
    expect(await operator.until('event: records')).toContain('"carrierId":"car_1","state":"down"');
    expect(await plain.until('event: records')).not.toContain('car_1');
  });

  it('lets nobody in who is not signed in', async () => {
    await open();
    expect((await listen(world.browser())).status).toBe(401);
  });
});

describe('going on', () => {
  it('gives what was missed, once, then what is new', async () => {
    await open();
    await log('acc_one', 3);
    const client = await listen(await world.as('Owner'), { 'last-event-id': '1' });
    await client.until(/id: 3\nevent: contact/);
    await notifyFrom(1);
    await log('acc_one', 1);
    await notifyFrom(3);
    world.clock.pass(streamLimits.flushMs);
    const text = await client.until(/id: 4\nevent: contact/);
    expect(text.match(/^id: \d+$/gm)).toEqual(['id: 1', 'id: 2', 'id: 3', 'id: 4']);
  });

  it('says that there is a gap when it is too far back, or of another log', async () => {
    await open();
    const browser = await world.as('Owner');
    expect(await (await listen(browser, { 'last-event-id': '99' })).until('event: ')).toContain('event: gap');
    await log('acc_one', 1);
    await log('acc_two', 2);
    live.since = async () => null;
    expect(await (await listen(browser, { 'last-event-id': '0' })).until('event: ')).toContain('id: 3\nevent: gap');
    expect(liveLimits.placesAgainMax).toBeGreaterThan(streamLimits.eventsPerFlush);
  });

  it('says so instead of telling of a flood', async () => {
    await open();
    const client = await listen(await world.as('Owner'));
    await client.until('event: ready');
    for (let version = 0; version < 500; version++) live.recordsChanged(version);
    world.clock.pass(streamLimits.flushMs);
    const text = await client.until('event: gap');
    expect(text).not.toContain('event: records');
  });

  it('refuses a place that is none', async () => {
    await open();
    expect((await listen(await world.as('Owner'), { 'last-event-id': 'x' })).status).toBe(400);
  });
});

describe('the end', () => {
  it('pings, and ends with its session', async () => {
    await open();
    const browser = await world.as('Admin');
    const client = await listen(browser);
    await client.until('event: ready');
    await turns();
    world.clock.pass(streamLimits.pingMs);
    await client.until('event: ping');
    expect((await browser.call('POST', '/sign-out')).status).toBe(200);
    await turns();
    world.clock.pass(streamLimits.pingMs);
    await client.untilEnded();
    expect(client.text).toContain('event: bye\ndata: {"why":"session"}');
  });

  it('ends within a second of its session', async () => {
    await open();
    const browser = await world.as('Admin');
    const client = await listen(browser);
    await client.until('event: ready');
    await turns();
    expect((await browser.call('POST', '/sign-out')).status).toBe(200);
    expect(streamLimits.sessionMs).toBeLessThan(1_000);
    world.clock.pass(streamLimits.sessionMs);
    await client.untilEnded();
    expect(client.text).toContain('event: bye\ndata: {"why":"session"}');
  });

  it('ends when the gateway stops, and nobody comes in after that', async () => {
    await open();
    const browser = await world.as('Owner');
    const client = await listen(browser);
    await client.until('event: ready');
    live.end();
    await client.untilEnded();
    const late = await listen(browser);
    await late.untilEnded();
    expect(late.text).toContain('"why":"restart"');
  });

  it('takes so many for one session, and gives the place back', async () => {
    await open();
    const browser = await world.as('Owner');
    const clients: Client[] = [];
    for (let i = 0; i < streamLimits.perSession; i++) clients.push(await listen(browser));
    expect((await listen(browser)).status).toBe(503);
    expect((await listen(await world.as('Admin'))).status).toBe(200);
    clients[0]!.cut();
    let status = 503;
    for (let tries = 0; status === 503 && tries < 100; tries++) status = (await listen(browser)).status;
    expect(status).toBe(200);
  });
});

/** Lets the store and the server finish their turns after an answer. */
async function turns(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
}
