/**
 * What must hold for all nodes that share a database, tested through the APIs of real gateways: every node obeys what
 * one node stores.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHelio } from '../../packages/gateway/src/cli/program.ts';
import { duties } from '../../packages/gateway/src/model/duty.ts';
import { clusterEnv } from '../crash/nodes.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { callApi } from '../props/api.ts';
import { type Gateway, startGateway } from '../props/gateway.ts';
import { liveCaller } from '../props/live-records.ts';
import { openScene, type Scene } from '../props/scene.ts';
import { startWebhookSink, type WebhookSink } from '../props/webhook-sink.ts';

const carriers = ['smsc', 'smsc-2', 'smsc-3', 'smsc-4'];

let server: TestPostgres;
let scene: Scene;
let sink: WebhookSink;
let env: ReturnType<typeof clusterEnv> & Record<string, string>;
const nodes: Gateway[] = [];

async function startNode(name: string): Promise<Gateway> {
  const folder = join(scene.folder, name);
  mkdirSync(folder);
  const { port: _, ...options } = scene.gatewayOptions;
  return startGateway({ ...options, folder, env });
}

beforeAll(async () => {
  server = await startPostgres();
  scene = await openScene({
    window: 10,
    smppCarriers: 4,
    databaseUrl: await server.createDatabase(),
    receipts: true,
    behaviour: { receipts: 'after' },
  });
  env = { ...clusterEnv(scene.folder), HELIO_ALLOW_PRIVATE_URLS: '1' };
  for (const name of ['first', 'second']) nodes.push(await startNode(name));
  sink = await startWebhookSink({ refusals: 0, answerDelayMs: 0 });
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await sink?.stop();
  await scene?.close();
  await server?.remove();
});

let count = 0;
const handset = () => `1202556${String(++count).padStart(4, '0')}`;

interface Sent {
  to: string;
  status: string;
  messageId?: string;
}

/** Sends through the node at this place: the first node acts, the second does not. */
async function send(place: number, to: string, more: { key?: string } = {}): Promise<Sent[]> {
  const response = await fetch(`http://127.0.0.1:${nodes[place]!.port}/SendSMS?apikey=${liveCaller.authToken}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${liveCaller.bearerToken}`,
      'content-type': 'application/json',
      ...(more.key !== undefined && { 'idempotency-key': more.key }),
    },
    body: JSON.stringify({ from: liveCaller.from, to: [to], text: 'Hello' }),
  });
  const answer = (await response.json()) as { schema?: { resultResponses: Sent[] } };
  return answer.schema?.resultResponses ?? [];
}

const messageOf = async (place: number, messageId: string) =>
  (
    await callApi<{ state: string; carrier: string | null }>(nodes[place]!.port, {
      path: `/api/v1/messages/${messageId}`,
    })
  ).data;

interface Ready {
  acts: boolean;
  node: string;
  lanes: string[];
  duties: string[];
  carriersDown: string[];
}

const readiness = async ({ port }: Gateway): Promise<Ready> =>
  ((await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()) as { data: Ready }).data;

/** How many carriers each node has. */
const spread = async () => (await Promise.all(nodes.map(readiness))).map(({ lanes }) => lanes.length);

/** The output of the command beside the gateways, in a data folder of its own. */
async function helio(args: string[], folder: string, more: Record<string, string> = {}): Promise<string> {
  const out: string[] = [];
  const write = (text: string) => void out.push(text);
  const store = { HELIO_DATABASE_URL: scene.gatewayOptions.databaseUrl!, HELIO_DATA: join(scene.folder, folder) };
  const { HELIO_SECRET_KEY_FILE } = env;
  await runHelio(args, { out: write, error: write, env: { ...store, HELIO_SECRET_KEY_FILE, ...more } });
  return out.join('');
}

/** The output of `helio doctor` beside that gateway. */
function doctor({ port }: Gateway): Promise<string> {
  return helio(['doctor'], join('third', 'data'), { PORT: String(port), HELIO_SANDBOX: '0' });
}

describe('two gateways on one database', () => {
  it('have half of the carriers each, and say so', async () => {
    await expect.poll(spread).toEqual([2, 2]);
    const [first, second] = await Promise.all(nodes.map(readiness));
    expect([first!.acts, second!.acts]).toEqual([true, false]);
    expect([...first!.lanes, ...second!.lanes].sort()).toEqual(carriers);
    expect(first!.node).not.toBe(second!.node);
    await expect.poll(() => scene.smsc.counts().sessions).toBe(carriers.length);
  });

  it('share the duties, and say so', async () => {
    const does = async () => (await Promise.all(nodes.map(readiness))).map((ready) => ready.duties);
    await expect.poll(async () => (await does()).map((own) => own.length).sort()).toEqual([2, 3]);
    expect((await does()).flat().sort()).toEqual([...duties].sort());
  });

  it('deliver what either takes over the carriers of both, and both show its state', async () => {
    const used = new Set<string>();
    for (let round = 0; round < 60 && used.size < carriers.length; round += 1) {
      const to = handset();
      const [sent] = await send(round % 2, to);
      await expect.poll(() => scene.copies().get(to)).toBe(1);
      for (const node of [0, 1]) {
        const state = async () => (await messageOf(node, sent!.messageId!)).state;
        await expect.poll(state).toBe('delivered');
      }
      used.add((await messageOf(0, sent!.messageId!)).carrier!);
    }
    expect([...used].sort()).toEqual(carriers);
  });

  it('send once what both get at the same time under one Idempotency-Key', async () => {
    for (let round = 0; round < 10; round += 1) {
      const to = handset();
      const [one, other] = await Promise.all([send(0, to, { key: `k${round}` }), send(1, to, { key: `k${round}` })]);
      expect(one[0]!.messageId).toBe(other[0]!.messageId);
      await expect.poll(() => scene.copies().get(to)).toBe(1);
    }
  });

  it('both refuse at once a recipient who opted out at the other', async () => {
    for (const place of [0, 1]) {
      const to = handset();
      await callApi(nodes[place]!.port, {
        path: '/api/v1/opt-outs',
        body: { number: liveCaller.from, contact: to, reason: 'asked us to stop' },
      });
      expect(await send(1 - place, to)).toMatchObject([{ status: 'OPTED_OUT' }]);
    }
    expect([...scene.copies().values()].every((copies) => copies === 1)).toBe(true);
  });

  it('show the same events to a caller that waits at either', async () => {
    const { next } = await callApi<unknown[]>(nodes[1]!.port, { path: '/api/v1/events?after=latest' });
    const waiting = callApi<{ type: string }[]>(nodes[1]!.port, {
      path: `/api/v1/events?after=${next}&wait=20&types=message.delivered`,
    });
    await send(0, handset());
    expect((await waiting).data).toMatchObject([{ type: 'message.delivered' }]);
  });

  it('send webhooks about what either took', async () => {
    const { data } = await callApi<{ id: string; secret: string }>(nodes[1]!.port, {
      path: '/api/v1/endpoints',
      body: { url: sink.url, types: ['message.delivered'] },
    });
    sink.trust(data.secret);
    const messageId = (await send(1, handset()))[0]!.messageId!;
    const arrivals = () => sink.arrivals.filter((one) => one.genuine && one.messageId === messageId).length;
    await expect.poll(arrivals).toBe(1);
  });

  it('give carriers to a third one that joins, and take them back when it stops, while messages go on', async () => {
    const sent: string[] = [];
    let goesOn = true;
    const traffic = (async () => {
      for (let round = 0; goesOn; round += 1) {
        const to = handset();
        const [answer] = await send(round % 2, to).catch(() => []);
        if (answer?.status === 'SUCCESS') sent.push(to);
      }
    })();
    const before = await Promise.all(nodes.map(readiness));
    const third = await startNode('third');
    nodes.push(third);
    await expect.poll(async () => (await spread()).sort(), { timeout: 60_000 }).toEqual([1, 1, 2]);
    const joined = await Promise.all(nodes.map(readiness));
    const kept = joined.flatMap(({ lanes }, place) => lanes.filter((lane) => before[place]?.lanes.includes(lane)));
    expect(kept).toHaveLength(3);
    expect(await doctor(third)).toContain(`${joined[2]!.node} has ${joined[2]!.lanes.join(', ')}`);
    const spreadDuties = async () => (await Promise.all(nodes.map(readiness))).map((ready) => ready.duties.length);
    await expect.poll(async () => (await spreadDuties()).sort(), { timeout: 60_000 }).toEqual([1, 2, 2]);
    expect(await doctor(third)).toContain(`; does ${(await readiness(third)).duties.join(', ')}`);
    await expect.poll(() => scene.smsc.counts().sessions).toBe(carriers.length);
    await expect.poll(() => sent.length).toBeGreaterThan(20);
    nodes.pop();
    expect(await third.stop()).toEqual({ code: 0, signal: null });
    await expect.poll(spread).toEqual([2, 2]);
    await expect.poll(async () => (await spreadDuties()).sort(), { timeout: 60_000 }).toEqual([2, 3]);
    const more = sent.length + 20;
    await expect.poll(() => sent.length).toBeGreaterThan(more);
    goesOn = false;
    await traffic;
    await expect.poll(() => sent.every((to) => scene.copies().has(to))).toBe(true);
    // The node finished its open submissions: no outcome is uncertain, so no message was sent twice.
    expect(sent.filter((to) => scene.copies().get(to) !== 1)).toEqual([]);
    expect(scene.smsc.counts().staleSubmits).toBe(0);
  });

  // Last, because it ends the acting node.
  it('fire an alert once, and the next one to act knows of it and resolves it', async () => {
    const limit = async (megabytes: number) => {
      const file = join(scene.folder, 'alerts.json');
      writeFileSync(file, JSON.stringify({ alerts: [{ id: 'disk', limit: megabytes, forSeconds: 0 }] }));
      expect(await helio(['apply', file], 'tool')).toContain('alert disk');
    };
    const history = async () =>
      (await helio(['alerts', '--history', '--json'], 'tool'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { kind: string; resolvedAt: number | null }).resolvedAt !== null);
    await limit(100_000_000);
    await expect.poll(history, { timeout: 60_000, interval: 500 }).toEqual([false]);
    await nodes[0]!.kill();
    await limit(1);
    await expect.poll(history, { timeout: 150_000, interval: 1_000 }).toEqual([true]);
  }, 240_000);
});
