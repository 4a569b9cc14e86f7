/** Three cells, each with a gateway and a database, and one carrier that answers on whichever bind it likes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { type Cell, type Cells, requestAt, startCells } from '../props/cells.ts';
import { readExposition } from '../props/exposition.ts';
import { goodBehaviour, type Smsc, startSmsc } from '../props/smsc.ts';

let server: TestPostgres;
let smsc: Smsc;
let all: Cells;
let a: Cell;
let b: Cell;
let c: Cell;

beforeAll(async () => {
  server = await startPostgres();
  smsc = await startSmsc();
  all = await startCells(['a', 'b', 'c'], { server, smscPort: smsc.port });
  [a, b, c] = all.cells as [Cell, Cell, Cell];
}, 240_000);
afterAll(async () => {
  await all?.stop();
  await smsc?.stop();
  await server?.remove();
});

let count = 0;
const handset = () => `1202556${String(++count).padStart(4, '0')}`;

async function readiness(cell: Cell): Promise<{ cell: string; cellsDown: string[] }> {
  const answer = await fetch(`http://127.0.0.1:${cell.options.port}/readyz`, { headers: { connection: 'close' } });
  return ((await answer.json()) as { data: { cell: string; cellsDown: string[] } }).data;
}

interface Sent {
  to: string;
  messageId: string;
  account: Cell;
}

async function send(
  entryCell: Cell,
  account: Cell,
  headers: Record<string, string> = {},
  to = handset(),
): Promise<Sent> {
  const body = { from: account.caller.from, to: [to], text: 'Hello' };
  const response = await requestAt(entryCell, account, { path: '/SendSMS', body, headers });
  const answer = (await response.json()) as { detail: string; schema?: { resultResponses: { messageId: string }[] } };
  expect(answer, answer.detail).toMatchObject({
    success: true,
    schema: { resultResponses: [{ to, status: 'SUCCESS' }] },
  });
  return { to, account, messageId: answer.schema!.resultResponses[0]!.messageId };
}

/** Every account by every door. */
async function sendByAll(entryCells: readonly Cell[], accounts: readonly Cell[], each: number): Promise<Sent[]> {
  const pairs = entryCells.flatMap((entryCell) => accounts.map((account) => [entryCell, account] as const));
  const lots = await Promise.all(
    pairs.map(async ([entryCell, account]) => {
      const sent: Sent[] = [];
      for (let i = 0; i < each; i++) sent.push(await send(entryCell, account));
      return sent;
    }),
  );
  return lots.flat();
}

/** Of these messages those that their own cell has not as delivered. */
async function undelivered(sent: readonly Sent[]): Promise<string[]> {
  const left: string[] = [];
  for (const account of all.cells) {
    const own = sent.filter((one) => one.account === account);
    if (own.length === 0) continue;
    const ids = own.map(({ messageId }) => `'${messageId}'`).join(',');
    const rows = await server.query(
      account.databaseUrl,
      `select message_id from deliveries where state = 'delivered' and message_id in (${ids})`,
    );
    const found = new Set(rows.map((row) => row.message_id));
    left.push(...own.flatMap(({ messageId }) => (found.has(messageId) ? [] : [messageId])));
  }
  return left;
}

async function unmatched(): Promise<number> {
  const counts = await Promise.all(
    all.cells.map(async ({ databaseUrl }) => (await server.query(databaseUrl, 'select * from receipts')).length),
  );
  return counts.reduce((sum, one) => sum + one, 0);
}

/** Forgets what came before; the carrier behaves well but for these. */
function carrier(behaviour: Partial<Smsc['behaviour']>): void {
  smsc.reset();
  Object.assign(smsc.behaviour, goodBehaviour, behaviour);
}

/** Receipts of that kind that came to a cell which did not have them, since the gateways started. */
async function elsewhere(place: string): Promise<number> {
  const counts = await Promise.all(
    all.cells.map(async ({ metricsPort }) => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return readExposition(text).value('helio_cell_receipts_total', { place }) ?? 0;
    }),
  );
  return counts.reduce((sum, one) => sum + one, 0);
}

const acknowledged = () => smsc.counts().receiptsAcknowledged;

/** Waits until every gateway reaches all others, by its own word and by a request of each account. */
async function whole(): Promise<void> {
  for (const entryCell of all.cells) {
    await expect.poll(async () => (await readiness(entryCell)).cellsDown).toEqual([]);
    for (const account of all.cells) {
      const status = async () => (await requestAt(entryCell, account, { path: '/api/v1/messages' })).status;
      await expect.poll(status).toBe(200);
    }
  }
}

describe('three cells', () => {
  it('reach each other and the carrier', async () => {
    await expect.poll(() => smsc.counts().sessions).toBe(3);
    await whole();
    expect(await Promise.all(all.cells.map(async (cell) => (await readiness(cell)).cell))).toEqual(['a', 'b', 'c']);
  });
});

describe('doors', () => {
  it('take the requests of every account, and each reaches its cell once', async () => {
    carrier({});
    const sent = await sendByAll(all.cells, all.cells, 3);
    for (const { to } of sent) await expect.poll(() => smsc.copies.get(to)).toBe(1);
    for (const { account, messageId } of sent) {
      for (const entryCell of all.cells) {
        const view = await requestAt(entryCell, account, { path: `/api/v1/messages/${messageId}` });
        expect(view.status).toBe(200);
      }
      const rows = `select 1 as one from deliveries where message_id = '${messageId}'`;
      expect(await server.query(account.databaseUrl, rows)).toHaveLength(1);
    }
    expect(smsc.counts().accepted).toBe(sent.length);
  });

  it('hand back status, headers and body as the cell of the account answers them', async () => {
    const request = { path: '/SendSMS', body: { from: b.caller.from, to: ['no number'], text: '' } };
    const answers = await Promise.all([b, a].map((entryCell) => requestAt(entryCell, b, request)));
    const [own, foreign] = await Promise.all(
      answers.map(async (answer) => ({
        status: answer.status,
        body: await answer.text(),
        names: [...answer.headers.keys()].sort(),
      })),
    );
    expect(foreign).toEqual(own);
    expect(own!.status).toBe(400);
  });

  it('keep one Idempotency-Key for all doors', async () => {
    carrier({});
    const to = handset();
    const sent = await Promise.all(
      all.cells.map((entryCell) => send(entryCell, c, { 'idempotency-key': 'at every door' }, to)),
    );
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
    await expect.poll(() => smsc.copies.get(to)).toBe(1);
  });

  it('refuse a pair that no cell has, halves of two pairs too, as one cell alone does', async () => {
    const halves = { ...a, caller: { ...b.caller, authToken: c.caller.authToken } };
    const wrong = { ...a, caller: { ...a.caller, bearerToken: 'bearer-token-that-nobody-was-ever-given' } };
    for (const caller of [halves, wrong]) {
      const answer = await requestAt(a, caller, { path: '/api/v1/messages' });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { success: false, reason: 'NOT_AUTHORIZED', detail: 'The credentials were not accepted.' },
      ]);
      expect(answer.headers.has('helio-cell-pair')).toBe(false);
    }
  });

  it('believe no client that it was forwarded: what cells ask is not there, nor is the address of a client', async () => {
    const answer = await requestAt(a, b, { path: '/cells/1/state' });
    expect(answer.status).toBe(404);
    const forged = await requestAt(a, b, { path: '/api/v1/messages', headers: { 'helio-cell-client': '192.0.2.1' } });
    expect(forged.status).toBe(200);
    const addresses = async () =>
      (await server.query(b.databaseUrl, 'select distinct address from request_log')).map((row) => row.address);
    await expect.poll(addresses).toContain('127.0.0.1');
    expect(await addresses()).toEqual(['127.0.0.1']);
  });

  it('let nobody in between cells who has not the secret', async () => {
    for (const scheme of ['http', 'https']) {
      await expect(fetch(`${scheme}://127.0.0.1:${b.options.env!.HELIO_CELL_PORT}/cells/1/state`)).rejects.toThrow();
    }
  });
});

describe('receipts on the bind of another cell', () => {
  it('that come after the answer are all matched, and stored before they are acknowledged', async () => {
    carrier({ receipts: 'after' });
    const sent = await sendByAll(all.cells, all.cells, 4);
    await expect.poll(acknowledged).toBe(sent.length);
    expect(await undelivered(sent)).toEqual([]);
    expect(await unmatched()).toBe(0);
    expect(await elsewhere('known')).toBeGreaterThan(0);
  });

  it('that come before the answer wait in their own cell and match when it is stored', async () => {
    carrier({ receipts: 'before', receiptDelayMs: 1, responseDelayMs: 3_000 });
    const sent = await sendByAll(all.cells, all.cells, 2);
    await expect.poll(acknowledged).toBe(sent.length);
    await expect.poll(() => undelivered(sent)).toEqual([]);
    expect(await unmatched()).toBe(0);
    expect(await elsewhere('expected')).toBeGreaterThan(0);
  });

  it('are not acknowledged while their own cell is away, others are, and all are once it is back', async () => {
    carrier({ receipts: 'after', receiptDelayMs: 1, holdReceipts: true });
    const kept = await sendByAll([c], [b], 8);
    await expect.poll(() => smsc.counts().accepted).toBe(kept.length);
    await expect.poll(() => settled(kept)).toBe(kept.length);
    await b.gateway.kill();
    smsc.behaviour.holdReceipts = false;
    await expect.poll(() => smsc.counts().deliveriesRefused).toBeGreaterThan(3 * kept.length);
    expect(acknowledged()).toBe(0);
    const others = await sendByAll([a, c], [a, c], 4);
    await expect.poll(acknowledged).toBe(others.length);
    expect(await undelivered(others)).toEqual([]);
    await all.start(b);
    await expect.poll(acknowledged).toBe(others.length + kept.length);
    expect(await undelivered(kept)).toEqual([]);
    expect(await unmatched()).toBe(0);
  });

  it('replies reach the cell of the number, once, before they are acknowledged', async () => {
    carrier({ receipts: 'after', replyEvery: 1 });
    const sent = await sendByAll([a], all.cells, 3);
    await expect.poll(() => smsc.repliesTaken.size).toBe(sent.length);
    for (const account of all.cells) {
      const rows = await server.query(account.databaseUrl, `select sender from messages where direction = 'inbound'`);
      const expected = sent.filter((one) => one.account === account).map(({ to }) => to);
      expect(rows.map((row) => row.sender).sort()).toEqual(expected.sort());
    }
  });
});

/** How many of them the carrier has, by the word of their own cell. */
async function settled(sent: readonly Sent[]): Promise<number> {
  const ids = sent.map(({ messageId }) => `'${messageId}'`).join(',');
  const rows = await server.query(
    sent[0]!.account.databaseUrl,
    `select 1 as one from deliveries where state = 'sent' and message_id in (${ids})`,
  );
  return rows.length;
}

describe('a cell that is away', () => {
  it('stops its own accounts only, and its doors say that nothing was sent', async () => {
    carrier({});
    await b.gateway.kill();
    const refused = await requestAt(a, b, {
      path: '/SendSMS',
      body: { from: b.caller.from, to: [handset()], text: 'Hello' },
    });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({
      reason: 'TEMPORARILY_UNAVAILABLE',
      detail: expect.stringMatching(/cannot be reached.*Nothing was sent or billed\.$/),
    });
    await sendByAll([a, c], [a, c], 4);
    await expect.poll(async () => (await readiness(a)).cellsDown).toEqual(['b']);
    await all.start(b);
    await whole();
    await send(a, b);
  });

  it('that was reached and went before it answered leaves the caller in doubt, who sends once by the same key', async () => {
    carrier({});
    const to = handset();
    const request = { path: '/SendSMS', body: { from: b.caller.from, to: [to], text: 'Hello' } };
    const headers = { 'idempotency-key': `in doubt about ${to}` };
    // The database of b keeps its commit waiting, so that it has the request and has not answered.
    const locked = new Client({ connectionString: b.databaseUrl });
    locked.on('error', () => {});
    await locked.connect();
    await locked.query('begin; lock table messages in exclusive mode');
    const pending = requestAt(c, b, { ...request, headers });
    try {
      const waits = `select 1 as one from pg_locks where not granted and relation = 'messages'::regclass`;
      await expect.poll(async () => (await server.query(b.databaseUrl, waits)).length).toBeGreaterThan(0);
      await b.gateway.kill();
    } finally {
      await locked.end();
    }
    const answer = await pending;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      detail: expect.stringMatching(/may have been accepted.*Idempotency-Key/),
    });
    await all.start(b);
    await whole();
    await send(c, b, headers, to);
    await expect.poll(() => smsc.copies.get(to)).toBe(1);
  });
});

describe('with a planted bug', () => {
  const plant = (name: string) => ['--import', new URL(`../props/plants/${name}.ts`, import.meta.url).href];

  it('finds that a receipt was acknowledged and its cell does not have it', async () => {
    await b.gateway.stop();
    await all.start(b, plant('receipt-unstored'));
    await whole();
    carrier({ receipts: 'after' });
    const sent = await sendByAll([a], [b], 3);
    await expect.poll(acknowledged).toBe(sent.length);
    expect((await undelivered(sent)).length).toBeGreaterThan(0);
    await b.gateway.stop();
    await all.start(b);
  });

  it('finds that a request was forwarded twice', async () => {
    await a.gateway.stop();
    await all.start(a, plant('forward-twice'));
    await whole();
    carrier({});
    const { to } = await send(a, b);
    await expect.poll(() => smsc.copies.get(to)).toBe(2);
  });
});

describe('a start with wrong settings of cells', () => {
  it('names the secret that is open to everybody', async () => {
    const file = join(all.folder, 'open.secret');
    writeFileSync(file, readFileSync(a.options.env!.HELIO_CELLS_SECRET_FILE!), { mode: 0o644 });
    const folder = join(all.folder, 'refused');
    const { startGateway } = await import('../props/gateway.ts');
    const started = startGateway({
      ...a.options,
      folder,
      port: 0,
      env: { ...a.options.env, HELIO_CELLS_SECRET_FILE: file },
    });
    await expect(started).rejects.toThrow(/ended with 78: HELIO_CELLS_SECRET_FILE=.* is open to everybody/);
  });
});
