/**
 * Files at the place of an earlier version or setting: still read there, and moved one by one to the present place. A
 * move can be interrupted at any moment: a file is written to the new place before it is deleted from the old one.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { FilePlace } from './place.ts';

/** Wait after a place could not be reached. */
const retryMs = 60_000;

/** `place`, and the former places, where files may still be. */
export function withFormer(place: FilePlace, former: readonly FilePlace[]): FilePlace {
  const all = [place, ...former];
  return {
    put: place.put,
    async read(hash) {
      // Looks at the new place once more: the file may have been moved between the two looks.
      for (const one of former.length === 0 ? all : [...all, place]) {
        const bytes = await one.read(hash);
        if (bytes !== null) return bytes;
      }
      return null;
    },
    async *list() {
      for (const one of all) yield* one.list();
    },
    async remove(hashes, putBefore) {
      let removed = 0;
      for (const one of all) removed += await one.remove(hashes, putBefore);
      return removed;
    },
  };
}

export interface Move {
  /** For the log: `media of the data folder`. */
  readonly what: string;
  readonly from: FilePlace;
  readonly to: FilePlace;
}

export interface FileMove {
  /** Moves files in the background, one at a time. */
  start(): void;
  /** Resolves when the current file is moved; the others are moved after the next start. */
  stop(): Promise<void>;
}

export interface FileMoveParts {
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Logger;
  readonly moves: readonly Move[];
}

export function createFileMove({ clock, logger, moves }: FileMoveParts): FileMove {
  let stopped = false;
  let cancel = (): void => {};
  let round: Promise<void> = Promise.resolve();

  async function moveAll({ what, from, to }: Move): Promise<void> {
    const counts = { moved: 0, damaged: 0 };
    for await (const batch of from.list()) {
      for (const hash of batch) {
        if (stopped) return;
        const bytes = await from.read(hash);
        if (bytes === null) {
          counts.damaged += 1;
          continue;
        }
        if (counts.moved === 0) logger.info({ what }, 'files are being moved to where they are kept now');
        const put = await to.put(bytes);
        if (!put.ok) throw new Error(`a file could not be put (${put.why})`);
        await from.remove([hash], Number.MAX_SAFE_INTEGER);
        counts.moved += 1;
      }
    }
    if (counts.damaged > 0) logger.warn({ what, ...counts }, 'damaged files stay where they are');
    else if (counts.moved > 0) logger.info({ what, ...counts }, 'all files are moved');
  }

  async function again(): Promise<void> {
    try {
      for (const move of moves) await moveAll(move);
    } catch (err) {
      if (stopped) return;
      logger.warn({ err }, 'moving files waits; they are read where they are');
      cancel = clock.after(retryMs, start);
    }
  }

  function start(): void {
    if (!stopped) round = again();
  }

  return {
    start,
    stop: async () => {
      stopped = true;
      cancel();
      await round;
    },
  };
}
