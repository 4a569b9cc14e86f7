/**
 * Deletes unused media: expired links and media lists of old messages, then files. Runs at start and hourly in bounded
 * steps, and spares unfinished and recent messages.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { MediaStore } from '../../messaging/store/modules/media.ts';
import type { Media } from '../../model/media.ts';
import { mediaKeptMs } from '../../model/media-url.ts';
import { StoreUnavailable } from '../../store/faults.ts';

const everyMs = 3_600_000;
/** Files this young may belong to a message that is being prepared or stored. */
const youngMs = 3_600_000;
const forgetMax = 500;

export interface MediaKeeping {
  /** Also after a stop. */
  start(): void;
  /** One round, for tests and after a clock jump. Rejects when the store or the disk does. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

export interface MediaKeepingParts {
  clock: Clock;
  logger: Logger;
  store: Pick<MediaStore, 'forgetMedia' | 'neededMedia'>;
  media: Pick<Media, 'sweep'>;
}

export function createMediaKeeping({ clock, logger, store, media }: MediaKeepingParts): MediaKeeping {
  let round: Promise<void> = Promise.resolve();
  let cancel = (): void => {};
  let stopped = false;

  async function sweep(): Promise<void> {
    const now = clock.now();
    const keptSince = now - mediaKeptMs;
    while (!stopped && (await store.forgetMedia({ now, keptSince, limit: forgetMax })));
    if (stopped) return;
    const deleted = await media.sweep({
      putBefore: now - youngMs,
      // A stop ends it soon: it reports the rest as needed, so nothing more is deleted.
      needed: async (hashes) =>
        new Set(stopped ? hashes : await store.neededMedia({ hashes: [...hashes], now, keptSince })),
    });
    if (deleted > 0) logger.info({ deleted }, 'media that nobody needs any more are gone');
  }

  function again(): void {
    if (stopped) return;
    cancel = clock.after(everyMs, again);
    // A disk error here does not affect messages: the next round tries again.
    round = round.then(sweep).catch((error: unknown) => {
      if (error instanceof StoreUnavailable)
        logger.warn({ reason: error.reason }, 'the sweep of media waits for the store');
      else logger.error({ err: error }, 'media could not be swept');
    });
  }

  return {
    start: () => {
      stopped = false;
      again();
    },
    sweep,
    stop: async () => {
      stopped = true;
      cancel();
      await round;
    },
  };
}
