/** Assembles the media store: fetch, fit, read, clean up. */
import type { Logger } from '../kernel/logger.ts';
import type { Media } from '../model/media.ts';
import { fetchMedia, type MediaFetchParts, takeMedium } from './fetch.ts';
import { keepFile } from './file-type.ts';
import { fitMedia } from './fit.ts';
import { startFitChild } from './fit-command.ts';
import { openFitProcesses } from './fit-process.ts';

export interface MediaParts extends MediaFetchParts {
  readonly logger: Logger;
}

export function openMedia({ logger, ...fetchParts }: MediaParts): Media {
  const { clock, files } = fetchParts;
  const processes = openFitProcesses({ clock, logger, start: startFitChild });
  return {
    ...files,
    fetch: (urls, accountId) => fetchMedia(fetchParts, urls, accountId),
    fit: (media, budgetBytes, options) => fitMedia({ files, processes }, media, budgetBytes, options),
    take: (bytes) => takeMedium(files, bytes),
    keep: (bytes, declared) => keepFile(files, bytes, declared),
    close: () => processes.close(),
  };
}
