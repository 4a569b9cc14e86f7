/** One run of the simulation: a world from a seed, load and faults for a while, then peace until nothing is under way any more. */

import type { JudgedMessage } from '../../packages/gateway/src/cli/prove/judge.ts';
import { judge, statesUnderWay } from '../../packages/gateway/src/cli/prove/judge.ts';
import { StoreBroken } from '../../packages/gateway/src/store/faults.ts';
import { brokenRules, mostWithin } from '../props/cluster-rules.ts';
import { Chance } from './chance.ts';
import { Faults } from './faults.ts';
import { Load } from './load.ts';
import { Trace } from './trace.ts';
import { limits, senders, World } from './world.ts';

/** While all nodes start. */
const calmMs = 3_000;
const faultWindow = { fromMs: 3_000, toMs: 14_000 } as const;
const loadUntilMs = 20_000;
/** What waits for a limit ends with its validity of 3 min, later by as much as the clock of the database is ahead. */
const peaceMsMax = 600_000;
const lookEveryMs = 1_000;
/** Between what the store counts as a minute and what arrives within one at the carrier, ms. */
const minuteMs = 59_000;

export interface SimulationResult {
  seed: number;
  /** In words; none when every rule held. */
  broken: string[];
  /** The same for two runs that did the same. */
  sum: string;
  virtualMs: number;
  acknowledged: number;
  taken: number;
  duplicates: number;
  uncertainMoves: number;
  takeOverMs: number[];
  commits: number;
  events: number;
}

/** What nobody waits for any more has failed, unless it is the end of a gateway. */
export function watchRejections(found: (what: string) => void): () => void {
  const rejected = (error: unknown): void => {
    if (!(error instanceof StoreBroken)) found(`nobody has handled: ${(error as Error)?.stack ?? String(error)}`);
  };
  process.on('unhandledRejection', rejected);
  return () => process.off('unhandledRejection', rejected);
}

export async function simulate(seed: number, prints = false): Promise<SimulationResult> {
  const trace = new Trace(prints);
  const world = new World(seed, trace);
  const { scheduler, watch, carrier, server } = world;
  const chance = new Chance(seed, 'faults');
  const faults = new Faults(world, chance);
  const load = new Load(world, seed);
  const unwatch = watchRejections((what) => watch.broken.push(what));
  const isBroken = () => watch.broken.length > 0;
  load.start(chance.between(100, 600), loadUntilMs);
  scheduler.at(calmMs, () => faults.plan(faultWindow.fromMs - calmMs, faultWindow.toMs - calmMs));
  await scheduler.runUntil(loadUntilMs + 8_000, isBroken);
  while (!isBroken() && scheduler.nowMs < peaceMsMax && (!load.isOver || isUnderWay(world))) {
    await scheduler.runUntil(scheduler.nowMs + lookEveryMs, isBroken);
  }
  if (!isBroken()) await scheduler.runUntil(scheduler.nowMs + 500, isBroken);
  unwatch();
  const messages = messagesOf(world);
  const verdict = judge({ acknowledged: load.acknowledged, copies: carrier.copies, messages });
  const takeOverMs = faults.takeOverMs(scheduler.nowMs).map(Math.round);
  const evidence = {
    verdict,
    takeOverMs,
    uncertainMoves: watch.uncertainMoves,
    inDoubtMax: faults.inDoubtMax,
    staleSubmits: carrier.staleSubmits,
    sentTooLate: watch.sentTooLate,
    passedEvents: watch.log.passed(
      server.committedRows<{ position: number }>('select position from events').map(({ position }) => position),
    ),
    limits: limitsOf(world),
  };
  // What the end of a run says is only true when it came to its end.
  const broken = isBroken() ? watch.broken : brokenRules(evidence);
  for (const what of broken) world.say('rule', what);
  for (const node of world.nodes) node.process.isDead = true;
  server.sql.close();
  return {
    seed,
    broken,
    sum: trace.sum,
    virtualMs: Math.round(scheduler.nowMs),
    acknowledged: verdict.acknowledged,
    taken: carrier.taken.length,
    duplicates: verdict.duplicates,
    uncertainMoves: watch.uncertainMoves,
    takeOverMs,
    commits: watch.commits,
    events: scheduler.events,
  };
}

function isUnderWay({ server, nodes }: World): boolean {
  const states = statesUnderWay.map((state) => `'${state}'`).join(', ');
  const [{ count }] = server.committedRows<{ count: number }>(
    `select count(*) as count from deliveries where state in (${states})`,
  ) as [{ count: number }];
  return count > 0 || nodes.some(({ process }) => process.isPaused);
}

function messagesOf({ server }: World): JudgedMessage[] {
  const rows = server.committedRows<JudgedMessage & { dup: number; limited: number }>(
    `select message_id as messageId, recipient as "to", state, code, dup_risk as dup, exists (select 1 from events
       where events.message_id = deliveries.message_id and events.code = 'CAMPAIGN_LIMIT') as limited
     from deliveries`,
  );
  return rows.map(({ dup, limited, ...message }) => ({
    ...message,
    state: limited === 1 ? asExpired(message) : message.state,
    dupRisk: dup === 1,
  }));
}

/** A repeat that waits for its campaign's limit until its validity ends is not sent. It would be `expired`, were its first try not in doubt. */
function asExpired({ state, code }: Pick<JudgedMessage, 'state' | 'code'>): string {
  return state === 'unconfirmed' && code === 'UNCERTAIN' ? 'expired' : state;
}

function limitsOf({ carrier }: World) {
  const times = (from: string): number[] => carrier.taken.flatMap((one) => (one.from === from ? [one.atMs] : []));
  return [
    { name: 'a minute', limit: limits.perMinute, most: mostWithin(times(senders.byMinute), minuteMs) },
    { name: 'a day', limit: limits.perDay, most: times(senders.byDay).length },
  ];
}
