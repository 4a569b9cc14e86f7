/**
 * Three nodes share a PostgreSQL, and each has some of the duties: webhooks, media, usage, retention, sweeper. The node of a
 * duty is killed, or paused for longer than its lease and resumed. Others take its duties; every event arrives under one id,
 * each message is counted once for billing, and no node stores anything of a duty that it does not have on record: triggers
 * in the database compare the writing session with that record.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, type TestOptions } from 'vitest';
import { type Duty, duties, ownedDuty } from '../../packages/gateway/src/model/duty.ts';
import { sessionLockClass } from '../../packages/gateway/src/store/postgres-turn.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { callApi } from '../props/api.ts';
import { type Balancer, startBalancer } from '../props/balancer.ts';
import { type EventVerdict, judgeEvents } from '../props/event-judge.ts';
import { readEventLog } from '../props/event-log.ts';
import type { Exit } from '../props/gateway.ts';
import { readMessageLog } from '../props/message-log.ts';
import { openScene } from '../props/scene.ts';
import { startWebhookSink, type WebhookSink } from '../props/webhook-sink.ts';
import { clusterEnv, goesOn, type Node, optionsOf, readiness, someTexts, startNode, untilAllReady } from './nodes.ts';
import { finish, planted, type RoundsResult, report } from './rounds.ts';

export interface DutyCounts {
  /** Of nodes of duties, one duty after the other. */
  kills: number;
  pauses: number;
  /** From the end of a node until others have its duties, where that is judged. */
  takeOverMsMax?: number;
  /** Whether nodes that believe to have all duties are tried, with and without the comparison in the transaction. */
  greedy: boolean;
  how?: TestOptions;
}

const window = 10;
const nodeCount = 3;
/** Those of which this load makes something to do. */
const busyDuties = ['webhooks', 'media', 'usage', 'sweeper'] as const satisfies readonly Duty[];
/** Webhooks of one endpoint that a lost node may have sent without writing it down. */
const openWebhooksMax = 256;
const quietMs = 8_000;
const waitMsMax = 120_000;
const removedExitCode = 70;

/** Tables with a write that only the node of the duty does. */
const written: readonly [table: string, when: string, duty: Duty][] = [
  ['webhook_attempts', 'insert', 'webhooks'],
  ['webhook_deliveries', 'insert', 'webhooks'],
  ['media_jobs', 'delete', 'media'],
  ['usage', 'insert or update', 'usage'],
  ['hourly_outcomes', 'insert or update', 'usage'],
];

interface Played extends Omit<RoundsResult, 'exits'> {
  events: EventVerdict;
  /** By duty, writes of nodes that did not have it on record. */
  strange: Record<string, number>;
  /** Duties that were written under, at all. */
  seen: string[];
  /** Messages counted for billing, and those that carriers took. */
  counted: { usage: number; taken: number };
  exits: Exit[];
  takeOverMs: number[];
}

export function dutySuite(counts: DutyCounts): void {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());

  describe('duties of three nodes on one database', counts.how ?? {}, () => {
    it('whose node is killed: others take them, every event arrives, each message is counted once', async () => {
      const played = await play(server, { kills: counts.kills, pauses: 0 });
      report('duties, killed', figures(played));
      judgeSafe(played, counts.kills);
      judgeTime(played, counts);
    });

    it('whose node is paused past its lease: it stores nothing of them any more and exits', async () => {
      const played = await play(server, { kills: 0, pauses: counts.pauses });
      report('duties, paused', figures(played));
      judgeSafe(played, counts.pauses);
      judgeTime(played, counts);
      for (const exit of played.exits) expect(exit).toEqual({ code: removedExitCode, signal: null });
    });

    if (!counts.greedy) return;

    it('that every node believes to have: only the one that has them on record stores anything', async () => {
      const played = await play(server, { kills: 0, pauses: 0 }, planted('duty-greedy'));
      report('duties, greedy', figures(played));
      judgeSafe(played, nodeCount);
    });

    it('finds the planted bug: writes without comparing who has the duty', async () => {
      const { strange } = await play(server, { kills: 0, pauses: 0 }, planted('duty-blind'));
      report('duties, blind', strange);
      expect(Object.keys(strange)).toContain('webhooks');
    });
  });
}

const figures = ({ verdict, events, strange, counted, takeOverMs }: Played) => ({
  ...verdict,
  repeated: events.repeated,
  events: events.events,
  strange,
  counted,
  takeOverMs,
});

function judgeSafe({ verdict, events, strange, seen, counted }: Played, rounds: number): void {
  expect(verdict.lost).toEqual([]);
  expect(verdict.unflaggedDuplicates).toEqual([]);
  const { missing, invented, feedDiffers, changed, forged, finals } = events;
  const noFault = { missing: [], invented: [], feedDiffers: [], changed: [], forged: [], finals: [] };
  expect({ missing, invented, feedDiffers, changed, forged, finals }).toEqual(noFault);
  expect(events.repeated).toBeLessThanOrEqual(rounds * openWebhooksMax);
  expect(strange).toEqual({});
  expect(seen).toEqual(['media', 'usage', 'webhooks']);
  expect(counted.usage).toBe(counted.taken);
  expect(counted.taken).toBeGreaterThan(20);
}

function judgeTime({ takeOverMs }: Played, { takeOverMsMax = Number.POSITIVE_INFINITY }: DutyCounts): void {
  for (const ms of takeOverMs) expect(ms).toBeLessThanOrEqual(takeOverMsMax);
}

async function play(
  server: TestPostgres,
  { kills, pauses }: Pick<DutyCounts, 'kills' | 'pauses'>,
  nodeArguments: string[] = [],
): Promise<Played> {
  const databaseUrl = await server.createDatabase();
  const scene = await openScene({
    window,
    databaseUrl,
    receipts: true,
    mms: { ofTen: 2 },
    behaviour: { receipts: 'after', receiptDelayMs: 20 },
  });
  Object.assign(scene.gatewayOptions.env!, clusterEnv(scene.folder));
  const sink = await startWebhookSink({ refusals: 0, answerDelayMs: 5 });
  const nodes: Node[] = [];
  let balancer: Balancer | null = null;
  try {
    const options = await Promise.all(
      Array.from({ length: nodeCount }, (_, place) => optionsOf(scene, `n${place}`, nodeArguments)),
    );
    nodes.push(...(await Promise.all(options.map(startNode))));
    const ports = nodes.map(({ gateway }) => gateway.port);
    balancer = await startBalancer(ports, { inTurn: true });
    await untilAllReady(balancer, nodes);
    await server.query(databaseUrl, watchWrites);
    const { data } = await callApi<{ secret: string }>(balancer.port, {
      path: '/api/v1/endpoints',
      body: { url: sink.url },
    });
    sink.trust(data.secret);
    const client = scene.startClient({ port: balancer.port, requestsPerSecond: 100 });
    const owners = () => ownersIn(server, databaseUrl);
    const takeOverMs: number[] = [];
    const exits: Exit[] = [];
    if (kills + pauses === 0) await wait(quietMs);
    for (let index = 0; index < kills + pauses; index += 1) {
      await someTexts(scene);
      const before = await settledOwners(owners);
      const duty = busyDuties[index % busyDuties.length]!;
      const hit = await nodeOf(nodes, duty);
      const own = duties.filter((one) => before.get(ownedDuty(one)) === before.get(ownedDuty(duty)));
      const from = performance.now();
      if (index < kills) await hit.gateway.kill();
      else process.kill(hit.gateway.pid, 'SIGSTOP');
      await untilTaken(owners, own, before);
      takeOverMs.push(Math.round(performance.now() - from));
      if (index >= kills) exits.push(await goesOn(hit.gateway));
      Object.assign(hit, await startNode(hit.options));
      await untilAllReady(balancer, nodes);
    }
    await someTexts(scene);
    await client.stop(5_000);
    await quiet(sink);
    for (const { gateway } of nodes) expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    let events: EventVerdict | null = null;
    const finished = await finish(scene, client, async ({ port }) => {
      // The last gateway takes the duties first: until then it is quiet, too.
      const lastly = performance.now() + waitMsMax;
      do {
        await quiet(sink);
        const messages = await readMessageLog(port).all();
        events = judgeEvents({ arrivals: sink.arrivals, feed: await readEventLog(port), messages });
      } while (events.missing.length > 0 && performance.now() < lastly);
      // What was counted lately is stored within a second or two.
      const end = performance.now() + waitMsMax;
      for (let is = await counts(server, databaseUrl); is.usage !== is.taken && performance.now() < end; ) {
        await wait(200);
        is = await counts(server, databaseUrl);
      }
    });
    return {
      ...finished,
      events: events!,
      ...(await writesIn(server, databaseUrl)),
      counted: await counts(server, databaseUrl),
      exits,
      takeOverMs,
    };
  } finally {
    await Promise.all(nodes.map(({ gateway }) => gateway.kill()));
    await balancer?.stop();
    await sink.stop();
    await scene.close();
  }
}

/** The writing session of a node holds a lock of its token. */
const watchWrites = `
  create table duty_writes (duty text, strange boolean);
  grant all on duty_writes to public;
  create function watch_duty() returns trigger language plpgsql as $$
  declare writer bigint; owner bigint;
  begin
    select objid::bigint into writer from pg_locks
      where locktype = 'advisory' and classid = ${sessionLockClass} and pid = pg_backend_pid() and granted;
    select node into owner from owners where name = TG_ARGV[0];
    insert into duty_writes select TG_ARGV[1], writer is distinct from owner;
    return null;
  end $$;
  ${written
    .map(
      ([table, when, duty]) => `create trigger watch_${table} after ${when} on ${table}
         for each statement execute function watch_duty('${ownedDuty(duty)}', '${duty}');`,
    )
    .join('\n')}`;

async function writesIn(server: TestPostgres, databaseUrl: string): Promise<Pick<Played, 'strange' | 'seen'>> {
  const rows = await server.query(
    databaseUrl,
    'select duty, count(*) filter (where strange) as strange from duty_writes group by duty order by duty',
  );
  const strange = rows.filter((row) => Number(row.strange) > 0).map((row) => [row.duty, Number(row.strange)]);
  return { strange: Object.fromEntries(strange), seen: rows.map(({ duty }) => duty as string) };
}

async function counts(server: TestPostgres, databaseUrl: string): Promise<Played['counted']> {
  const [row] = await server.query(
    databaseUrl,
    `select (select coalesce(sum(messages), 0) from usage) as usage,
       (select count(*) from deliveries where state in ('sent', 'delivered', 'undelivered')) as taken`,
  );
  return { usage: Number(row!.usage), taken: Number(row!.taken) };
}

/** By name, the token of the node that has it and shall have it. */
type Owners = ReadonlyMap<string, string>;

async function ownersIn(server: TestPostgres, databaseUrl: string): Promise<Owners> {
  const rows = await server.query(databaseUrl, 'select name, node from owners where node = meant_for');
  return new Map(rows.map(({ name, node }) => [name as string, String(node)]));
}

/** Once every duty is where it is meant to be, and each node has some. */
async function settledOwners(owners: () => Promise<Owners>): Promise<Owners> {
  for (const end = performance.now() + waitMsMax; performance.now() < end; await wait(100)) {
    const found = await owners();
    const having = duties.flatMap((duty) => found.get(ownedDuty(duty)) ?? []);
    if (having.length === duties.length && new Set(having).size === nodeCount) return found;
  }
  throw new Error('the duties are not spread over the nodes');
}

async function untilTaken(owners: () => Promise<Owners>, own: readonly Duty[], before: Owners): Promise<void> {
  for (const end = performance.now() + waitMsMax; performance.now() < end; await wait(50)) {
    const now = await owners();
    const isTaken = (duty: Duty) =>
      now.has(ownedDuty(duty)) && now.get(ownedDuty(duty)) !== before.get(ownedDuty(duty));
    if (own.every(isTaken)) return;
  }
  throw new Error('no node takes the duties over');
}

/** The node that says it has the duty. */
async function nodeOf(nodes: readonly Node[], duty: Duty): Promise<Node> {
  for (const end = performance.now() + waitMsMax; performance.now() < end; await wait(100)) {
    const found = await Promise.all(nodes.map(({ gateway }) => readiness(gateway.port)));
    const place = found.findIndex((ready) => ready?.duties.includes(duty) === true);
    if (place !== -1) return nodes[place]!;
  }
  throw new Error(`no node says that it does ${duty}`);
}

/** Resolves when no webhook arrives any more. */
async function quiet(sink: WebhookSink): Promise<void> {
  for (let count = -1; count !== sink.arrivals.length; await wait(3_000)) count = sink.arrivals.length;
}
