/**
 * Virtual time: a queue of events, each at its own moment; in between, everything runs that it has set off. Nothing here
 * looks at the machine's clock, so the same seed gives the same order.
 */

interface Event {
  atMs: number;
  order: number;
  run: () => void;
  cancelled: boolean;
}

export class Scheduler {
  nowMs = 0;
  /** A heap: the next event first. */
  readonly #events: Event[] = [];
  #order = 0;
  events = 0;

  /** The returned function cancels it. */
  at(delayMs: number, run: () => void): () => void {
    const event: Event = { atMs: this.nowMs + Math.max(0, delayMs), order: this.#order++, run, cancelled: false };
    this.#push(event);
    return () => {
      event.cancelled = true;
    };
  }

  /** Runs events until `endMs`, or until `isOver` says so. */
  async runUntil(endMs: number, isOver: () => boolean = () => false): Promise<void> {
    await settled();
    while (!isOver()) {
      const next = this.#events[0];
      if (next === undefined || next.atMs > endMs) {
        this.nowMs = endMs;
        return;
      }
      this.#pop();
      if (next.cancelled) continue;
      this.nowMs = next.atMs;
      this.events += 1;
      next.run();
      await settled();
    }
  }

  #push(event: Event): void {
    const heap = this.#events;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(event, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#events;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
  }
}

const isBefore = (one: Event, other: Event): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Promises, and what the product leaves to the next turn of the event loop: the second turn is for what the first one's
 * promises left.
 */
async function settled(): Promise<void> {
  await turn();
  await turn();
}
