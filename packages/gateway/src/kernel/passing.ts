/** A map and a queue for what passes through: both stay cheap however much has come and gone. */

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

/** A queue with constant-time `shift`; an array's own moves every element. */
export interface Fifo<T> {
  readonly size: number;
  push(item: T): void;
  /** The oldest, which stays. */
  first(): T | undefined;
  /** Takes the oldest. */
  shift(): T | undefined;
  /** Makes it the oldest again. */
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
