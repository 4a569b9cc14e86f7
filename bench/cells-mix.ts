/**
 * Cells under a mix: how many requests come to a cell that is not theirs, how many receipts on a bind of another cell, and the
 * processor time that all gateways and the database server use for it. What they use anyway is measured and left out.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { TestPostgres } from '../test/postgres.ts';
import { type Cell, type Cells, newCaller, requestAt, startCells } from '../test/props/cells.ts';
import type { ReceiptsOn } from '../test/props/receipt-queue.ts';
import type { SmscCounts } from '../test/props/smsc.ts';
import type { LoadParams, LoadResult } from './load.ts';
import { childrenCpuSeconds, type Helper, usageOf } from './processes.ts';
import type { SinkCommand } from './sink.ts';

export interface Mix {
  /** Requests come to the cell of their account, all to another one, or evenly to all cells: f = 0, 1, (N − 1) / N. */
  requests: 'own' | 'foreign' | 'spread';
  /** The same for receipts: s. */
  receipts: 'own' | 'foreign' | 'spread';
}

/** Processor time, µs a message. */
export interface MixCost {
  gateways: number;
  server: number;
}

export interface MixedCells {
  run(mix: Mix): Promise<MixCost>;
  stop(): Promise<void>;
}

export interface MixOptions {
  server: TestPostgres;
  sink: Helper<SinkCommand>;
  load: Helper<LoadParams>;
  count: number;
  requests: number;
  recipientsPerRequest: number;
  connections: number;
  /** 0: as fast as the connections go. */
  requestsPerSecond: number;
}

const receiptsOn = { own: 'own', foreign: 'foreign', spread: 'each in turn' } as const satisfies Record<
  Mix['receipts'],
  ReceiptsOn
>;
/** As carriers do, so that a receipt finds its message settled. */
const receiptDelayMs = 1_500;
const idleMs = 8_000;
/** What goes on in the background, like counting, is part of a message's work. */
const restMs = 1_500;
const pollMs = 50;

let firstNumber = 0;

/** Until this cell has the connection to the account's one and has learnt its credentials. */
async function untilKnown(door: Cell, account: Cell): Promise<void> {
  while (!(await requestAt(door, account, { path: '/api/v1/messages' })).ok) await wait(pollMs);
}

/** Starts so many cells, each with a company of its own, on one database server. */
export async function startMixedCells(options: MixOptions): Promise<MixedCells> {
  const { server, sink, load, count, requests, recipientsPerRequest, connections, requestsPerSecond } = options;
  const messages = requests * recipientsPerRequest;
  const names = Array.from({ length: count }, (_, place) => `cell-${place + 1}`);
  const smscPort = await sink.ask<number>({ ask: 'port' });
  const started: Cells = await startCells(names, { server, smscPort, window: 100, callerOf: newCaller });
  const { cells } = started;
  const [found] = await server.query(
    cells[0]!.databaseUrl,
    `select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`,
  );
  const serverPid = Number(found!.pid);
  const cpu = (): MixCost => ({
    gateways: cells.reduce((sum, { gateway }) => sum + (usageOf(gateway.pid)?.cpuSeconds ?? Number.NaN), 0),
    server: (usageOf(serverPid)?.cpuSeconds ?? Number.NaN) + childrenCpuSeconds(serverPid),
  });

  /** The door and the account of each connection, in turn. */
  function ways({ requests: to }: Mix): { port: number[]; callers: NonNullable<LoadParams['callers']> } {
    const steps = Array.from(names.keys()).filter((step) => to === 'spread' || (step === 0) === (to === 'own'));
    const all = steps.flatMap((step) =>
      cells.map(({ caller }, place) => ({ caller, port: cells[(place + step) % count]!.gateway.port })),
    );
    return { port: all.map(({ port }) => port), callers: all.map(({ caller }) => caller) };
  }

  async function sendAll(mix: Mix): Promise<void> {
    await sink.ask({
      ask: 'reset',
      behaviour: { receipts: 'after', receiptDelayMs, receiptsOn: receiptsOn[mix.receipts] },
    });
    const result = await load.ask<LoadResult>({
      ...ways(mix),
      requests,
      recipientsPerRequest,
      firstNumber,
      connections,
      requestsPerSecond,
    });
    firstNumber += messages;
    if (result.failed > 0) throw new Error(`${result.failed} requests failed: ${result.sampleFailure}`);
    while ((await sink.ask<SmscCounts>({ ask: 'counts' })).receiptsAcknowledged < messages) await wait(pollMs);
    await wait(restMs);
  }

  async function costOf(work: () => Promise<unknown>): Promise<MixCost & { seconds: number }> {
    const [before, at] = [cpu(), performance.now()];
    await work();
    const after = cpu();
    return {
      gateways: after.gateways - before.gateways,
      server: after.server - before.server,
      seconds: (performance.now() - at) / 1_000,
    };
  }

  for (const door of cells) for (const account of cells) await untilKnown(door, account);
  await sendAll({ requests: 'spread', receipts: 'spread' });
  const idle = await costOf(() => wait(idleMs));
  return {
    run: async (mix) => {
      const used = await costOf(() => sendAll(mix));
      const perMessage = (what: keyof MixCost) =>
        ((used[what] - (idle[what] / idle.seconds) * used.seconds) * 1e6) / messages;
      return { gateways: perMessage('gateways'), server: perMessage('server') };
    },
    stop: started.stop,
  };
}
