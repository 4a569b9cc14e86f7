/**
 * D-04 with MMS in the mix: power cuts on a disk image. Everything acknowledged is there again, and right after the cut
 * every medium that the database names is whole on the disk.
 */
import { describe, expect, it, type TestContext, type TestOptions } from 'vitest';
import { lookAtMedia } from '../props/mms-room.ts';
import { expectWholeMedia, figures, loadInTurn, type MmsResult, mixed, mmsRounds } from './mms.suite.ts';
import { cutting, withDisk } from './power.suite.ts';
import { planted, type RoundsOptions, report } from './rounds.ts';

export interface MmsPowerCounts {
  cuts: number;
  /** Cuts with a planted bug. 0 = not tried. */
  plantedCuts: number;
  how?: TestOptions;
}

interface Cut {
  /** Media that the database names. */
  listed: number;
  missing: string[];
  damaged: string[];
}

export function mmsPowerSuite(counts: MmsPowerCounts): void {
  describe('power cut with MMS in the mix, SQLite', counts.how ?? {}, () => {
    it('D-04 nothing acknowledged is lost, and what a prepared message needs is on disk', async (ctx) => {
      const { result, cuts } = await withCuts(ctx, counts.cuts, {});
      const { verdict, messages, room, later } = result;
      report('D-04 MMS', { ...figures(result), listedAtCuts: cuts.map(({ listed }) => listed) });
      expect(cuts.filter(({ missing, damaged }) => missing.length + damaged.length > 0)).toEqual([]);
      expect(cuts.at(-1)!.listed).toBeGreaterThan(0);
      expect(verdict.lost).toEqual([]);
      expect(verdict.unflaggedDuplicates).toEqual([]);
      expect(messages.filter(({ state }) => state !== 'sent')).toEqual([]);
      expectWholeMedia(result);
      expect(room).toMatchObject({ orphans: [], missing: [], damaged: [], jobs: 0 });
      expect(later).toMatchObject({ files: [], unfinished: 0 });
    });

    if (counts.plantedCuts === 0) return;

    it('D-04 finds the planted bug: committed before the media are synced', async (ctx) => {
      const start = () => ({ nodeArguments: planted('media-unsynced') });
      const { cuts } = await withCuts(ctx, counts.plantedCuts, { start, mms: { ofTen: 10 } });
      expect(cuts.flatMap(({ missing, damaged }) => [...missing, ...damaged]).length).toBeGreaterThan(0);
    });

    it('D-04 finds the planted bug: answered before the commit', async (ctx) => {
      const start = () => ({ nodeArguments: planted('answer-early') });
      const { result } = await withCuts(ctx, counts.plantedCuts, { start, mms: { ofTen: 10 } });
      expect(result.verdict.lost.length).toBeGreaterThan(0);
    });
  });
}

async function withCuts(
  ctx: TestContext,
  rounds: number,
  options: Partial<RoundsOptions>,
): Promise<{ result: MmsResult; cuts: Cut[] }> {
  const cuts: Cut[] = [];
  const result = await withDisk(ctx, async (disk) => {
    const ending = cutting(disk, loadInTurn);
    return await mmsRounds({
      ...ending,
      ...mixed,
      mms: { behaviour: ending.behaviour },
      ...options,
      rounds,
      between: async () => {
        await ending.between();
        cuts.push(await lookAtCut(ending.dataDir));
      },
    });
  });
  return { result, cuts };
}

/** Files that the database does not name yet may be damaged: no message needs them. */
async function lookAtCut(dataDir: string): Promise<Cut> {
  const { files, orphans, missing, damaged } = await lookAtMedia({ dataDir });
  return {
    listed: files.length - orphans.length + missing.length,
    missing,
    damaged: damaged.filter((hash) => !orphans.includes(hash)),
  };
}
