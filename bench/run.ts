/**
 * `npm run bench`: measures the whole gateway on this machine and prints a table. Starts everything itself, on loopback
 * and free ports, and cleans up. `--help` lists the options; README.md explains how each number is measured.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/postgres.ts';
import { type CaseOptions, type CaseResult, measureCase, medianRun } from './case.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', short: 'n', default: '50000' },
    window: { type: 'string', default: '100' },
    connections: { type: 'string', short: 'c', default: '50' },
    batch: { type: 'string', default: '1,100' },
    receipts: { type: 'string', default: 'off,on' },
    runs: { type: 'string', default: '1' },
    rate: { type: 'string', default: '' },
    seconds: { type: 'string', default: '20' },
    'carrier-delay-ms': { type: 'string', default: '0' },
    'receipt-delay-ms': { type: 'string', default: '0' },
    postgres: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '1' },
    json: { type: 'string' },
    'cpu-prof': { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const usage = `npm run bench -- [options]
  -n, --messages N        messages of each case (50000)
      --batch LIST        recipients per request, one case each (1,100)
      --receipts LIST     off, on or both (off,on)
      --window N          SMPP window (100)
  -c, --connections N     HTTP connections (50)
      --rate LIST         everyday load: requests a second in an open loop, one case each, in place of -n messages
      --seconds N         how long such a load lasts (20)
      --carrier-delay-ms  wait of the carrier before each answer (0)
      --receipt-delay-ms  time from its answer to the receipt (0)
      --runs N            runs of each case; the table shows the median by end-to-end rate (1)
      --postgres          a PostgreSQL started for the run instead of SQLite
      --nodes LIST        with --postgres: gateways on one database, one case each (1)
      --json FILE         all runs as JSON
      --cpu-prof FOLDER   writes CPU profiles of the gateway there`;

if (values.help) console.log(usage);
else await main();

async function main(): Promise<void> {
  const database = values.postgres ? await startPostgres() : null;
  const all: CaseResult[] = [];
  const rows: CaseResult[] = [];
  try {
    for (const options of cases()) {
      const runs: CaseResult[] = [];
      for (let run = 0; run < Number(values.runs); run++)
        runs.push(await measureCase({ ...options, databaseUrl: (await database?.createDatabase()) ?? null }));
      all.push(...runs);
      rows.push(medianRun(runs));
      console.error(describe(rows.at(-1)!));
    }
  } finally {
    await database?.remove();
  }
  console.log(table(rows));
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(all, null, 2));
}

function* cases(): Generator<Omit<CaseOptions, 'databaseUrl'>> {
  for (const nodes of values.postgres ? values.nodes.split(',') : ['1'])
    for (const receipts of values.receipts.split(','))
      for (const batch of values.batch.split(','))
        for (const rate of values.rate.split(','))
          yield caseOf(Number(nodes), receipts === 'on', Number(batch), rate === '' ? null : Number(rate));
}

function caseOf(
  nodes: number,
  receipts: boolean,
  recipientsPerRequest: number,
  requestsPerSecond: number | null,
): Omit<CaseOptions, 'databaseUrl'> {
  const { messages, seconds } = values;
  return {
    messages:
      requestsPerSecond === null ? Number(messages) : requestsPerSecond * recipientsPerRequest * Number(seconds),
    recipientsPerRequest,
    requestsPerSecond,
    receipts,
    window: Number(values.window),
    connections: Number(values.connections),
    carrierDelayMs: Number(values['carrier-delay-ms']),
    receiptDelayMs: Number(values['receipt-delay-ms']),
    nodes,
    nodeArguments: values['cpu-prof'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values['cpu-prof']}`],
  };
}

function columns(row: CaseResult): [string, string][] {
  const whole = (value: number | null): string => (value === null ? '–' : value.toFixed(0));
  return [
    ['store', row.store],
    ['nodes', String(row.nodes)],
    ['recipients/request', String(row.recipientsPerRequest)],
    ['receipts', row.receipts ? 'on' : 'off'],
    ['requests/s', row.requestsPerSecond === null ? 'most' : String(row.requestsPerSecond)],
    ['accepted msg/s', whole(row.acceptedPerSecond)],
    ['end-to-end msg/s', whole(row.endToEndPerSecond)],
    ['delivered msg/s', whole(row.deliveredPerSecond)],
    ['p50 ms', row.p50Ms.toFixed(2)],
    ['p99 ms', row.p99Ms.toFixed(2)],
    ['CPU µs/msg', whole(row.cpuMicrosecondsPerMessage)],
    ['RSS MB', whole(row.rssPeakMb)],
    ['foreign cores', row.foreignCores === null ? '–' : row.foreignCores.toFixed(2)],
    ['lost', String(row.lost)],
    ['duplicates', String(row.duplicates)],
    ['failed requests', String(row.failedRequests)],
  ];
}

function describe(row: CaseResult): string {
  const failure = row.sampleFailure === null ? '' : ` (${row.sampleFailure})`;
  return columns(row)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
    .concat(failure);
}

function table(rows: CaseResult[]): string {
  if (rows.length === 0) return '';
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  const names = columns(rows[0]!).map(([name]) => name);
  return [
    line(names),
    line(names.map(() => '---')),
    ...rows.map((row) => line(columns(row).map(([, value]) => value))),
  ].join('\n');
}
