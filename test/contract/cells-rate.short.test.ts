/** Two cells with real gateways, databases and sockets: they lend each other a carrier's rate, one stands still, one is killed; a number is in both. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHelio } from '../../packages/gateway/src/cli/program.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { type Cell, type Cells, requestAt, startCells } from '../props/cells.ts';
import { readExposition } from '../props/exposition.ts';
import { type Smsc, startSmsc } from '../props/smsc.ts';

let server: TestPostgres;
let smsc: Smsc;
let all: Cells;
let a: Cell;
let b: Cell;

const own = 60;
/** Long, so that a busy machine, which reads late and then much at once, does not count as too fast. */
const windowMs = 5_000;
const mostInWindow = 2 * own * (windowMs / 1_000) * 1.2;

beforeAll(async () => {
  server = await startPostgres();
  smsc = await startSmsc();
  const carrier = { messagesPerSecond: own, lendRate: true };
  all = await startCells(['a', 'b'], { server, smscPort: smsc.port, window: 100, carrier });
  [a, b] = all.cells as [Cell, Cell];
}, 240_000);
afterAll(async () => {
  await all?.stop();
  await smsc?.stop();
  await server?.remove();
});

let count = 0;
const sent: string[] = [];

/** Leaves so many messages waiting in a cell. */
async function give(cell: Cell, hundreds: number): Promise<void> {
  for (let i = 0; i < hundreds; i++) {
    const to = Array.from({ length: 100 }, () => `1202${String(5_560_000 + ++count)}`);
    const answer = await requestAt(cell, cell, {
      path: '/SendSMS',
      body: { from: cell.caller.from, to, text: 'Hello' },
    });
    expect(answer.status, await answer.text()).toBe(200);
    sent.push(...to);
  }
}

async function rate(cell: Cell, part: 'lent' | 'borrowed'): Promise<number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${cell.metricsPort}/metrics`)).text();
  return readExposition(text).value('helio_carrier_lent_rate', { carrier: 'smsc', part });
}

/** The most messages that the carrier got within the window. */
function mostAtOnce(): number {
  const times = smsc.accepted.map(({ atMs }) => atMs);
  let from = 0;
  let most = 0;
  for (const [place, atMs] of times.entries()) {
    while (atMs - times[from]! > windowMs) from++;
    most = Math.max(most, place - from + 1);
  }
  return most;
}

const arrived = () => smsc.counts().accepted;

it('a busy cell borrows what the other leaves, also after pause and kill, and both together never send too much', async () => {
  await expect.poll(() => smsc.counts().sessions).toBe(2);
  await give(a, 12);
  await expect.poll(() => rate(a, 'borrowed')).toBeGreaterThanOrEqual(own / 2);
  expect(await rate(a, 'lent')).toBe(0);
  expect(await rate(b, 'borrowed')).toBe(0);
  // The borrower stands still; the lender, which becomes busy meanwhile, has its own rate again.
  process.kill(a.gateway.pid, 'SIGSTOP');
  try {
    await give(b, 6);
    await expect.poll(() => rate(b, 'lent')).toBe(0);
    const before = arrived();
    await expect.poll(() => arrived() - before).toBeGreaterThan(own);
  } finally {
    process.kill(a.gateway.pid, 'SIGCONT');
  }
  // Now both are busy, and later only one.
  await give(a, 6);
  const before = arrived();
  await expect.poll(() => arrived() - before).toBeGreaterThan(4 * own);
  await expect.poll(() => rate(a, 'borrowed')).toBeGreaterThan(0);
  // The lender is killed, and busy from its first moment on.
  await give(a, 6);
  await expect.poll(() => rate(a, 'borrowed')).toBeGreaterThanOrEqual(own / 2);
  await b.gateway.kill();
  await expect.poll(() => rate(a, 'borrowed')).toBe(0);
  await all.start(b);
  await give(b, 3);
  await expect.poll(() => new Set(sent).size - new Set(smsc.copies.keys()).size, { timeout: 120_000 }).toBe(0);
  expect(mostAtOnce()).toBeLessThanOrEqual(mostInWindow);
}, 300_000);

it('with a planted bug, a lender that uses what it lends twice, they send too much', async () => {
  await b.gateway.stop();
  await all.start(b, ['--import', new URL('../props/plants/lend-and-use.ts', import.meta.url).href]);
  await expect.poll(() => smsc.counts().sessions).toBe(2);
  smsc.reset();
  await give(a, 20);
  await expect.poll(() => rate(a, 'borrowed')).toBeGreaterThanOrEqual(own / 2);
  await give(b, 20);
  await expect.poll(mostAtOnce).toBeGreaterThan(mostInWindow);
});

it('a number that both cells have is named by the doctor, with both of them, and by nobody else', async () => {
  await b.gateway.stop();
  const file = b.options.recordsFile!;
  const records = JSON.parse(readFileSync(file, 'utf8')) as { numbers: { number: string }[] };
  const numbers = [...records.numbers, { ...records.numbers[0], number: a.caller.from }];
  writeFileSync(file, JSON.stringify({ ...records, numbers }));
  await all.start(b);
  const expected = { ok: false, detail: `${a.caller.from} is in b and a` };
  const doctor = async () => {
    const { port, folder, databaseUrl, env } = b.options;
    let out = '';
    const write = (text: string) => {
      out += text;
    };
    const terminal = {
      out: write,
      error: write,
      env: {
        ...env,
        HELIO_SANDBOX: '0',
        PORT: String(port),
        HELIO_DATA: join(folder, 'data'),
        HELIO_DATABASE_URL: databaseUrl,
      },
    };
    await runHelio(['doctor', '--json'], terminal);
    const findings = JSON.parse(out) as { what: string; ok: boolean; detail: string }[];
    return findings.find(({ what }) => what === 'Numbers');
  };
  await expect.poll(doctor).toMatchObject(expected);
  const stranger = await (await fetch(`http://127.0.0.1:${b.options.port}/readyz`)).text();
  expect(stranger).toContain('"cell":"b"');
  expect(stranger).not.toContain(a.caller.from);
  expect(b.gateway.stderr()).toContain('a number is in the records of two cells');
});
