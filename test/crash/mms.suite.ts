/**
 * D-01 to D-03 with MMS in the mix: kill -9 at random moments under texts and pictures, one in eight of these to three
 * recipients. Nothing acknowledged may be lost, copies are flagged, and once all is final no file without a message is
 * left.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, type TestOptions } from 'vitest';
import type { MmsPeers } from '../props/mms-peers.ts';
import { collectMedia, type RoomPlace, type RoomReport } from '../props/mms-room.ts';
import type { Scene } from '../props/scene.ts';
import {
  killAtRandom,
  planted,
  type Round,
  type RoundsOptions,
  type RoundsResult,
  report,
  runRounds,
  someLoad,
  uncertainMoves,
  untilMore,
} from './rounds.ts';

const window = 10;
/** Two carriers, one window each. */
const openMax = 2 * window;
const manyRounds = 6;
const mmsWithinMs = 30_000;

export interface MmsKillCounts {
  rounds: number;
  /** Rounds with a planted bug, enough to find it. 0 = not tried. */
  plantedRounds: number;
  how?: TestOptions;
}

export interface MmsResult extends RoundsResult {
  /** `room`: right after everything is final; `later`: when the media of final messages are past their retention. */
  room: RoomReport;
  later: RoomReport;
  sink: Pick<MmsPeers['sink'], 'accepted' | 'copies'> & { submits: number; malformed: number };
  fetches: { urls: number; requests: number };
}

/** The mixed load; each suite adds how its rounds end. The carrier answers late, so that a kill hits MMS under way. */
export const mixed: Pick<RoundsOptions, 'window' | 'mms' | 'requestsPerSecond'> = {
  window,
  mms: { behaviour: { responseDelayMs: 50 } },
  requestsPerSecond: 200,
};

/** `databaseUrl` resolves to an empty PostgreSQL database; left out, the store is SQLite. */
export function mmsKillSuite(
  engine: string,
  counts: MmsKillCounts,
  names: { resend: string; hold: string },
  databaseUrl?: () => Promise<string>,
): void {
  const run = async (options: Partial<RoundsOptions>) =>
    await mmsRounds({
      rounds: counts.rounds,
      end: killInTurn,
      ...mixed,
      ...(databaseUrl === undefined ? {} : { databaseUrl: await databaseUrl() }),
      ...options,
    });
  const atMost = counts.rounds * openMax;

  describe(`kill -9 with MMS in the mix, ${engine}`, counts.how ?? {}, () => {
    it(`${names.resend} policy resend: nothing lost, every copy flagged, no file without a message`, async () => {
      const result = await run({});
      const { verdict, messages, room, later } = result;
      report(`${names.resend} MMS ${engine}`, figures(result));
      expect(verdict.lost).toEqual([]);
      expect(verdict.unflaggedDuplicates).toEqual([]);
      expect(verdict.duplicates).toBeLessThanOrEqual(atMost);
      expect(uncertainMoves(messages)).toBeLessThanOrEqual(atMost);
      // A lost medium would fail its message with a code.
      expect(messages.filter(({ state }) => state !== 'sent')).toEqual([]);
      expectWholeMedia(result);
      // Over so many kills some hit between a file and its message, and some hit MMS under way.
      if (counts.rounds >= manyRounds) {
        expect(room.deleted).toBeGreaterThan(0);
        expect(result.sink.accepted.length).toBeGreaterThan(result.sink.copies.size);
      }
      expect(room).toMatchObject({ orphans: [], missing: [], damaged: [], jobs: 0 });
      expect(room.files.length).toBeGreaterThan(counts.rounds * 5);
      expect(later).toMatchObject({ files: [], missing: [], unfinished: 0 });
    });

    it(`${names.hold} policy hold: nothing lost, no copy, held messages keep their media`, async () => {
      const result = await run({ uncertainPolicy: 'hold' });
      const { verdict, messages, room, later } = result;
      report(`${names.hold} MMS hold ${engine}`, figures(result));
      const held = messages.filter(({ state }) => state === 'held');
      expect(verdict.lost).toEqual([]);
      expect(verdict.duplicates).toBe(0);
      expect(held.length).toBeLessThanOrEqual(atMost);
      expect(messages.filter(({ state }) => state !== 'sent' && state !== 'held')).toEqual([]);
      expectWholeMedia(result);
      expect(room).toMatchObject({ orphans: [], missing: [], damaged: [], jobs: 0 });
      expect(later).toMatchObject({ orphans: [], missing: [], damaged: [], unfinished: 0 });
    });

    if (counts.plantedRounds === 0) return;

    const bugs = [
      ['answered before the commit', 'answer-early'],
      // This plant writes to the SQLite file itself.
      ...(databaseUrl === undefined ? ([['the job is gone before the deliveries are due', 'job-early']] as const) : []),
    ] as const;
    it.each(bugs)(`${names.resend} finds the planted bug: %s`, async (_bug, plant) => {
      const { verdict } = await run({
        rounds: counts.plantedRounds,
        // MMS only; otherwise the test might find a lost text instead.
        mms: { ofTen: 10 },
        start: () => ({ nodeArguments: planted(plant) }),
      });
      expect(verdict.lost.length).toBeGreaterThan(0);
    });

    it('finds the planted bug: the sweep deletes media that are needed', async () => {
      const collected: RoomReport[] = [];
      await runRounds({
        ...mixed,
        rounds: 1,
        end: killAtRandom,
        ...(databaseUrl === undefined ? {} : { databaseUrl: await databaseUrl() }),
        afterStop: async (scene) => {
          const blind = { neededMedia: async () => [] };
          collected.push(await collectMedia(roomOf(scene), { plant: (store) => ({ ...store, ...blind }) }));
        },
      });
      expect(collected[0]!.missing.length).toBeGreaterThan(0);
    });
  });
}

async function killInTurn(round: Round): Promise<void> {
  await loadInTurn(round);
  await round.gateway.kill();
}

/** Resolves while most MMS are still being prepared and while some are under way, in turn. */
export async function loadInTurn(round: Round): Promise<void> {
  if (round.index % 2 === 0) return await someLoad(round);
  const { sink } = round.scene.mms!;
  await untilMore(() => sink.counts().submits, mmsWithinMs);
  await wait(Math.random() * 300);
}

export function roomOf({ gatewayOptions: { folder, dataDir, databaseUrl } }: Scene): RoomPlace {
  return { dataDir: dataDir ?? `${folder}/data`, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
}

/** Runs the rounds and reports the contents of the media store afterwards. */
export async function mmsRounds(options: RoundsOptions): Promise<MmsResult> {
  let seen: Omit<MmsResult, keyof RoundsResult> | null = null;
  const result = await runRounds({
    ...options,
    afterStop: async (scene) => {
      const { sink, origin } = scene.mms!;
      const { submits, malformed } = sink.counts();
      const room = await collectMedia(roomOf(scene));
      const later = await collectMedia(roomOf(scene), { retentionOver: true });
      const requests = [...origin.requests.values()];
      seen = {
        room,
        later,
        sink: { accepted: [...sink.accepted], copies: new Map(sink.copies), submits, malformed },
        fetches: { urls: requests.length, requests: requests.reduce((sum, count) => sum + count, 0) },
      };
    },
  });
  return { ...result, ...seen! };
}

/** Each copy came with its media, fitted to the carrier's limits, and the copies of one message are equal. */
export function expectWholeMedia({ sink }: Pick<MmsResult, 'sink'>): void {
  expect(sink.malformed).toBe(0);
  expect(
    sink.accepted.filter(({ media }) => media.length === 0 || media.some(({ sizeBytes }) => sizeBytes === 0)),
  ).toEqual([]);
  expect(sink.accepted.filter(({ media }) => media.reduce((sum, one) => sum + one.sizeBytes, 0) > 600_000)).toEqual([]);
  const first = new Map<string, string>();
  const differing = sink.accepted.filter(({ destination, peerId, media }) => {
    const copy = JSON.stringify([peerId, media]);
    if (!first.has(destination)) first.set(destination, copy);
    return first.get(destination) !== copy;
  });
  expect(differing).toEqual([]);
}

export function figures({ verdict, messages, room, later, sink, fetches }: MmsResult): object {
  const { files, ...rest } = room;
  return {
    ...verdict,
    mmsTaken: sink.accepted.length,
    mmsCopies: sink.accepted.length - sink.copies.size,
    uncertain: uncertainMoves(messages),
    held: messages.filter(({ state }) => state === 'held').length,
    fetches,
    room: { ...rest, files: files.length },
    later: { deleted: later.deleted, files: later.files.length },
  };
}
