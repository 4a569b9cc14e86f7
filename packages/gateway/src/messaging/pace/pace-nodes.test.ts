/**
 * Two nodes on a real PostgreSQL, each with its own carrier, send for one campaign: its limits hold for both together.
 */
import { afterEach, expect, it } from 'vitest';
import { openStore } from '../../app/open-store.ts';
import type { Store } from '../../app/store.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { machineClock } from '../../kernel/machine.ts';
import type { Directory } from '../../model/directory.ts';
import { emptyRegistration, type Pacing } from '../../model/registration.ts';
import { directoryOf, records } from '../../model/world-fixture.ts';
import { acceptItem, hour, settlement } from '../../store/contract/fixture.ts';
import { useSchema } from '../../store/postgres-fixture.ts';
import { createPace, type Pace } from './pace.ts';

const schema = useSchema();
const nodes: Node[] = [];
afterEach(async () => {
  for (const { pace, store } of nodes.splice(0)) {
    await pace.stop();
    await store.close();
  }
});

interface Node {
  store: Store;
  pace: Pace;
  lane: string;
}

function limited(pacing: Partial<Pacing>): Directory {
  const [campaign] = records().campaigns;
  const limits = { segmentsPerMinute: null, mmsPerMinute: null, segmentsPerDay: null, ...pacing };
  return directoryOf({
    campaigns: [{ ...campaign!, pacing: limits, registration: { ...emptyRegistration(), brandId: 'brd_1' } }],
  });
}

async function join(lane: string, directory: () => Directory): Promise<Node> {
  const { databaseUrl } = schema;
  const store = await openStore({ databaseUrl, dataDir: '', role: 'node', cluster: true, clock: machineClock });
  await store.planOwners({ meant: [{ name: lane, node: store.token }], gone: [] });
  const now = machineClock.now();
  expect((await store.takeOwned({ name: lane, now, dueAt: now, limit: 99 })).kind).toBe('taken');
  const broken = (error: unknown): void => {
    throw error;
  };
  const parts = { clock: machineClock, store, shared: store, logger: silentLogger, directory, broken, warn: () => {} };
  const pace = createPace(parts);
  pace.follow();
  await pace.settled();
  const node = { store, pace, lane };
  nodes.push(node);
  return node;
}

const textItem = (now: number, lane: string) =>
  acceptItem(now, { from: '12025550199', lane, expiresAt: now + 99 * hour });
/** For what may not be sent. */
const parked = { to: 'queued' as const, lane: 'parked', parts: [], countsAttempt: false };

/** Accepts this many texts of one segment and sends those that may go; returns their number. */
async function send({ store, pace, lane }: Node, count: number): Promise<number> {
  const now = machineClock.now();
  await store.accept(Array.from({ length: count }, () => textItem(now, lane)));
  const claims = await store.claim({ lane, limit: count, now, token: store.token });
  if (pace.lacks(claims)) await pace.lend(claims);
  const went = claims.filter((one) => pace.ask(one) === null);
  const waits = claims.filter((one) => !went.includes(one));
  await store.settle([
    ...went.map((one) => settlement(one, machineClock.now())),
    ...waits.map((one) => settlement(one, machineClock.now(), parked)),
  ]);
  return went.length;
}

it('a daily cap, with what was sent before it was there', async () => {
  let directory = limited({});
  const [first, second] = [await join('a', () => directory), await join('b', () => directory)];
  expect([await send(first, 5), await send(second, 7)]).toEqual([5, 7]);
  directory = limited({ segmentsPerDay: 30 });
  for (const { pace } of nodes) {
    pace.follow();
    await pace.settled();
  }
  let went = 12;
  for (let round = 0; round < 6; round += 1) {
    const both = await Promise.all([send(first, 3), send(second, 3)]);
    went += both[0] + both[1];
  }
  expect(went).toBe(30);
  const third = await join('c', () => directory);
  expect(await send(third, 3)).toBe(0);
});

it('a rate by the minute, all of which one of them may use', async () => {
  const directory = limited({ segmentsPerMinute: 40 });
  const [first, second] = [await join('a', () => directory), await join('b', () => directory)];
  expect(await send(first, 25)).toBe(25);
  const both = await Promise.all([send(first, 12), send(second, 12)]);
  expect(both[0] + both[1]).toBeLessThanOrEqual(15);
  expect(both[0] + both[1]).toBeGreaterThan(0);
  expect(await send(second, 40)).toBeLessThanOrEqual(15 - both[0] - both[1]);
});

it('a daily cap that comes while texts are claimed: those that come back were not sent', async () => {
  let directory = limited({});
  const [node] = [await join('a', () => directory), await join('b', () => directory)];
  const now = machineClock.now();
  await node.store.accept(Array.from({ length: 10 }, () => textItem(now, 'a')));
  const claims = await node.store.claim({ lane: 'a', limit: 10, now, token: node.store.token });
  directory = limited({ segmentsPerDay: 10 });
  for (const { pace } of nodes) pace.follow();
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(claims.map((one) => node.pace.ask(one)).filter((asked) => asked === null)).toEqual([]);
  await node.store.settle(claims.map((one) => settlement(one, machineClock.now(), parked)));
  await Promise.all(nodes.map(({ pace }) => pace.settled()));
  expect(await send(node, 10)).toBe(10);
});
