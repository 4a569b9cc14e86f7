/** The deliveries of one endpoint in memory: waiting and in flight, bounded. The store has all of them. */
import type { CustomerEvent } from '../../../model/webhook-event.ts';

/** Room for the deliveries of a busy log, so that they need not be read back from the store. */
export const queuedPerEndpointMax = 1_024;

/** A delivery that is due. */
export interface DueRow {
  /** Attempts before the one that is due. */
  tries: number;
  event: CustomerEvent;
}

/** Places for waiting rows over all endpoints; all queues share them. */
export interface Places {
  left: number;
}

export class EndpointQueue {
  readonly #places: Places;
  readonly #waiting: DueRow[] = [];
  /** Positions that are waiting, under way, or whose outcome is not on disk yet: the store still shows them as due. */
  readonly #held = new Set<number>();
  /** Released during a look, whose result may be older than the release. */
  readonly #releasedMeanwhile = new Set<number>();
  #look: { limit: number; freeSlots: number } | null = null;
  #moreMeanwhile = false;
  #complete: boolean;

  /** `complete`: nothing is due in the store. */
  constructor(places: Places, complete: boolean) {
    this.#places = places;
    this.#complete = complete;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Number of rows held here, which the store still shows as due. */
  get held(): number {
    return this.#held.size;
  }

  /** True when everything due in the store is held here. */
  get complete(): boolean {
    return this.#complete;
  }

  get looking(): boolean {
    return this.#look !== null;
  }

  /** The most rows that a look may bring. */
  get freeSlots(): number {
    return Math.min(queuedPerEndpointMax - this.#waiting.length, this.#places.left);
  }

  /** The store may have due rows that are not held here. */
  expectMore(): void {
    this.#complete = false;
    this.#moreMeanwhile = this.looking;
  }

  /** Takes a newly due row if all rows before it are here and there is room; otherwise a look will find it. */
  offer(row: DueRow): void {
    if (this.#held.has(row.event.position)) return;
    if (this.#complete && this.freeSlots > 0) this.#add(row);
    else this.expectMore();
  }

  /** Begins a look in the store for `room` more rows; returns how many due rows to read. */
  beginLook(freeSlots: number): number {
    this.#places.left -= freeSlots;
    this.#look = { limit: this.#held.size + freeSlots, freeSlots };
    return this.#look.limit;
  }

  /** `due`: rows from the store, earliest first; null when it did not answer. */
  endLook(due: readonly DueRow[] | null): void {
    const { limit, freeSlots } = this.#look!;
    this.#look = null;
    this.#places.left += freeSlots;
    for (const row of due ?? []) {
      const { position } = row.event;
      if (!this.#held.has(position) && !this.#releasedMeanwhile.has(position)) this.#add(row);
    }
    this.#complete = due !== null && due.length < limit && !this.#moreMeanwhile;
    this.#moreMeanwhile = false;
    this.#releasedMeanwhile.clear();
  }

  /** The next row, which stays held until it is released. */
  take(): DueRow | undefined {
    const row = this.#waiting.shift();
    if (row !== undefined) this.#places.left++;
    return row;
  }

  /** Puts back, at the front, a row that was taken but not attempted. */
  putBack(row: DueRow): void {
    this.#places.left--;
    this.#waiting.unshift(row);
  }

  /** The outcome of a taken row is on disk. */
  release(position: number): void {
    this.#held.delete(position);
    if (this.looking) this.#releasedMeanwhile.add(position);
  }

  /** Drops all waiting rows except the first `kept`; the store still has them. */
  shed(kept: number): void {
    const dropped = this.#waiting.splice(kept);
    if (dropped.length === 0) return;
    for (const row of dropped) this.#held.delete(row.event.position);
    this.#places.left += dropped.length;
    this.expectMore();
  }

  #add(row: DueRow): void {
    this.#held.add(row.event.position);
    this.#waiting.push(row);
    this.#places.left--;
  }
}
