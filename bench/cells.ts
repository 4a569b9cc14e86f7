/**
 * `node bench/cells.ts [--rounds 5] [--requests 4000] [--recipients 1] [--connections 50]`: what a request costs that comes to the
 * door of another cell. The same requests go in turns to the cell of their account and through the other one, so that what else
 * the machine does is the same for both.
 *
 * With `--cells 2,3` it checks the capacity model instead (`cells-model.ts`); `--rate 300`: at so many requests a second, not as fast
 * as the connections go.
 */
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/postgres.ts';
import { type Cells, newCaller, startCells } from '../test/props/cells.ts';
import { liveCaller } from '../test/props/live-records.ts';
import type { SmscCounts } from '../test/props/smsc.ts';
import { checkModel } from './cells-model.ts';
import type { LoadParams, LoadResult } from './load.ts';
import { startHelper, usageOf } from './processes.ts';
import type { SinkCommand } from './sink.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '4000' },
    recipients: { type: 'string', default: '1' },
    connections: { type: 'string', default: '50' },
    cells: { type: 'string' },
    rate: { type: 'string', default: '0' },
  },
});
const requests = Number(values.requests);
const recipientsPerRequest = Number(values.recipients);
const messages = requests * recipientsPerRequest;

const database = await startPostgres();
const sink = startHelper<SinkCommand>('sink.ts', '{}');
const load = startHelper<LoadParams>('load.ts');
let firstNumber = 0;

interface Round {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  ownCpuUs: number;
  entryCpuUs: number;
}

try {
  if (values.cells === undefined) await compareDoors();
  else {
    const sizes = {
      ...{ requests, recipientsPerRequest },
      ...{ connections: Number(values.connections), requestsPerSecond: Number(values.rate) },
    };
    const counts = values.cells.split(',').map(Number);
    await checkModel(counts, { server: database, sink, load, rounds: Number(values.rounds), ...sizes });
  }
} finally {
  for (const helper of [sink, load]) helper.stop();
  await database.remove();
}

async function compareDoors(): Promise<void> {
  const cells = await startCells(['own', 'other'], {
    server: database,
    smscPort: await sink.ask({ ask: 'port' }),
    window: 100,
    callerOf: (name, place) => (name === 'own' ? liveCaller : newCaller(name, place)),
  });
  try {
    const rounds: { direct: Round; through: Round }[] = [];
    await through(cells, 1);
    await through(cells, 0);
    for (let round = 0; round < Number(values.rounds); round += 1) {
      rounds.push({ direct: await through(cells, 0), through: await through(cells, 1) });
    }
    const median = (of: (round: (typeof rounds)[number]) => number): number =>
      rounds.map(of).sort((one, other) => one - other)[Math.floor(rounds.length / 2)]!;
    const row = (way: 'direct' | 'through') => ({
      'accepted/s': Math.round(median((one) => one[way].perSecond)),
      'p50 ms': median((one) => one[way].p50Ms).toFixed(1),
      'p99 ms': median((one) => one[way].p99Ms).toFixed(1),
      'CPU µs/msg, own cell': Math.round(median((one) => one[way].ownCpuUs)),
      'CPU µs/msg, other cell': Math.round(median((one) => one[way].entryCpuUs)),
    });
    console.table({ 'at its own cell': row('direct'), 'through another cell': row('through') });
    const ratio = median((one) => one.through.perSecond / one.direct.perSecond);
    console.log(`through another cell ${ratio.toFixed(2)} of the messages a second (median of ratios)`);
  } finally {
    await cells.stop();
  }
}

/** The cell of this place takes the requests of the first one's account; until the carrier has all of them. */
async function through({ cells }: Cells, place: 0 | 1): Promise<Round> {
  const [own, other] = cells.map(({ gateway }) => gateway);
  const cpu = () => [own!, other!].map(({ pid }) => usageOf(pid)?.cpuSeconds ?? Number.NaN);
  await sink.ask({ ask: 'reset' });
  const before = cpu();
  const { port } = [own!, other!][place]!;
  const result = await load.ask<LoadResult>({
    ...{ port, requests, recipientsPerRequest, firstNumber },
    connections: Number(values.connections),
  });
  firstNumber += messages;
  if (result.failed > 0) throw new Error(`${result.failed} requests failed: ${result.sampleFailure}`);
  while ((await sink.ask<SmscCounts>({ ask: 'counts' })).distinct < messages) await new Promise(setImmediate);
  const after = cpu();
  const perMessage = (which: number): number => ((after[which]! - before[which]!) * 1e6) / messages;
  return {
    perSecond: messages / ((result.last200AtMs - result.firstSentAtMs) / 1_000),
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    ownCpuUs: perMessage(0),
    entryCpuUs: perMessage(1),
  };
}
