/**
 * Pictures through the whole gateway: fetched over HTTP, made small enough, sent to an MMSC over MM7. Prints a table of
 * three cases: a picture of its own for each message, the same picture in every message, one message to many recipients.
 *
 *   node bench/mms.ts [--messages 100] [--recipients 1000] [--connections 10] [--window 20] [--postgres]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/postgres.ts';
import { destinationOf } from '../test/props/client.ts';
import { type Gateway, startGateway } from '../test/props/gateway.ts';
import { liveCaller, writeLiveRecords } from '../test/props/live-records.ts';
import { monotonicMs } from '../test/props/smsc.ts';
import type { MmsOriginCommand } from './mms-origin.ts';
import type { MmsSinkCommand, MmsSinkCounts } from './mms-sink.ts';
import { childrenCpuSeconds, childrenOf, type Helper, startHelper, usageOf } from './processes.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '100' },
    recipients: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '10' },
    window: { type: 'string', default: '20' },
    postgres: { type: 'boolean', default: false },
  },
});
const messages = Number(values.messages);
const connections = Number(values.connections);
const drainLimitMs = 600_000;
/** The run is over when nothing has arrived for this long. */
const quietMs = 3_000;

interface Case {
  name: string;
  requests: number;
  recipientsPerRequest: number;
  path(request: number): string;
}

const cases: Case[] = [
  { name: 'warm-up', requests: 4, recipientsPerRequest: 1, path: (n) => `/${90_000_000 + n}.jpg` },
  { name: 'a picture of its own', requests: messages, recipientsPerRequest: 1, path: (n) => `/${n + 1}.jpg` },
  { name: 'the same picture', requests: messages, recipientsPerRequest: 1, path: () => '/same.jpg' },
  {
    name: 'one message, one picture',
    requests: 1,
    recipientsPerRequest: Number(values.recipients),
    path: () => '/shared.jpg',
  },
];

interface Scene {
  gateway: Gateway;
  sink: Helper<MmsSinkCommand>;
  origin: Helper<MmsOriginCommand>;
  originPort: number;
}

const database = values.postgres ? await startPostgres() : null;
const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const sink = startHelper<MmsSinkCommand>('mms-sink.ts');
const origin = startHelper<MmsOriginCommand>('mms-origin.ts');
let gateway: Gateway | null = null;
try {
  const recordsFile = join(folder, 'records.json');
  writeMmsRecords(recordsFile, await sink.ask<number>({ ask: 'port' }));
  const originPort = await origin.ask<number>({ ask: 'port' });
  const photoBytes = await origin.ask<number>({ ask: 'photoBytes' });
  gateway = await startGateway({
    folder,
    recordsFile,
    env: { HELIO_ALLOW_PRIVATE_URLS: '1' },
    ...(database === null ? {} : { databaseUrl: await database.createDatabase() }),
  });
  const rows: Row[] = [];
  for (const one of cases) rows.push(await measure(one, { gateway, sink, origin, originPort }));
  console.log(`Pictures of ${(photoBytes / 1e6).toFixed(2)} MB.\n\n${table(rows.slice(1))}`);
} finally {
  await gateway?.stop();
  sink.stop();
  origin.stop();
  rmSync(folder, { recursive: true, force: true });
  await database?.remove();
}

/** One column each; the names are the heads of the table. */
type Row = Record<string, string>;

async function measure(one: Case, scene: Scene): Promise<Row> {
  const { pid } = scene.gateway;
  await scene.sink.ask({ ask: 'reset' });
  const requestsBefore = await scene.origin.ask<number>({ ask: 'requests' });
  const before = { own: usageOf(pid)?.cpuSeconds ?? 0, fit: childrenCpuSeconds(pid) };
  const startedMs = monotonicMs();
  const accepted = await send(one, scene);
  const acceptedMs = monotonicMs();
  const counts = await drain(scene.sink, accepted);
  const requests = (await scene.origin.ask<number>({ ask: 'requests' })) - requestsBefore;
  const perMessage = (seconds: number): string => ((seconds * 1_000) / Math.max(1, accepted)).toFixed(1);
  return {
    case: one.name,
    messages: String(accepted),
    'accepted/s': ((accepted * 1_000) / (acceptedMs - startedMs)).toFixed(0),
    'at the carrier/s': ((counts.distinct * 1_000) / (counts.lastAtMs - startedMs)).toFixed(1),
    'requests for pictures': String(requests),
    'CPU ms/message': perMessage((usageOf(pid)?.cpuSeconds ?? 0) - before.own),
    'CPU ms/message of fitting': perMessage(childrenCpuSeconds(pid) - before.fit),
    'kB/message at the carrier': (counts.bytes / 1_000 / Math.max(1, counts.taken)).toFixed(0),
    'RSS peak MB': (usageOf(pid)?.rssPeakMb ?? 0).toFixed(0),
    'RSS peak MB of fitting': Math.max(0, ...childrenOf(pid).map((child) => usageOf(child)?.rssPeakMb ?? 0)).toFixed(0),
    lost: String(accepted - counts.distinct),
    duplicates: String(counts.taken - counts.distinct),
  };
}

/** Recipients that were accepted. */
async function send(one: Case, { gateway, originPort }: Scene): Promise<number> {
  const firstNumber = cases.indexOf(one) * 1_000_000;
  let next = 0;
  let accepted = 0;
  const caller = async (): Promise<void> => {
    while (next < one.requests) {
      const request = next++;
      const first = firstNumber + request * one.recipientsPerRequest;
      const taken = await sendOne(gateway.port, {
        from: liveCaller.from,
        to: Array.from({ length: one.recipientsPerRequest }, (_, index) => destinationOf(first + index)),
        text: 'Look at this',
        mediaUrls: [`http://127.0.0.1:${originPort}${one.path(request)}`],
      });
      accepted += taken;
    }
  };
  await Promise.all(Array.from({ length: Math.min(connections, one.requests) }, caller));
  return accepted;
}

async function sendOne(port: number, body: object): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/SendSMS?apikey=${liveCaller.authToken}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${liveCaller.bearerToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`not accepted: ${answer.status} ${text}`);
  const { resultResponses } = (JSON.parse(text) as { schema: { resultResponses: { status: string }[] } }).schema;
  return resultResponses.filter(({ status }) => status === 'SUCCESS').length;
}

/** Waits until all messages have arrived, then a little longer for unexpected ones. */
async function drain(sink: Helper<MmsSinkCommand>, messages: number): Promise<MmsSinkCounts> {
  const endMs = performance.now() + drainLimitMs;
  for (;;) {
    const counts = await sink.ask<MmsSinkCounts>({ ask: 'counts' });
    if (counts.distinct >= messages || performance.now() > endMs) break;
    await wait(50);
  }
  await wait(quietMs);
  return sink.ask<MmsSinkCounts>({ ask: 'counts' });
}

function table(rows: Row[]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  const names = Object.keys(rows[0]!);
  return [line(names), line(names.map(() => '---')), ...rows.map((row) => line(Object.values(row)))].join('\n');
}

/** The records of every benchmark, with an MMSC in place of the SMSC. */
function writeMmsRecords(file: string, mmscPort: number): void {
  writeLiveRecords(file, { smscPort: 9, window: 1 });
  const records = JSON.parse(readFileSync(file, 'utf8'));
  records.numbers[0].mmsEnabled = true;
  records.carriers = [
    {
      id: 'mmsc',
      kind: 'mm7',
      url: `http://127.0.0.1:${mmscPort}/mm7`,
      window: Number(values.window),
      deliveryReport: false,
    },
  ];
  records.routes = [{ id: 'pictures', environment: 'live', prefix: '', carriers: ['mmsc'] }];
  writeFileSync(file, JSON.stringify(records));
}
