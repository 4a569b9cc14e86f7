/** What is under way to each handset. Nearly always that is one thing, which then needs no set of its own. */
export class ByHandset<T extends object> {
  readonly #found = new Map<string, T | Set<T>>();

  of(to: string): Iterable<T> {
    const found = this.#found.get(to);
    if (found === undefined) return [];
    return found instanceof Set ? found : [found];
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
