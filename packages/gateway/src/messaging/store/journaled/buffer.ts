/**
 * Decides for the journaled writer which accepts, claims and settlements can be answered from memory, and computes
 * their results. When in doubt, the database does the work.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { LaneId } from '../../../kernel/ids.ts';
import type { Receipt, Settlement } from '../../../model/delivery.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import type { WriteCall } from '../../../store/catalogue.ts';
import type { WriteContext } from '../../../store/context.ts';
import { rowsMany, type SortContext, type Sorted, stepRows, type WriteBuffer } from '../../../store/hook.ts';
import type { Operation } from '../../../store/query.ts';
import type { AcceptItem, ClaimRequest } from '../items.ts';
import type { Claimed } from '../operations/claim.ts';
import { anyEarly, isEarly } from '../operations/early.ts';
import { keep } from '../operations/keep.ts';
import { oldestQueued } from '../operations/queue.ts';
import type { ReceiptOutcome } from '../operations/receipts.ts';
import { type Entry, isKeepable, isPlain, Memtable, type Request } from './memtable.ts';

/** How long the database counts as having nothing due in a lane, after it was found so. */
const dryMs = 200;
/** With so many waiting in memory, further texts wait in the database: those that are claimed next are in memory. */
const waitingMax = rowsMany;
/** No UTF-16 unit takes more in UTF-8. */
const unitBytesMax = 3;
/** Bytes of a claimed delivery's id in a frame, rounded up. */
const idBytes = 64;

/** What memory may handle, already in the form of the frame, except the claimed ids. */
interface SortedTexts extends Sorted<Request> {
  entry: Entry;
  text: string;
}

export class MessageBuffer implements WriteBuffer<Request> {
  readonly #token: number;
  readonly #table = new Memtable();
  /** By lane: what was accepted before this is due before anything in the database; missing = unknown. */
  readonly #firstUntil = new Map<LaneId, EpochMs>();
  /** Lanes in which the last query found as many due messages as requested. */
  readonly #full = new Set<LaneId>();
  /** Whether a receipt in the database waits for its part; null = unknown. */
  #early: boolean | null = null;
  /** What the last `take` did to the table. */
  #taken: Pick<Entry, 'accepted' | 'settled' | 'claimed'> | null = null;

  constructor(token: number) {
    this.#token = token;
  }

  get rows(): number {
    return this.#table.rows;
  }

  get endedRows(): number {
    return this.#table.endedRows;
  }

  all(): Request[] {
    return this.#table.all();
  }

  oldest(rows: number, which: 'ended' | 'any'): Request[] {
    return this.#table.oldest(rows, which);
  }

  haveEnded(kept: readonly Request[]): boolean {
    return kept.every(({ open }) => open === 0);
  }

  oldestAt(): EpochMs {
    return this.#table.oldestAt();
  }

  oldestFrame(): number {
    return this.#table.oldestFrame();
  }

  keep(kept: readonly Request[], context: WriteContext): Operation<void> {
    return keep(kept, context);
  }

  leaving(kept: Iterable<Request>): void {
    for (const { item, tries, open } of kept) {
      if (open > 0)
        this.#willHave({ ...item, deliveries: item.deliveries.filter((_, place) => tries[place] === null) });
    }
  }

  drop(kept: readonly Request[]): void {
    this.#table.drop(kept);
  }

  restore(dropped: readonly Request[]): void {
    this.#table.restore(dropped);
  }

  forgetDatabase(): void {
    this.#firstUntil.clear();
    this.#early = null;
  }

  concernFew(calls: readonly WriteCall[]): boolean {
    const receipts = receiptsIn(calls);
    if (receipts.some(isAboutAny)) return false;
    let rows = 0;
    for (const { tries } of this.#forHandsetsOf(receipts)) rows += tries.length;
    return rows <= stepRows;
  }

  /**
   * Null when a delivery is to be accepted twice, which the database must report, or a receipt may be about anything.
   */
  *sort(calls: readonly WriteCall[], { now, newest }: SortContext): Operation<SortedTexts | null> {
    if (this.#hasTwins(calls) || receiptsIn(calls).some(isAboutAny)) return null;
    const evicted = yield* this.#evicted(calls);
    const entry: Entry = { now, token: this.#token, accepted: [], settled: [], claimed: [] };
    const seen = new Set<string>();
    const asking = yield* this.#askingDatabase(itemsOf('claim', calls));
    const isHeavy = (kind: string, item: unknown): boolean => {
      switch (kind) {
        case 'accept':
          return isOlder(item as AcceptItem, newest) || !this.#mayKeep(item as AcceptItem, entry);
        case 'settle':
          return !this.#maySettle(item as Settlement, evicted, seen, entry);
        case 'claim':
          return asking.has(item as ClaimRequest) || evicted.size > 0;
        default:
          return true;
      }
    };
    const places: number[][] = [];
    for (const { kind, items } of calls) {
      const heavy: number[] = [];
      for (let place = 0; place < items.length; place++) if (isHeavy(kind, items[place])) heavy.push(place);
      places.push(heavy);
    }
    const text = JSON.stringify(entry);
    const ids = itemsOf('claim', calls).reduce((sum, { limit }) => sum + limit, 0);
    return { places, evicted, bytesMax: text.length * unitBytesMax + ids * idBytes, entry, text };
  }

  take(calls: readonly WriteCall[], sorted: SortedTexts, results: unknown[][], frame?: number): string | null {
    this.#learn(calls, sorted, results);
    const { places, entry, text } = sorted;
    const ids: string[] = [];
    this.#taken = { accepted: entry.accepted, settled: entry.settled, claimed: ids };
    for (const item of entry.accepted) this.#table.accept(item, this.#token, frame);
    for (const [index, { kind, items }] of calls.entries()) {
      const heavy = new Set(places[index]);
      const own = results[index]!;
      for (let place = 0; place < items.length; place++) {
        if (kind === 'claim') {
          own[place] = this.#claim(items[place] as ClaimRequest, own[place] as Claimed | undefined, ids);
        } else if (!heavy.has(place)) {
          own[place] = kind === 'accept' ? stored : this.#settle(items[place] as Settlement, entry.now);
        }
      }
    }
    return entry.accepted.length + entry.settled.length + ids.length > 0 ? frameText(text, ids) : null;
  }

  revert(): void {
    if (this.#taken !== null) this.#table.revert(this.#taken);
    this.#taken = null;
    this.#full.clear();
    this.forgetDatabase();
  }

  #hasTwins(calls: readonly WriteCall[]): boolean {
    const ids = new Set<string>();
    for (const { deliveries } of itemsOf('accept', calls)) {
      for (const { messageId } of deliveries) {
        if (ids.has(messageId) || this.#table.requestOf(messageId)) return true;
        ids.add(messageId);
      }
    }
    return false;
  }

  *#isEarly(settlement: Settlement): Operation<boolean> {
    this.#early ??= yield* anyEarly();
    return this.#early && (yield* isEarly(settlement));
  }

  /**
   * Deliveries settled as anything but sent, or with an early receipt, continue in the database. Receipts are matched
   * there, so everything for their handsets moves there. The last that wait in memory move there where younger ones are
   * due there, and a claim takes both.
   */
  *#evicted(calls: readonly WriteCall[]): Operation<Set<Request>> {
    const evicted = this.#forHandsetsOf(receiptsIn(calls));
    for (const settlement of itemsOf('settle', calls)) {
      const request = this.#table.requestOf(settlement.messageId);
      if (!request) continue;
      if (!isPlain(settlement) || (this.#early !== false && (yield* this.#isEarly(settlement)))) evicted.add(request);
    }
    for (const { lane, limit, now } of itemsOf('claim', calls)) {
      if (this.#table.waiting(lane) >= limit || !(yield* this.#isFirst(lane, now))) continue;
      if (this.#firstUntil.get(lane)! > now) continue;
      for (const request of this.#table.nextOf(lane, limit)) evicted.add(request);
    }
    return evicted;
  }

  #forHandsetsOf(receipts: readonly Receipt[]): Set<Request> {
    const found = new Set<Request>();
    for (const { to } of receipts) {
      if (to !== null) for (const request of this.#table.requestsTo(to)) found.add(request);
    }
    return found;
  }

  #mayKeep(item: AcceptItem, entry: Entry): boolean {
    if (!isKeepable(item) || (this.#isCrowded() && item.deliveries.some(({ sending }) => !sending))) return false;
    entry.accepted.push(item);
    return true;
  }

  #maySettle(settlement: Settlement, evicted: Set<Request>, seen: Set<string>, entry: Entry): boolean {
    const { messageId } = settlement;
    if (!this.#table.isCurrent(settlement, entry.token) || seen.has(messageId)) return false;
    if (!isPlain(settlement) || evicted.has(this.#table.requestOf(messageId)!)) return false;
    seen.add(messageId);
    entry.settled.push(settlement);
    return true;
  }

  /** Those for which memory has too few, or not the first. */
  *#askingDatabase(claims: readonly ClaimRequest[]): Operation<Set<ClaimRequest>> {
    const asking = new Set<ClaimRequest>();
    const wanted = new Map<string, number>();
    for (const claim of claims) {
      const { lane, limit, now } = claim;
      const sum = (wanted.get(lane) ?? 0) + limit;
      wanted.set(lane, sum);
      if (this.#table.waiting(lane) < sum || !(yield* this.#isFirst(lane, now))) asking.add(claim);
    }
    return asking;
  }

  #isCrowded(): boolean {
    return this.#table.rows - this.#table.endedRows >= waitingMax;
  }

  /** What the database got in this group, and in which lanes it has more due messages. */
  #learn(calls: readonly WriteCall[], { places, evicted }: SortedTexts, results: unknown[][]): void {
    this.leaving(evicted);
    for (const [index, { kind, items }] of calls.entries()) {
      for (const place of places[index]!) {
        if (kind === 'accept') this.#willHave(items[place] as AcceptItem);
        // When it is tried again depends on the database.
        else if (kind === 'settle') this.#firstUntil.clear();
        // It is kept, and may wait for its part.
        else if (keepsReceipts.has(kind) && !(results[index]![place] as ReceiptOutcome).matched) this.#early = null;
        // The last in a transaction: it has seen the others.
        else if (kind === 'claim') {
          this.#noteClaimed(items[place] as ClaimRequest, results[index]![place] as Claimed);
        }
      }
    }
  }

  #noteClaimed({ lane, limit, now }: ClaimRequest, { deliveries }: Claimed): void {
    if (deliveries.length < limit) {
      this.#full.delete(lane);
      this.#firstUntil.set(lane, now + dryMs);
    } else {
      this.#full.add(lane);
      this.#firstUntil.delete(lane);
    }
  }

  /** The database gets these deliveries, which are due from their acceptance on. */
  #willHave({ message: { acceptedAt }, deliveries }: Pick<AcceptItem, 'message' | 'deliveries'>): void {
    for (const { lane } of deliveries) {
      const until = this.#firstUntil.get(lane);
      if (until !== undefined && acceptedAt < until) this.#firstUntil.set(lane, acceptedAt);
    }
  }

  /** Whether the next delivery in memory is due before all in the database. In doubt not. */
  *#isFirst(lane: LaneId, now: EpochMs): Operation<boolean> {
    const at = this.#table.nextAt(lane);
    if (at === null) return false;
    const until = this.#firstUntil.get(lane) ?? 0;
    // A clock that was set back does not extend the time.
    if (at < until && until - now <= dryMs) return true;
    if (!this.#full.has(lane)) return false;
    const oldest = (yield* oldestQueued(lane)) ?? Number.POSITIVE_INFINITY;
    this.#firstUntil.set(lane, Math.min(oldest, now + dryMs));
    return at < oldest;
  }

  #settle(settlement: Settlement, now: number): DeliveryState[] {
    this.#table.settle(settlement, now);
    return [settlement.to];
  }

  /** Adds to what the database `found` for it; appends the ids from memory to `ids`. */
  #claim(item: ClaimRequest, found: Claimed | undefined, ids: string[]): Claimed {
    const left = item.token === this.#token ? item.limit - (found?.deliveries.length ?? 0) : 0;
    const claimed = this.#table.claim(item.lane, left, item.now, this.#token);
    for (const { messageId } of claimed.deliveries) ids.push(messageId);
    return found ? joined(found, claimed) : claimed;
  }
}

/** The entry, with the claimed ids in its empty list at the end. */
function frameText(text: string, claimed: string[]): string {
  return claimed.length === 0 ? text : `${text.slice(0, -3)}${JSON.stringify(claimed)}}`;
}

/** The opt-out list has changed since it was checked. */
const isOlder = ({ judged }: AcceptItem, newest: SortContext['newest']): boolean =>
  judged !== undefined && newest !== undefined && judged.version < newest.consent;

/** It has an id, but no handset. */
const isAboutAny = ({ to, idKeys }: Receipt): boolean => to === null && idKeys.length > 0;

const stored = { kind: 'stored' } as const;

/** The writes that memory may handle. */
interface Journaled {
  accept: AcceptItem;
  settle: Settlement;
  claim: ClaimRequest;
}

const ofReceipts = new Set(['receipts', 'knownReceipts', 'lookUpReceipts', 'earlyReceipts']);
/** They store a receipt that matches nothing. */
const keepsReceipts = new Set(['receipts', 'earlyReceipts']);

function receiptsIn(calls: readonly WriteCall[]): Receipt[] {
  const found: Receipt[] = [];
  for (const { kind, items } of calls) if (ofReceipts.has(kind)) found.push(...(items as Receipt[]));
  return found;
}

function itemsOf<K extends keyof Journaled>(wanted: K, calls: readonly WriteCall[]): Journaled[K][] {
  const found: Journaled[K][] = [];
  for (const { kind, items } of calls) if (kind === wanted) for (const item of items) found.push(item as Journaled[K]);
  return found;
}

function joined(one: Claimed, other: Claimed): Claimed {
  const before = one.requests.length;
  return {
    requests: [...one.requests, ...other.requests],
    deliveries: [
      ...one.deliveries,
      ...other.deliveries.map((delivery) => ({ ...delivery, request: delivery.request + before })),
    ],
  };
}
