/**
 * Collects the parts of long texts. Bounded: of too many incomplete texts the oldest is dropped, as on a handset with a
 * full memory.
 */
import type { SmContent } from '@heliograph/smpp';

/** Incomplete texts kept at a time. */
const unfinishedMax = 1_000;
const keptMs = 600_000;

export interface WholeText {
  text: string | null;
  encoding: SmContent['encoding'];
  parts: number;
}

export interface Reassembly {
  /** The whole text once its last part is there, else null. */
  add(from: string, to: string, content: SmContent, now: number): WholeText | null;
}

interface Unfinished {
  startedAt: number;
  parts: (string | null)[];
  missing: number;
}

export function createReassembly(): Reassembly {
  /** In order of their first part. */
  const unfinished = new Map<string, Unfinished>();

  function makeRoom(now: number): void {
    for (const [key, { startedAt }] of unfinished) {
      if (unfinished.size < unfinishedMax && now - startedAt < keptMs) return;
      unfinished.delete(key);
    }
  }

  return {
    add: (from, to, { text, encoding, concat }, now) => {
      if (concat === null) return { text, encoding, parts: 1 };
      const key = `${from} ${to} ${concat.bits} ${concat.reference} ${concat.total}`;
      makeRoom(now);
      let set = unfinished.get(key);
      if (set === undefined) {
        set = { startedAt: now, parts: Array(concat.total).fill(undefined), missing: concat.total };
        unfinished.set(key, set);
      }
      if (set.parts[concat.sequence - 1] === undefined) set.missing--;
      set.parts[concat.sequence - 1] = text;
      if (set.missing > 0) return null;
      unfinished.delete(key);
      const whole = set.parts.includes(null) ? null : set.parts.join('');
      return { text: whole, encoding, parts: concat.total };
    },
  };
}
