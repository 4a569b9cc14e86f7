/**
 * D-04 and D-06: power cuts on a disk image. Everything acknowledged must be there again. On a disk that lies about
 * syncing (the control) something must be missing, or the test proves nothing.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, type TestContext, type TestOptions } from 'vitest';
import { recoverSqlite } from '../../packages/gateway/src/app/store-repair.ts';
import { createDisk, type Disk } from '../../packages/gateway/src/cli/prove/disk.ts';
import type { GatewayOptions } from '../props/gateway.ts';
import { hasStrace, tamperedSyncs } from '../props/strace.ts';
import { planted, type Round, type RoundsOptions, type RoundsResult, report, runRounds, someLoad } from './rounds.ts';

const window = 10;
const diskMb = 512;

export interface PowerCounts {
  cuts: number;
  controlCuts: number;
  /** Cuts with a planted bug. 0 = not tried. */
  plantedCuts: number;
  how?: TestOptions;
}

export function powerSuite(counts: PowerCounts): void {
  describe('power cut, SQLite', counts.how ?? {}, () => {
    it('D-04 everything acknowledged is there again, and the database is whole', async (ctx) => {
      const { verdict } = await onDisk(ctx, counts.cuts, {}, (disk) => expect(integrity(disk)).toEqual(['ok']));
      report('D-04', verdict);
      expect(verdict.lost).toEqual([]);
      expect(verdict.unrecorded).toEqual([]);
      expect(verdict.unflaggedDuplicates).toEqual([]);
      expect(verdict.acknowledged).toBeGreaterThan(counts.cuts * 20);
    });

    it('D-06 control: on a disk that does not sync, messages are lost', async (ctx) => {
      if (!hasStrace()) ctx.skip('strace is not installed');
      const { verdict } = await onDisk(ctx, counts.controlCuts, { wrapper: tamperedSyncs('retval=0') }, startAfresh);
      report('D-06', { ...verdict, lost: verdict.lost.length, unrecorded: verdict.unrecorded.length });
      expect(verdict.lost.length).toBeGreaterThan(0);
    });

    it('D-06 control: with a journal that is not synced, messages are lost', async (ctx) => {
      const start = { nodeArguments: planted('journal-unsynced') };
      const { verdict } = await onDisk(ctx, counts.controlCuts, start, (disk) => {
        expect(integrity(disk)).toEqual(['ok']);
        recoverAll(disk);
      });
      report('D-06 journal', { ...verdict, lost: verdict.lost.length, unrecorded: verdict.unrecorded.length });
      expect(verdict.lost.length).toBeGreaterThan(0);
    });

    if (counts.plantedCuts === 0) return;

    it('D-04 finds the planted bug: answered before the commit', async (ctx) => {
      const start = { nodeArguments: planted('answer-early') };
      const { verdict } = await onDisk(ctx, counts.plantedCuts, start, () => {});
      expect(verdict.lost.length).toBeGreaterThan(0);
    });
  });
}

async function onDisk(
  ctx: TestContext,
  cuts: number,
  start: Partial<GatewayOptions>,
  afterCut: (disk: Disk) => void,
): Promise<RoundsResult> {
  return await withDisk(ctx, async (disk) => {
    const ending = cutting(disk);
    return await runRounds({
      ...ending,
      rounds: cuts,
      window,
      start: () => start,
      between: async () => {
        await ending.between();
        afterCut(disk);
      },
    });
  });
}

/** Skips the test where the machine cannot make a disk. */
export async function withDisk<T>(ctx: TestContext, use: (disk: Disk) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-power-'));
  const disk = await createDisk(folder, diskMb);
  if ('impossible' in disk) {
    rmSync(folder, { recursive: true });
    ctx.skip(disk.impossible);
  }
  try {
    return await use(disk);
  } finally {
    await disk.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rounds that end with a power cut, after some load. */
export function cutting(disk: Disk, load: (round: Round) => Promise<void> = someLoad) {
  return {
    // Slower than the load, so that many messages wait on the disk at the cut.
    behaviour: { responseDelayMs: 50 },
    dataDir: join(disk.folder, 'data'),
    end: async (round: Round): Promise<void> => {
      await load(round);
      await disk.cutPower();
      await round.gateway.kill();
    },
    between: disk.restart,
  } satisfies Partial<RoundsOptions>;
}

function databaseFiles(disk: Disk): string[] {
  const data = join(disk.folder, 'data');
  return readdirSync(data)
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(data, name));
}

export function integrity(disk: Disk): string[] {
  return databaseFiles(disk).map((file) => {
    const database = new DatabaseSync(file);
    const row = database.prepare('pragma integrity_check').get() as { integrity_check: string };
    database.close();
    return row.integrity_check;
  });
}

/** A disk that lied may leave an unusable database or key; the control is there to show that loss. */
function startAfresh(disk: Disk): void {
  try {
    const key = statSync(join(disk.folder, 'data', 'secret.key'));
    if (key.size > 0 && integrity(disk).every((answer) => answer === 'ok')) {
      recoverAll(disk);
      return;
    }
  } catch {
    // The database or the key is unusable.
  }
  rmSync(join(disk.folder, 'data'), { recursive: true, force: true });
}

/** Does what `helio recover` does: a start refuses a journal from which a bug or a disk has lost frames. */
export function recoverAll(disk: Disk): void {
  recoverSqlite({ dataDir: join(disk.folder, 'data'), from: null, now: Date.now() });
}
