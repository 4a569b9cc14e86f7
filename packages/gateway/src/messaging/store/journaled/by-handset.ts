import { isNational, isSameHandset } from '../../../model/handset.ts';

/** What is under way to each handset. Nearly always that is one thing, which then needs no set of its own. */
export class ByHandset<T extends object> {
  readonly #found = new Map<string, T | Set<T>>();

  /** Also of the handsets of which this may be the number without its country code. */
  of(to: string): Iterable<T> {
    const found = this.#found.get(to);
    if (found !== undefined) return found instanceof Set ? found : [found];
    return isNational(to) ? this.#spelt(to) : [];
  }

  *#spelt(to: string): Generator<T> {
    for (const [number, found] of this.#found) {
      if (!isSameHandset(number, to)) continue;
      if (found instanceof Set) yield* found;
      else yield found;
    }
  }

  add(to: string, one: T): void {
    const found = this.#found.get(to);
    if (found === undefined) this.#found.set(to, one);
    else if (found instanceof Set) found.add(one);
    else if (found !== one) this.#found.set(to, new Set([found, one]));
  }

  /** Also where it is not, as a request may name a handset twice. */
  remove(to: string, one: T): void {
    const found = this.#found.get(to);
    if (found === one) this.#found.delete(to);
    else if (found instanceof Set && found.delete(one) && found.size === 0) this.#found.delete(to);
  }
}
