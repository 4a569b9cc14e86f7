/**
 * Two whole gateways on one database: an MMS that an MM4 carrier brings to either of them is taken once and seen at both, and
 * the limits of a campaign hold for what both send together.
 */
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../packages/gateway/src/app/open-store.ts';
import { forwardReq, mm4Bytes } from '../../packages/gateway/src/carriers/mm4/mm4-fixture.ts';
import { mailPieces, smtpTalk, stuffed } from '../../packages/gateway/src/carriers/mm4/peer-fixture.ts';
import { machineClock } from '../../packages/gateway/src/kernel/machine.ts';

import { emptyRegistration, type Pacing } from '../../packages/gateway/src/model/registration.ts';
import { clusterEnv } from '../crash/nodes.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { type Gateway, startGateway } from '../props/gateway.ts';
import { liveCaller, writeLiveRecords } from '../props/live-records.ts';
import { readMessageLog } from '../props/message-log.ts';
import { openScene, type Scene } from '../props/scene.ts';

const window = 10;
const minuteMs = 60_000;
const waitMs = 40_000;

let server: TestPostgres;
let scene: Scene;
const nodes: Gateway[] = [];

beforeAll(async () => {
  server = await startPostgres();
  const databaseUrl = await server.createDatabase();
  scene = await openScene({ window, smppCarriers: 3, databaseUrl, mms: { protocol: 'mm4' } });
  const inbound = { host: '127.0.0.1', port: 0, addresses: ['127.0.0.1'] };
  writeLiveRecords(scene.gatewayOptions.recordsFile!, {
    ...{ smscPort: scene.smsc.port, window, smppCarriers: 3 },
    mms: { ...scene.mms!.carrierEntry, inbound },
  });
  const { port: _, env, ...options } = scene.gatewayOptions;
  const shared = { ...env, ...clusterEnv(scene.folder) };
  for (const name of ['first', 'second']) {
    const folder = join(scene.folder, name);
    mkdirSync(folder);
    nodes.push(await startGateway({ ...options, folder, env: shared }));
  }
}, 240_000);
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await scene?.close();
  await server?.remove();
});

async function readiness({ port }: Gateway): Promise<{ lanes: string[] }> {
  return ((await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()) as { data: { lanes: string[] } }).data;
}

/** The carriers of texts that each node has. */
async function smppCarriers(): Promise<string[][]> {
  const found = await Promise.all(nodes.map(readiness));
  return found.map(({ lanes }) => lanes.filter((lane) => lane.startsWith('smsc')));
}

/** Where the node listens besides its own port: its MM4 carrier has any free one. */
function mm4PortOf({ pid, port }: Gateway): number {
  const folder = `/proc/${pid}/fd`;
  const links = readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(join(folder, fd))];
    } catch {
      return [];
    }
  });
  const listens = '0A';
  const found = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === listens)
    .filter((fields) => links.includes(`socket:[${fields[9]}]`))
    .map(([, address]) => Number.parseInt(address!.split(':')[1]!, 16));
  const [mm4] = found.filter((one) => one !== port);
  if (mm4 === undefined) throw new Error('the node does not listen for MM4');
  return mm4;
}

async function bring(node: Gateway, messageId: string): Promise<number[]> {
  const mail = mm4Bytes(forwardReq(messageId, { to: [liveCaller.from] }));
  const to = [`+${liveCaller.from}/TYPE=PLMN@ours.example`];
  return (await smtpTalk(mm4PortOf(node), mailPieces(stuffed(mail), { to }))).codes;
}

const takenMms = async (node: Gateway) =>
  (await readMessageLog(node.port).all('inbound')).filter(({ text }) => text.includes('Yes, £5'));

describe('an MMS over MM4', () => {
  it('is taken by either node, whichever has the carrier, and seen at both', async () => {
    const has = async () => (await Promise.all(nodes.map(readiness))).map(({ lanes }) => lanes.includes('mmsc')).sort();
    await expect.poll(has, { timeout: waitMs }).toEqual([false, true]);
    for (const [place, node] of nodes.entries()) {
      expect((await bring(node, `m-${place}`)).at(-1)).toBe(250);
      for (const node of nodes) expect(await takenMms(node)).toHaveLength(place + 1);
    }
  });

  it('that comes to both, as the carrier got no answer, is one message', async () => {
    const before = (await takenMms(nodes[0]!)).length;
    const codes = await Promise.all(nodes.map((node) => bring(node, 'm-twice')));
    expect(codes.map((all) => all.at(-1))).toEqual([250, 250]);
    expect((await bring(nodes[1]!, 'm-twice')).at(-1)).toBe(250);
    for (const node of nodes) expect(await takenMms(node)).toHaveLength(before + 1);
  });
});

let count = 0;

/** Texts, half of them by each node. */
async function send(texts: number): Promise<void> {
  for (const node of nodes) {
    const to = Array.from({ length: texts / 2 }, () => `1202557${String(++count).padStart(4, '0')}`);
    const response = await fetch(`http://127.0.0.1:${node.port}/SendSMS?apikey=${liveCaller.authToken}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${liveCaller.bearerToken}`, 'content-type': 'application/json' },
      // What would expire before the day of the limit is over fails at once.
      body: JSON.stringify({ from: liveCaller.from, to, text: 'Hello', validityMinutes: 2_880 }),
    });
    expect(response.status).toBe(200);
  }
}

/** As the registration of a campaign sets it. */
async function limit(pacing: Partial<Pacing>): Promise<void> {
  const { databaseUrl } = scene.gatewayOptions;
  const store = await openStore({ databaseUrl: databaseUrl!, dataDir: '', role: 'tool', clock: machineClock });
  const records = await store.records();
  const limits = { segmentsPerMinute: null, mmsPerMinute: null, segmentsPerDay: null, ...pacing };
  const registration = { ...emptyRegistration(), brandId: 'brd_1' };
  await store.putRecords({
    ...records,
    campaigns: records.campaigns.map((one) => ({ ...one, pacing: limits, registration })),
  });
  await store.close();
}

const taken = () => scene.smsc.counts().accepted;

/** Looks for a while, from when some are taken: never may there be more than `most`, as long as that `counts`. */
async function neverMore(most: number, counts: () => boolean = () => true): Promise<void> {
  const before = taken();
  await expect.poll(taken, { timeout: waitMs, interval: 50 }).toBeGreaterThan(before);
  for (let look = 0; look < 100; look += 1) {
    const is = taken();
    if (counts()) expect(is).toBeLessThanOrEqual(most);
    await wait(50);
  }
}

const lifted = { timeout: 90_000, interval: 200 };

describe('a limit of a campaign', () => {
  it('is needed by both nodes: each has carriers that texts go to', async () => {
    const counts = async () => (await smppCarriers()).map(({ length }) => length).sort();
    await expect.poll(counts, { timeout: waitMs }).toEqual([1, 2]);
  });

  it('a minute holds for both nodes together', async () => {
    await limit({ segmentsPerMinute: 30 });
    const from = performance.now();
    await send(60);
    await neverMore(30, () => performance.now() - from < minuteMs);
    // What was over the limit goes when it is lifted.
    await limit({});
    await expect.poll(taken, lifted).toBe(60);
  });

  it('a day holds for both nodes together, with what was sent before it was there', async () => {
    await limit({ segmentsPerDay: 90 });
    const sent = (await smppCarriers()).map((carriers) => scene.smsc.watchOpenSessions(carriers));
    await send(60);
    await neverMore(90);
    // Texts that were claimed before the limit was counted, and had to wait, are not counted as sent: at most those of a node that
    // learns of the limit late.
    await expect.poll(taken, { timeout: waitMs }).toBeGreaterThanOrEqual(70);
    await limit({});
    await expect.poll(taken, lifted).toBe(120);
    // By the carriers of both nodes.
    for (const submits of sent) expect(submits()).toBeGreaterThan(0);
  });
});
