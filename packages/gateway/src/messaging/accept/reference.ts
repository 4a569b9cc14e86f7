/**
 * Concatenation references for long texts (3GPP TS 23.040 §9.2.3.24.1), counted per recipient: one counter for all
 * recipients would wrap its 256 values too soon.
 */
import type { Random } from '../../kernel/clock.ts';

const recipientsMax = 50_000;

/**
 * Returns the next reference (0–65,535) for a recipient; after a long pause a recipient starts again at a random value.
 */
export function createReferences(random: Random): (to: string) => number {
  const last = new Map<string, number>();
  return (to) => {
    const before = last.get(to);
    const next = before === undefined ? Math.floor(random.fraction() * 65_536) : (before + 1) % 65_536;
    last.delete(to);
    last.set(to, next);
    if (last.size > recipientsMax) {
      const oldest = last.keys().next().value;
      if (oldest !== undefined) last.delete(oldest);
    }
    return next;
  };
}
