import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import type { MediaFiles } from '../model/media.ts';
import { mediaBudgetBytes, type StoredMedium } from '../model/medium.ts';
import { openMediaFiles } from './files.ts';
import { fitMedia } from './fit.ts';
import { startFitChild } from './fit-command.ts';
import { type FitProcesses, type FitResult, openFitProcesses } from './fit-process.ts';
import { kindOf } from './kind.ts';
import { amr, phoneJpeg, picture, temporaryFolder, vcard } from './media-fixture.ts';

const openFiles = () => openMediaFiles({ dataDir: temporaryFolder(), random: machineRandom, now: machineClock.now });

function openProcesses(): FitProcesses {
  const processes = openFitProcesses({ clock: machineClock, logger: silentLogger, start: startFitChild });
  onTestFinished(() => processes.close());
  return processes;
}

async function stored(files: MediaFiles, bytes: Buffer): Promise<StoredMedium> {
  const put = await files.put(bytes);
  const kind = kindOf(bytes);
  if (!put.ok || !kind.ok) throw new Error('not stored');
  return { hash: put.hash, type: kind.type, sizeBytes: bytes.length };
}

const total = (media: readonly StoredMedium[]) => media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

describe('the media of one message', () => {
  it('share the budget: what a small one leaves goes to the large ones; order and the rest stay', async () => {
    const files = await openFiles();
    const large = await picture(1_400, 1_000, { grain: 200 }).jpeg({ quality: 95 }).toBuffer();
    const media: StoredMedium[] = [];
    for (const bytes of [large, vcard, await phoneJpeg(50, 40), large, amr(20)]) media.push(await stored(files, bytes));
    const result = await fitMedia({ files, processes: openProcesses() }, media, mediaBudgetBytes);
    if (result.kind !== 'fitted') throw new Error(JSON.stringify(result));
    expect(result.media.map(({ type }) => type)).toEqual(media.map(({ type }) => type));
    expect(total(result.media)).toBeLessThanOrEqual(mediaBudgetBytes);
    expect([result.media[1], result.media[4]]).toEqual([media[1], media[4]]);
    for (const { hash, type, sizeBytes } of result.media) {
      const bytes = (await files.read(hash))!;
      expect([kindOf(bytes), bytes.length]).toEqual([{ ok: true, type }, sizeBytes]);
    }
  });

  it('have shares: the smallest first, what it leaves is divided again', async () => {
    const sizes = [500_000, 10_000, 300_000];
    const media = sizes.map((sizeBytes): StoredMedium => ({ hash: String(sizeBytes), type: 'image/png', sizeBytes }));
    const given: number[] = [];
    const processes: FitProcesses = {
      async fit({ load, budgetBytes }) {
        given.push(budgetBytes);
        const length = Math.min((await load())!.length, budgetBytes);
        return { kind: 'fitted', type: 'image/jpeg', bytes: Buffer.alloc(length) };
      },
      close: () => {},
    };
    const files: MediaFiles = { ...(await openFiles()), read: async (hash) => Buffer.alloc(Number(hash)) };
    const result = await fitMedia({ files, processes }, media, 600_000);
    expect(given).toEqual([200_000, 295_000, 295_000]);
    expect(result).toMatchObject({ media: [{ sizeBytes: 295_000 }, { sizeBytes: 10_000 }, { sizeBytes: 295_000 }] });
  });

  it('are too large when what passes through leaves no room', async () => {
    const files = await openFiles();
    const media = [await stored(files, vcard), await stored(files, amr(100))];
    const failed = { kind: 'failed', code: 'MEDIA_TOO_LARGE', index: 1 };
    expect(await fitMedia({ files, processes: openProcesses() }, media, 3_000)).toMatchObject(failed);
    media[1] = await stored(files, await picture(500, 500, { grain: 200 }).png().toBuffer());
    expect(await fitMedia({ files, processes: openProcesses() }, media, 1_000)).toMatchObject(failed);
  });

  it('fail as not supported when one is damaged, and as our fault when its file is lost', async () => {
    const files = await openFiles();
    const cut = (await phoneJpeg(300, 200)).subarray(0, -2_000);
    const media = [await stored(files, vcard), await stored(files, cut)];
    const options = { refuseStills: false, urls: ['https://a.example/x', 'https://cdn.example/secret/path?token=1'] };
    const damaged = await fitMedia({ files, processes: openProcesses() }, media, 600_000, options);
    expect(damaged).toMatchObject({ kind: 'failed', code: 'MEDIA_TYPE_NOT_SUPPORTED', index: 1 });
    const detail = 'Medium 2 of 2 in mediaUrls (cdn.example) is damaged: it cannot be read to its end.';
    expect(damaged).toMatchObject({ detail: expect.stringContaining(detail) });
    const lost: StoredMedium = { hash: 'ab'.repeat(32), type: 'image/png', sizeBytes: 9 };
    const result = await fitMedia({ files, processes: openProcesses() }, [lost], 600_000);
    expect(result).toMatchObject({ kind: 'failed', code: 'GATEWAY_ERROR', index: 0 });
  });

  it.each<[FitResult, object]>([
    [{ kind: 'crashed' }, { kind: 'failed', code: 'GATEWAY_ERROR' }],
    [{ kind: 'busy' }, { kind: 'later', why: 'busy' }],
    [
      { kind: 'fitted', type: 'image/png', bytes: Buffer.from('x') },
      { kind: 'later', why: 'disk-full' },
    ],
  ])('%j', async (result, wanted) => {
    const processes: FitProcesses = { fit: async () => result, close: () => {} };
    const files: MediaFiles = { ...(await openFiles()), put: async () => ({ ok: false, why: 'disk-full' }) };
    const medium: StoredMedium = { hash: 'ab'.repeat(32), type: 'image/png', sizeBytes: 9 };
    expect(await fitMedia({ files, processes }, [medium], 600_000)).toMatchObject(wanted);
  });
});
