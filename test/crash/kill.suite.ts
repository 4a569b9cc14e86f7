/**
 * D-01 to D-03: kill -9 at random moments under load. Nothing acknowledged may be lost, and only a message that was
 * under way at a kill may get a copy, flagged. The same loop must find the planted bugs, or it proves nothing.
 */
import { describe, expect, it, type TestOptions } from 'vitest';
import {
  killAtRandom,
  killLate,
  type Plant,
  planted,
  type RoundsOptions,
  report,
  runRounds,
  uncertainMoves,
} from './rounds.ts';

const window = 10;
/** Less than the carrier can accept: each text is sent at once, and no queue builds up. */
const light: Partial<RoundsOptions> = { requestsPerSecond: 200 };

export interface KillCounts {
  rounds: number;
  /** Rounds with a planted bug, enough to find it. 0 = not tried. */
  plantedRounds: number;
  /** `surest`: only the bugs that are found even when several gateways share two cores. */
  plants?: 'all' | 'surest';
  how?: TestOptions;
}

/** `databaseUrl` resolves to an empty PostgreSQL database; left out, the store is SQLite. */
export function killSuite(
  engine: string,
  counts: KillCounts,
  names: { resend: string; hold: string },
  databaseUrl?: () => Promise<string>,
): void {
  const run = async (options: Partial<RoundsOptions>) =>
    await runRounds({
      rounds: counts.rounds,
      window,
      end: killAtRandom,
      ...(databaseUrl === undefined ? {} : { databaseUrl: await databaseUrl() }),
      ...options,
    });
  const atMost = counts.rounds * window;

  describe(`kill -9 under load, ${engine}`, counts.how ?? {}, () => {
    it(`${names.resend} policy resend: nothing lost, every copy flagged, at most a window uncertain a kill`, async () => {
      const { verdict, messages, unansweredMax } = await run({});
      report(names.resend, verdict);
      expect(verdict.lost).toEqual([]);
      expect(verdict.unrecorded).toEqual([]);
      expect(verdict.unflaggedDuplicates).toEqual([]);
      expect(verdict.duplicates).toBeLessThanOrEqual(atMost);
      expect(uncertainMoves(messages)).toBeLessThanOrEqual(atMost);
      expect(unansweredMax).toBeLessThanOrEqual(window);
      expect(verdict.acknowledged).toBeGreaterThan(counts.rounds * 20);
    });

    it(`${names.resend} a carrier that keeps up: nothing lost, every copy flagged`, async () => {
      const { verdict, messages } = await run(light);
      report(`${names.resend} light`, verdict);
      expect(verdict.lost).toEqual([]);
      expect(verdict.unrecorded).toEqual([]);
      expect(verdict.unflaggedDuplicates).toEqual([]);
      expect(verdict.duplicates).toBeLessThanOrEqual(atMost);
      expect(uncertainMoves(messages)).toBeLessThanOrEqual(atMost);
      expect(verdict.acknowledged).toBeGreaterThan(counts.rounds * 10);
    });

    it(`${names.hold} policy hold: nothing lost, no copy, held messages are on record with their event`, async () => {
      const { verdict, messages } = await run({ uncertainPolicy: 'hold' });
      report(names.hold, verdict);
      const held = messages.filter((message) => message.state === 'held');
      expect(verdict.lost).toEqual([]);
      expect(verdict.unrecorded).toEqual([]);
      expect(verdict.duplicates).toBe(0);
      expect(held.length).toBeGreaterThan(0);
      expect(held.length).toBeLessThanOrEqual(atMost);
      for (const message of held) expect(message.events.at(-1)).toMatchObject({ state: 'held', code: message.code });
    });

    if (counts.plantedRounds === 0) return;

    const runPlanted = async (plant: Plant, load: Partial<RoundsOptions> = {}) =>
      (await run({ ...load, rounds: counts.plantedRounds, start: () => ({ nodeArguments: planted(plant) }) })).verdict;

    const isAll = counts.plants !== 'surest';
    if (isAll) {
      it(`${names.resend} finds the planted bug: answered before the commit`, async () => {
        expect((await runPlanted('answer-early')).lost.length).toBeGreaterThan(0);
      });

      it(`${names.resend} finds the planted bug: sent before the sending mark`, async () => {
        expect((await runPlanted('send-early')).unflaggedDuplicates.length).toBeGreaterThan(0);
      });
    }

    it(`${names.resend} finds the planted bug: answered before it is in the journal`, async () => {
      expect((await runPlanted('journal-late', { end: killLate })).lost.length).toBeGreaterThan(0);
    });

    if (!isAll) return;

    it(`${names.resend} finds the planted bug: sent before the journal says so`, async () => {
      // The journal takes nothing from a queue that is already in the database.
      expect(
        (await runPlanted('sending-late', { ...light, end: killLate })).unflaggedDuplicates.length,
      ).toBeGreaterThan(0);
    });
  });
}
