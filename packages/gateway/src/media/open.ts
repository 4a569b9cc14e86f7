/**
 * The media room with everything in it, as the flow of messages uses it: fetch, fit, read, sweep. It only puts the parts
 * together; what they do is told where they are.
 */
import type { Random } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import { type FetchedMedia, fetchMedia, type MediaFetchParts } from './fetch.ts';
import { type MediaFiles, openMediaFiles } from './files.ts';
import { type FittedMedia, fitMedia } from './fit.ts';
import { startFitChild } from './fit-command.ts';
import { openFitProcesses } from './fit-process.ts';
import type { StoredMedium } from './medium.ts';

export interface Media extends MediaFiles {
  /** Once for each message: what it returns is to be written down with the message. */
  fetch(urls: readonly string[]): Promise<FetchedMedia>;
  /** Once for each message and budget. */
  fit(media: readonly StoredMedium[], budgetBytes: number): Promise<FittedMedia>;
  /** Ends the fit processes; what is on its way ends as `busy`. */
  close(): void;
}

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
    fetch: (urls) => fetchMedia({ ...fetchParts, files }, urls),
    fit: (media, budgetBytes) => fitMedia({ files, processes }, media, budgetBytes),
    close: () => processes.close(),
  };
}
