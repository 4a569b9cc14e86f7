/**
 * A Map for entries that live as long as a text is on its way. V8 replaces a Map's table after enough churn, and the
 * old table points to the new one; once one table is old, the young-generation collector keeps alive all that follow.
 * That was 3 KB per text, copied twice and kept (docs/decisions/007). So the Map itself is replaced now and then.
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
