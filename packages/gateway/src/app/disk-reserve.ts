/**
 * The part of the disk that new messages may not use: replies and receipts, which carriers send again and again, and the outcomes
 * of what was accepted still find room.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { freeBytes } from './machine-checks.ts';

/** In this time a busy gateway writes some tens of MB. */
const lookEveryMs = 1_000;

export interface DiskReserveParts {
  clock: Pick<Clock, 'monotonicMs'>;
  logger: Logger;
  /** A folder on the disk. */
  folder: string;
  reserveMb: number;
  /** For tests. */
  free?: (folder: string) => number;
}

/** Whether new messages may be stored now; looks at the disk at most once a second. */
export function createDiskReserve(parts: DiskReserveParts): () => boolean {
  const { clock, logger, folder, reserveMb, free = freeBytes } = parts;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let isSpacious = true;
  return () => {
    const now = clock.monotonicMs();
    if (now - lookedMs < lookEveryMs) return isSpacious;
    lookedMs = now;
    const was = isSpacious;
    const left = free(folder);
    isSpacious = left >= reserveMb * 1_000_000;
    if (was && !isSpacious)
      logger.warn({ free: left, reserveMb }, 'the disk is nearly full: no new messages are accepted');
    if (!was && isSpacious) logger.warn({ free: left }, 'the disk has space again: new messages are accepted');
    return isSpacious;
  };
}
