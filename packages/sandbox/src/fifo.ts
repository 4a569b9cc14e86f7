/** A queue that stays fast when it is long: an array's `shift` moves all its elements. */
export interface Fifo<T> {
  readonly size: number;
  push(item: T): void;
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
