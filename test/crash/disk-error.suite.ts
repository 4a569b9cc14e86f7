/**
 * D-13: the disk answers a sync with EIO. Nothing of that commit may be answered 200, and the process must exit. The
 * next sync would succeed, so a gateway that retried would keep running and fail the test.
 */
import { describe, expect, it, type TestContext, type TestOptions } from 'vitest';
import type { GatewayOptions } from '../props/gateway.ts';
import { hasStrace, tamperedSyncs } from '../props/strace.ts';
import { planted, report, runRounds } from './rounds.ts';

const window = 10;

/**
 * `positions`: which sync fails, in each round. `plantedAt`: the same with the planted bug, which shows only in a commit
 * that holds an acceptance.
 */
export function diskErrorSuite(
  positions: readonly number[],
  { plantedAt = positions, ...how }: TestOptions & { plantedAt?: readonly number[] } = {},
): void {
  const run = async (ctx: TestContext, at: readonly number[], start: Partial<GatewayOptions>) => {
    if (!hasStrace()) ctx.skip('strace is not installed');
    return await runRounds({
      rounds: at.length,
      window,
      fromSpawn: true,
      start: (index) => ({ ...start, wrapper: tamperedSyncs(`error=EIO:when=${at[index]!}`) }),
      end: ({ gateway }) => gateway.exited,
    });
  };

  describe('the disk fails under a commit', how, () => {
    it('D-13 EIO of fdatasync ends the process, and nothing acknowledged is lost', async (ctx) => {
      const { verdict, exits } = await run(ctx, positions, {});
      report('D-13', verdict);
      expect(verdict.lost).toEqual([]);
      expect(verdict.unrecorded).toEqual([]);
      expect(verdict.unflaggedDuplicates).toEqual([]);
      // The process exited by itself, with an error code. (A round that has to be ended from outside is an error.)
      expect(exits.filter((exit) => exit.code === 0)).toEqual([]);
    });

    it('D-13 finds the planted bug: answered before the commit', async (ctx) => {
      const { verdict } = await run(ctx, plantedAt, { nodeArguments: planted('answer-early') });
      expect(verdict.lost.length).toBeGreaterThan(0);
    });
  });
}
