/** The search for a selected range of the histogram, and the bar under a pointer. Pure. */
import { searchWords } from './search-words';

/** The query with these times in place of its own. */
export function withTimes(query: string, from: string, until: string): string {
  const others = searchWords(query).filter((word) => !/^(?:after|before):/i.test(word));
  return [...others, `after:${short(from)}`, `before:${short(until)}`].join(' ');
}

/** Removes zero fractions: bars begin at whole seconds. */
function short(at: string): string {
  return at.replace(/(?::00)?\.000Z$/, 'Z');
}

/** The bar under a pointer; beyond the ends the nearest one. */
export function barAt(x: number, { left, width }: { left: number; width: number }, bars: number): number {
  return Math.min(bars - 1, Math.max(0, Math.floor(((x - left) / width) * bars)));
}
