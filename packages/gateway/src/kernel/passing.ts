/** A map and a queue for short-lived entries: both stay cheap however many have come and gone. */

/**
 * A Map for entries that live as long as a text is in flight. V8 replaces a Map's table after enough churn, and the old
 * table points to the new one; once one table is in the old generation, the young-generation collector keeps all its
 * successors alive. So the Map itself is replaced now and then (docs/decisions/007).
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

  /** In order of insertion. */
  values(): MapIterator<V> {
    return this.#map.values();
  }

  clear(): void {
    this.#map = new Map();
    this.#added = 0;
  }
}

/** A nearly empty Map is replaced only after this many insertions. */
const addedMin = 16;

/** A queue with constant-time `shift`; an array's own moves every element. */
export interface Fifo<T> {
  readonly size: number;
  push(item: T): void;
  /** The oldest item, without removing it. */
  first(): T | undefined;
  /** Removes and returns the oldest item. */
  shift(): T | undefined;
  /** Puts the item back as the oldest. */
  putBack(item: T): void;
}

const compactAt = 1_024;

export function createFifo<T>(): Fifo<T> {
  const items: (T | undefined)[] = [];
  let head = 0;
  return {
    get size() {
      return items.length - head;
    },
    push: (item) => {
      items.push(item);
    },
    first: () => items[head],
    shift: () => {
      if (head === items.length) return undefined;
      const item = items[head];
      items[head++] = undefined;
      if (head >= compactAt && head * 2 >= items.length) {
        items.splice(0, head);
        head = 0;
      }
      return item;
    },
    putBack: (item) => {
      if (head === 0) items.unshift(item);
      else items[--head] = item;
    },
  };
}
