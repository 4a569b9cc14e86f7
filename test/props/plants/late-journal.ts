/**
 * Journals that write part of each frame late, for planted bugs: the file of SQLite, and the table of PostgreSQL. Nothing is lost
 * without a crash.
 */

import type { Entry } from '../../../packages/gateway/src/messaging/store/journaled/memtable.ts';
import type { Journal } from '../../../packages/gateway/src/store/journal/journal.ts';
import type { Operation } from '../../../packages/gateway/src/store/query.ts';

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

export type AddFrame = (place: number, text: string) => Operation<void>;

/** So far behind the frames written in time. */
const latePlaces = 1_000_000_000;

/** Late parts come with the first frame after `laterMs`. */
export function lateFrames(addFrame: AddFrame, laterMs: number, split: Split): AddFrame {
  const waiting: { place: number; text: string; dueAt: number }[] = [];
  return function* (place, text) {
    const { atOnce, later } = split(JSON.parse(text) as Entry);
    if (atOnce !== null) yield* addFrame(place, JSON.stringify(atOnce));
    while (waiting.length > 0 && waiting[0]!.dueAt <= Date.now()) {
      const { place: at, text: late } = waiting.shift()!;
      yield* addFrame(at, late);
    }
    if (later !== null)
      waiting.push({ place: place + latePlaces, text: JSON.stringify(later), dueAt: Date.now() + laterMs });
  };
}
