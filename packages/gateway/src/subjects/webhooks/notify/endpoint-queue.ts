/** The deliveries of one endpoint in memory: waiting and in flight, bounded. The store has all of them. */
import type { CustomerEvent } from '../../../model/webhook-event.ts';

/** Room for what a busy log gives out at once, so that it need not be read back from the store. */
export const queuedPerEndpointMax = 1_024;

/** A delivery that is due. */
export interface DueRow {
  /** Tries before the one that is due. */
  tries: number;
  event: CustomerEvent;
}

/** Places for waiting rows over all endpoints; shared by all queues. */
export interface Places {
  left: number;
}

export class EndpointQueue {
  readonly #places: Places;
  readonly #waiting: DueRow[] = [];
  /** Positions that are waiting, under way, or whose outcome is not on disk yet: the store still shows them as due. */
  readonly #held = new Set<number>();
  /** Released while a look is under way: its answer may be older than that. */
  readonly #releasedMeanwhile = new Set<number>();
  #look: { limit: number; room: number } | null = null;
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

  /** Rows that the store still shows as due though they are here. */
  get held(): number {
    return this.#held.size;
  }

  /** True when the store has nothing due that is not held here. */
  get complete(): boolean {
    return this.#complete;
  }

  get looking(): boolean {
    return this.#look !== null;
  }

  /** How many rows a look can bring at most. */
  get room(): number {
    return Math.min(queuedPerEndpointMax - this.#waiting.length, this.#places.left);
  }

  /** Something may be due in the store that is not held here. */
  expectMore(): void {
    this.#complete = false;
    this.#moreMeanwhile = this.looking;
  }

  /** Takes what has just become due, if all before it is here and there is room; else a look will find it. */
  offer(row: DueRow): void {
    if (this.#held.has(row.event.position)) return;
    if (this.#complete && this.room > 0) this.#add(row);
    else this.expectMore();
  }

  /** Begins to look into the store for `room` rows more; returns how many due rows to ask for. */
  beginLook(room: number): number {
    this.#places.left -= room;
    this.#look = { limit: this.#held.size + room, room };
    return this.#look.limit;
  }

  /** `due`: what the store gave, earliest first; null when it gave no answer. */
  endLook(due: readonly DueRow[] | null): void {
    const { limit, room } = this.#look!;
    this.#look = null;
    this.#places.left += room;
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

  /** Puts a row that was taken and not tried in front again. */
  putBack(row: DueRow): void {
    this.#places.left--;
    this.#waiting.unshift(row);
  }

  /** The outcome of a row that was taken is on disk. */
  release(position: number): void {
    this.#held.delete(position);
    if (this.looking) this.#releasedMeanwhile.add(position);
  }

  /** Forgets all waiting rows but the first `kept`; the store still has them. */
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
