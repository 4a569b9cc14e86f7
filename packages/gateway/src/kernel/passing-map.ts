/**
 * A Map for what comes and goes with every text. Each time a Map has seen enough come and go, V8 gives it a new table, and the
 * old one points to it: once one of these tables is old, the garbage collector for young objects takes all that follow it, and
 * all they ever held, for alive. On the way of a text that was 3 KB of garbage a text, copied twice and there to stay
 * (docs/decisions/007). So the Map itself is replaced every now and then, by one that nothing old points to.
 */
export class PassingMap<K, V> {
  #map = new Map<K, V>();
  #added = 0;

  get size(): number {
    return this.#map.size;
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  set(key: K, value: V): void {
    this.#added += 1;
    if (this.#added > addedMin + 2 * this.#map.size) {
      this.#map = new Map(this.#map);
      this.#added = 0;
    }
    this.#map.set(key, value);
  }

  delete(key: K): boolean {
    return this.#map.delete(key);
  }

  /** In the order in which they came. */
  values(): MapIterator<V> {
    return this.#map.values();
  }

  clear(): void {
    this.#map = new Map();
    this.#added = 0;
  }
}

/** So many come before a Map with next to nothing in it is replaced. */
const addedMin = 16;
