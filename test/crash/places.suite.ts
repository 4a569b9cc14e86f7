/**
 * D-08 to D-12: kill -9 exactly between two steps. A preload (props/plants/failpoint.ts) or the carrier picks the place;
 * the product has no such switch.
 */
import { describe, expect, it, type TestOptions } from 'vitest';
import { failpoint, type Round, type RoundsOptions, report, runRounds, uncertainMoves } from './rounds.ts';

const window = 10;
const passMax = 25;

type Killing = Pick<RoundsOptions, 'start' | 'end' | 'fromSpawn' | 'onSubmit'>;

/** Kills at a random pass of a method of the store. */
function at(place: Parameters<typeof failpoint>[0]): Killing {
  return { fromSpawn: true, start: () => failpoint(place), end: ({ gateway }) => gateway.exited };
}

/** Kills when the carrier has read the n-th submit_sm of the round; the carrier then answers nothing more. */
function afterTheWrite(): Killing {
  let killAt = 0;
  let current: Round | null = null;
  return {
    onSubmit: (count) => {
      if (current === null || count < killAt) return;
      current.scene.smsc.behaviour.mute = true;
      process.kill(current.gateway.pid, 'SIGKILL');
      current = null;
    },
    end: async (round) => {
      killAt = round.scene.smsc.counts().submits + 1 + Math.floor(Math.random() * passMax);
      current = round;
      await round.gateway.exited;
      round.scene.smsc.behaviour.mute = false;
    },
  };
}

interface Place {
  name: string;
  options: () => Killing;
}

const places: readonly Place[] = [
  { name: 'D-09 between the sending mark and the socket', options: () => at('claim:after') },
  { name: 'D-10 between the socket and the response', options: afterTheWrite },
  { name: 'D-11 between the response and its commit', options: () => at('settle:before') },
];

export function placesSuite(rounds: number, how: TestOptions = {}): void {
  describe('kill -9 at an exact place', how, () => {
    it('D-08 between commit and answer: a repeat under the same key makes one message', async () => {
      const { verdict, messages, client } = await runRounds({
        rounds,
        window,
        retry: true,
        ...at('accept:after'),
      });
      report('D-08', { ...verdict, ...client });
      expect(client.repeated).toBeGreaterThanOrEqual(rounds);
      expect(verdict.lost).toEqual([]);
      expect(verdict.unrecorded).toEqual([]);
      expect(verdict.unflaggedDuplicates).toEqual([]);
      // One row for each destination, so no key made two messages.
      expect(new Set(messages.map((message) => message.to)).size).toBe(messages.length);
      expect(verdict.unacknowledged).toBe(0);
    });

    it.each(places)(
      '$name: nothing lost, every copy flagged, at most a window uncertain',
      async ({ name, options }) => {
        const { verdict, messages } = await runRounds({ rounds, window, ...options() });
        report(name, verdict);
        const uncertain = messages.filter(({ events }) => events.some((event) => event.state === 'uncertain'));
        expect(verdict.lost).toEqual([]);
        expect(verdict.unrecorded).toEqual([]);
        expect(verdict.unflaggedDuplicates).toEqual([]);
        expect(verdict.duplicates).toBeLessThanOrEqual(rounds * window);
        expect(uncertain.length).toBeGreaterThan(0);
        expect(uncertainMoves(messages)).toBeLessThanOrEqual(rounds * window);
        expect(uncertain.filter((message) => !message.dupRisk)).toEqual([]);
      },
    );
  });
}
