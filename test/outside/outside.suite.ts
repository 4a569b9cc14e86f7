/**
 * Several gateways on one PostgreSQL as strangers see them: a program of a company, a message centre on another implementation of
 * SMPP, and handsets that reply and say STOP. Gateways are killed and paused, the database is lost. Judged by what these
 * three saw alone; nothing here shares code with the suites of `crash/`, but for how servers are started.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, type TestContext } from 'vitest';
import type { Gateway } from '../props/gateway.ts';
import { type Application, type OwnMessage, startApplication } from './application.ts';
import { type Carrier, startCarrier } from './carrier.ts';
import { startLoad } from './load.ts';
import { carrierIds, type Nodes, startNodes, window } from './nodes.ts';
import { judge, type Verdict } from './verdict.ts';

export type Fault = 'kill' | 'pause' | 'database';

export interface OutsideOptions {
  databaseUrl: string;
  /** One round each. */
  faults: readonly Fault[];
  /** Loses the database and brings it back. */
  loseDatabase: () => Promise<void>;
  nodeArguments?: readonly string[];
}

export interface Played extends Verdict {
  /** From each kill, pause and return of the database to the first text on the last of the carriers, ms. */
  againMs: number[];
  /** Exit codes of gateways that were paused. */
  pausedExits: (number | null)[];
  /** Exit codes of the last stop. */
  exits: (number | null)[];
}

const nodes = 3;
/** Three leases. */
const pausedMs = 18_000;
const patienceMs = 120_000;
const settlingMs = 1_500;
const underWay = new Set(['accepted', 'queued', 'sending', 'uncertain', 'sent']);

/** Haproxy is no part of npm: without it the test is skipped, but in CI. */
export function needsHaproxy(ctx: TestContext): void {
  if (spawnSync('haproxy', ['-v']).error === undefined) return;
  const needed = 'needs haproxy (apt-get install haproxy)';
  if (process.env.CI !== undefined) throw new Error(needed);
  ctx.skip(needed);
}

/** The faults one after another, under load; then all of it is judged. */
export async function play(options: OutsideOptions): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-outside-'));
  const carrier = await startCarrier();
  const { databaseUrl, nodeArguments = [] } = options;
  let gateways: Nodes | null = null;
  let application: Application | null = null;
  try {
    gateways = await startNodes({ folder, databaseUrl, carrierPort: carrier.port, count: nodes, nodeArguments });
    application = startApplication(gateways.door);
    const load = startLoad(carrier, application);
    const againMs: number[] = [];
    const pausedExits: (number | null)[] = [];
    await untilAllSend(carrier, 0);
    for (const [round, fault] of options.faults.entries()) {
      const conversation = load.converse(round);
      if (fault === 'database') {
        await options.loseDatabase();
        againMs.push(await untilAllSend(carrier, performance.now()));
      } else {
        pausedExits.push(...(await end(gateways, fault, Math.floor(Math.random() * nodes), carrier, againMs)));
      }
      await conversation;
    }
    const { replies, optedOut } = await load.stop();
    const messages = await settled(carrier, application);
    await application.stop();
    const evidence = { ...application, ...carrier, messages, replies, optedOut };
    const verdict = judge({ ...evidence, inDoubtMax: options.faults.length * carrierIds.length * window });
    const exits = (await gateways.stop()).map(({ code }) => code);
    return { ...verdict, againMs: againMs.map(Math.round), pausedExits, exits };
  } finally {
    application?.leave();
    await gateways?.remove();
    await carrier.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What holds whenever gateways have no bug. */
export function expectSound(played: Played): void {
  expect(played.broken).toEqual([]);
  expect(played.exits).toEqual(Array.from({ length: nodes }, () => 0));
  // EX_SOFTWARE: others had its carriers meanwhile.
  for (const code of played.pausedExits) expect(code).toBe(70);
  expect(played.repeated).toBeGreaterThan(0);
  expect(played.acknowledged).toBeGreaterThan(100);
}

/** Kills or pauses one of the gateways, until it is ready again; resolves with its exit if it was paused. */
async function end(gateways: Nodes, fault: Fault, place: number, carrier: Carrier, againMs: number[]) {
  const gateway = gateways.running[place] as Gateway;
  const from = performance.now();
  if (fault === 'kill') await gateway.kill();
  else process.kill(gateway.pid, 'SIGSTOP');
  againMs.push(await untilAllSend(carrier, from));
  const exits: (number | null)[] = [];
  if (fault === 'pause') {
    await wait(Math.max(0, from + pausedMs - performance.now()));
    process.kill(gateway.pid, 'SIGCONT');
    exits.push((await gateway.exited).code);
  }
  await gateways.again(place, gateway);
  return exits;
}

/** Resolves once every carrier has got a text since `from`, with the ms that took. */
async function untilAllSend({ arrivals }: Carrier, from: number): Promise<number> {
  const began = performance.now();
  for (; performance.now() < began + patienceMs; await wait(10)) {
    const since = new Set(arrivals.filter(({ at }) => at > from).map(({ carrier }) => carrier));
    if (carrierIds.every((id) => since.has(id))) return performance.now() - from;
  }
  const last = carrierIds.map((id) => [id, arrivals.findLast(({ carrier }) => carrier === id)?.at ?? null]);
  throw new Error(`a carrier gets no texts since ${from}: ${JSON.stringify(last)}`);
}

/** All messages, once none moves any more and nothing waits at the carrier. */
async function settled(carrier: Carrier, application: Application): Promise<OwnMessage[]> {
  for (const until = performance.now() + patienceMs; ; await wait(settlingMs)) {
    const isQuiet = carrier.waiting() === 0;
    const messages = await application.messages();
    if (isQuiet && !messages.some(({ state }) => underWay.has(state))) return messages;
    if (performance.now() > until) return messages;
  }
}
