/**
 * Two gateways on one PostgreSQL and one carrier: how long a text waits until it is on the wire, from its answer, when the
 * gateway that took it has the carrier's send queue, and when the other one has it. Both in turn, so that whatever else the
 * machine does hits both.
 *
 *   node bench/elsewhere.ts [--texts 200] [--pause-ms 40]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { clusterEnv, optionsOf, readiness } from '../test/crash/nodes.ts';
import { startPostgres } from '../test/postgres.ts';
import { type Gateway, startGateway } from '../test/props/gateway.ts';
import { liveCaller } from '../test/props/live-records.ts';
import { openScene } from '../test/props/scene.ts';

const { values } = parseArgs({
  options: { texts: { type: 'string', default: '200' }, 'pause-ms': { type: 'string', default: '40' } },
});
const texts = Number(values.texts);
const pauseMs = Number(values['pause-ms']);
const arrivalMsMax = 10_000;

const server = await startPostgres();
const scene = await openScene({
  window: 10,
  databaseUrl: await server.createDatabase(),
  behaviour: { responseDelayMs: 0 },
});
Object.assign(scene.gatewayOptions.env!, clusterEnv(scene.folder));
const nodes: Gateway[] = [];
try {
  for (const name of ['first', 'second']) nodes.push(await startGateway(await optionsOf(scene, name, [])));
  const [own, other] = await byOwner();
  const waits = { own: [] as number[], other: [] as number[] };
  for (let index = 0; index < 10; index += 1) await send(own, `1202554${String(index).padStart(4, '0')}`);
  await wait(2_000);
  for (let index = 0; index < texts; index += 1) {
    const isOwn = index % 2 === 0;
    const to = `1202555${String(index).padStart(4, '0')}`;
    const answeredMs = await send(isOwn ? own : other, to);
    waits[isOwn ? 'own' : 'other'].push((await arrival(to)) - answeredMs);
    await wait(pauseMs * (0.5 + Math.random()));
  }
  for (const [who, ms] of Object.entries(waits)) console.log(`${who.padEnd(6)} ${figures(ms)}`);
} finally {
  for (const node of nodes) await node.stop();
  await scene.close();
  await server.remove();
}

/** First the one that has the carrier. */
async function byOwner(): Promise<[Gateway, Gateway]> {
  for (;;) {
    const found = await Promise.all(nodes.map(({ port }) => readiness(port)));
    const place = found.findIndex((ready) => ready?.lanes.includes('smsc') === true);
    if (place !== -1 && scene.smsc.counts().sessions > 0) return [nodes[place]!, nodes[1 - place]!];
    await wait(100);
  }
}

/** When it was answered, on the clock that all processes share. */
async function send({ port }: Gateway, to: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/SendSMS?apikey=${liveCaller.authToken}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${liveCaller.bearerToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: liveCaller.from, to: [to], text: 'Hello' }),
  });
  if (response.status !== 200) throw new Error(`answered ${response.status}`);
  await response.text();
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

async function arrival(to: string): Promise<number> {
  for (const end = performance.now() + arrivalMsMax; performance.now() < end; await wait(2)) {
    const found = scene.smsc.accepted.findLast(({ destination }) => destination === to);
    if (found !== undefined) return found.atMs;
  }
  throw new Error(`${to} did not reach the carrier`);
}

function figures(ms: readonly number[]): string {
  const sorted = ms.toSorted((one, two) => one - two);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1);
  return `${sorted.length} texts, ms after the answer: p50 ${at(0.5)} p90 ${at(0.9)} max ${at(1)}`;
}
