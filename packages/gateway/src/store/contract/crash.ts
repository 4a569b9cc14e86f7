/** Contract: a killed node loses nothing it confirmed, and its lock is free at once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import type { Store } from '../../app/store.ts';
import { StoreRefused } from '../faults.ts';
import { hour, type StoreFactory, start } from './fixture.ts';

const childFile = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
const rounds = 4;
/** Lines printed before the kill; different each round so that the kill hits different moments. */
const linesBeforeKill = [1, 40, 173, 400];

interface Child {
  process: ChildProcess;
  /** Everything printed so far, by the first word of the line. */
  printed: Record<'open' | 'accepted' | 'waiting' | 'prepared' | 'claimed' | 'settled' | 'notified', string[]>;
  /** Resolves once this many lines are printed. */
  until(lines: number): Promise<void>;
}

/** `args`: the arguments of `crash-child.ts`. */
function startChild(args: string[]): Child {
  const child = spawn(process.execPath, [childFile, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const printed: Child['printed'] = {
    open: [],
    accepted: [],
    waiting: [],
    prepared: [],
    claimed: [],
    settled: [],
    notified: [],
  };
  let count = 0;
  let wake = () => {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [word, rest] = line.split(' ') as [keyof Child['printed'], string];
    printed[word].push(rest);
    count += 1;
    wake();
  });
  child.on('exit', () => wake());
  return {
    process: child,
    printed,
    async until(lines) {
      while (count < lines) {
        if (child.exitCode !== null) throw new Error(`the child ended with ${child.exitCode} after ${count} lines`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

async function kill(child: Child): Promise<void> {
  const closed = once(child.process, 'close');
  child.process.kill('SIGKILL');
  await closed;
}

export function crashContract(factory: StoreFactory): void {
  describe('a killed node', () => {
    const children: Child[] = [];
    afterEach(async () => {
      for (const child of children.splice(0)) if (child.process.exitCode === null) child.process.kill('SIGKILL');
    });
    const startOn = (place: { childArgs: string[] }) => {
      const child = startChild(place.childArgs);
      children.push(child);
      return child;
    };

    it('is the only node while it lives, and its lock is free once it is dead', async () => {
      const place = await factory();
      const child = startOn(place);
      await child.until(1);
      const refused = await place.open('node', movedClock(start)).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StoreRefused);
      expect((refused as StoreRefused).message).toMatch(/one store has one node/);
      const tool = await place.open('tool', movedClock(start));
      expect(tool.token).toBe(0);
      await tool.close();
      await kill(child);
      const store = await place.open('node', movedClock(start));
      expect(store.token).toBeGreaterThan(Number(child.printed.open[0]));
      await store.close();
      await place.remove();
    });

    it('loses nothing it confirmed, however often it is killed', async () => {
      const place = await factory();
      const accepted: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const child = startOn(place);
        await child.until(1 + linesBeforeKill[round]!);
        await kill(child);
        const store = await place.open('node', movedClock(start));
        accepted.push(...child.printed.accepted);
        await checkAfterKill(store, child, accepted);
        await checkOutbox(store, child);
        await checkMedia(store, child);
        await store.close();
      }
      await place.remove();
    });
  });
}

async function checkAfterKill(store: Store, child: Child, accepted: string[]): Promise<void> {
  const now = start + 10_000 * hour;
  const recover = () => store.recover({ token: store.token, now, dueAt: now, limit: 100 });
  const uncertain = (await recover()).map((move) => move.messageId);
  const states = new Map<string, string | undefined>();
  for (const messageId of accepted) states.set(messageId, (await store.message('acc1', messageId))?.state);
  expect([...states].filter(([, state]) => state === undefined)).toEqual([]);

  const settled = new Set(child.printed.settled);
  expect(
    child.printed.settled.filter((messageId) => states.has(messageId) && states.get(messageId) !== 'sent'),
  ).toEqual([]);
  // At most one claim's deliveries are uncertain, and none of those confirmed as settled.
  expect(uncertain.length).toBeLessThanOrEqual(5);
  expect(uncertain.filter((messageId) => settled.has(messageId))).toEqual([]);
  expect(await recover()).toEqual([]);
}

/**
 * W-08: assigned events agree with the stored position, and each event is in the log once, with the state it reports.
 */
async function checkOutbox(store: Store, child: Child): Promise<void> {
  const mark = await store.fannedOut();
  expect(mark).toBeGreaterThanOrEqual(Math.max(0, ...child.printed.notified.map(Number)));
  const { events } = await store.eventsAfter({ after: 0, limit: 100_000 });
  const places = events.flatMap(({ position }) => (position <= mark ? [position] : []));
  const query = { accountId: 'acc1', endpointIds: ['ep_1'], state: null, before: null, limit: 100_000 };
  const given = (await store.webhookDeliveries(query)).map(({ position }) => position);
  expect(given.reverse()).toEqual(places);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
  const sent = new Set(events.map(({ message }) => message?.messageId));
  expect(child.printed.settled.filter((messageId) => !sent.has(messageId))).toEqual([]);
}

/** Each MMS has either its job or its media, never both or neither; those confirmed as prepared have media. */
async function checkMedia(store: Store, child: Child): Promise<void> {
  const now = start + 10_000 * hour;
  const { waiting, prepared } = child.printed;
  const jobs = new Set((await store.mediaJobs({ now, limit: 100_000 })).map(({ requestId }) => requestId));
  const ready = new Set(await store.neededMedia({ hashes: waiting, now, keptSince: now }));
  for (const messageId of waiting) {
    const view = await store.message('acc1', messageId);
    expect([messageId, view?.state, jobs.has(view!.requestId)]).toEqual([messageId, 'queued', !ready.has(messageId)]);
  }
  expect(prepared.filter((messageId) => !ready.has(messageId))).toEqual([]);
}
