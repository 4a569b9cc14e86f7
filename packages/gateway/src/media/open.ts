/** Assembles the media store: fetch, fit, read, clean up. */
import type { Random } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Media } from '../model/media.ts';
import { fetchMedia, type MediaFetchParts, takeMedium } from './fetch.ts';
import { keepFile } from './file-type.ts';
import { openMediaFiles } from './files.ts';
import { fitMedia } from './fit.ts';
import { startFitChild } from './fit-command.ts';
import { openFitProcesses } from './fit-process.ts';

export interface MediaParts extends Omit<MediaFetchParts, 'files'> {
  readonly dataDir: string;
  readonly random: Random;
  readonly logger: Logger;
}

export async function openMedia({ dataDir, random, logger, ...fetchParts }: MediaParts): Promise<Media> {
  const { clock } = fetchParts;
  const files = await openMediaFiles({ dataDir, random, now: clock.now });
  const processes = openFitProcesses({ clock, logger, start: startFitChild });
  return {
    ...files,
    fetch: (urls, accountId) => fetchMedia({ ...fetchParts, files }, urls, accountId),
    fit: (media, budgetBytes, wish) => fitMedia({ files, processes }, media, budgetBytes, wish),
    take: (bytes) => takeMedium(files, bytes),
    keep: (bytes, declared) => keepFile(files, bytes, declared),
    close: () => processes.close(),
  };
}
