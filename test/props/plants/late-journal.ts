/** A journal that writes part of each frame late, for planted bugs. Nothing is lost without a crash. */

import type { Entry } from '../../../packages/gateway/src/messaging/store/journaled/memtable.ts';
import type { Journal } from '../../../packages/gateway/src/store/journal/journal.ts';

/** Which part of a frame is written at once and which later; null = nothing. */
export type Split = (entry: Entry) => { atOnce: Entry | null; later: Entry | null };

export function lateJournal(journal: Journal, laterMs: number, split: Split): Journal {
  const waiting = new Set<NodeJS.Timeout>();
  const append = (entry: Entry | null) => {
    if (entry !== null) journal.append(JSON.stringify(entry));
  };
  const writeLater = (entry: Entry | null) => {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      append(entry);
    }, laterMs);
    waiting.add(timer);
  };
  /** The database has everything: delayed parts are no longer needed. */
  const forget = () => {
    for (const timer of waiting) clearTimeout(timer);
    waiting.clear();
  };
  return {
    ...journal,
    append(text) {
      const { atOnce, later } = split(JSON.parse(text) as Entry);
      append(atOnce);
      writeLater(later);
    },
    restart(generation) {
      forget();
      journal.restart(generation);
    },
    remove() {
      forget();
      journal.remove();
    },
    close() {
      forget();
      journal.close();
    },
  };
}
