/**
 * The journal's contents in memory: accepted texts that are not yet in the database, and the progress of each
 * delivery's first attempt. Replaying the same entries in the same order gives the same table. It accepts only writes
 * that the database could not refuse.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { LaneId, MessageId } from '../../../kernel/ids.ts';
import type { Settlement } from '../../../model/delivery.ts';
import { type AcceptItem, isSmsItem, type SmsItem } from '../items.ts';
import type { Claimed } from '../operations/claim.ts';
import type { Kept, Try } from '../operations/keep.ts';
import { ByHandset } from './by-handset.ts';

/** One frame of the journal: the writes of one group, in order. */
export interface Entry {
  /** Wall clock and fencing token of the group. */
  now: EpochMs;
  token: number;
  accepted: SmsItem[];
  settled: Settlement[];
  /** Ids of claimed deliveries. */
  claimed: string[];
}

/** A request with its deliveries. */
export interface Request extends Kept {
  tries: (Try | null)[];
  /** Deliveries whose first try has not ended. */
  open: number;
  /** The journal's frame that accepted it. */
  frame: number;
  /** Which of all accepted requests it is. */
  nth: number;
}

/** The place of one delivery. */
interface Spot {
  request: Request;
  place: number;
}

export class Memtable {
  readonly #requests = new Set<Request>();
  readonly #spots = new Map<string, Spot>();
  readonly #byHandset = new ByHandset<Request>();
  readonly #queues = new Map<string, Set<Spot>>();
  readonly #ended = new Set<Request>();
  #endedRows = 0;
  /** How many requests there have been. */
  #accepted = 0;

  /** Number of deliveries. */
  get rows(): number {
    return this.#spots.size;
  }

  /** Number of deliveries of requests without an open try. */
  get endedRows(): number {
    return this.#endedRows;
  }

  all(): Request[] {
    return [...this.#requests];
  }

  /** The oldest requests, together about this many deliveries: only those without an open try, or any. */
  oldest(rows: number, which: 'ended' | 'any'): Request[] {
    const found: Request[] = [];
    let left = rows;
    for (const request of which === 'ended' ? this.#ended : this.#requests) {
      if (left <= 0) break;
      left -= request.tries.length;
      found.push(request);
    }
    return found;
  }

  /** Acceptance time of the oldest; infinite when there is none. */
  oldestAt(): EpochMs {
    for (const { item } of this.#requests) return item.message.acceptedAt;
    return Number.POSITIVE_INFINITY;
  }

  /** The frame of the oldest; infinite when there is none. */
  oldestFrame(): number {
    for (const { frame } of this.#requests) return frame;
    return Number.POSITIVE_INFINITY;
  }

  /** The request of the delivery. */
  requestOf(messageId: MessageId): Request | undefined {
    return this.#spots.get(messageId)?.request;
  }

  /** The requests with a delivery to this handset. */
  requestsTo(to: string): Iterable<Request> {
    return this.#byHandset.of(to);
  }

  waiting(lane: LaneId): number {
    return this.#queues.get(lane)?.size ?? 0;
  }

  /** Acceptance time of the next delivery of a lane; null when none waits. */
  nextAt(lane: LaneId): EpochMs | null {
    for (const { request } of this.#queues.get(lane) ?? []) return request.item.message.acceptedAt;
    return null;
  }

  /** The requests of the next deliveries of a lane. */
  *nextOf(lane: LaneId, limit: number): Generator<Request> {
    let left = limit;
    for (const { request } of this.#queues.get(lane) ?? []) {
      if (left-- <= 0) return;
      yield request;
    }
  }

  apply({ now, token, accepted, settled, claimed }: Entry): void {
    for (const item of accepted) this.accept(item, token);
    for (const settlement of settled) this.settle(settlement, now);
    for (const messageId of claimed) this.#begin(this.#spots.get(messageId)!, now, token);
  }

  /** Undoes an entry that was the last. */
  revert({ accepted, settled, claimed }: Pick<Entry, 'accepted' | 'settled' | 'claimed'>): void {
    this.#wait(claimed.map((messageId) => this.#spots.get(messageId)!));
    for (const { messageId } of settled) this.#reopen(this.#spots.get(messageId)!);
    this.drop(accepted.map(({ deliveries }) => this.requestOf(deliveries[0]!.messageId)!));
  }

  /** Begins the first try of a waiting delivery. */
  begin(messageId: MessageId, now: EpochMs, token: number): void {
    const spot = this.#spots.get(messageId);
    if (spot !== undefined && spot.request.tries[spot.place] === null) this.#begin(spot, now, token);
  }

  /** Begins the first try of all waiting deliveries; returns their ids. */
  beginAll(now: EpochMs, token: number): string[] {
    const waiting = [...this.#spots].filter(([, { request, place }]) => request.tries[place] === null);
    for (const [, spot] of waiting) this.#begin(spot, now, token);
    return waiting.map(([messageId]) => messageId);
  }

  accept(item: SmsItem, token: number, frame = 0): void {
    const at = item.message.acceptedAt;
    this.#accepted += 1;
    const request: Request = { item, tries: [], open: item.deliveries.length, frame, nth: this.#accepted };
    for (const { sending } of item.deliveries) request.tries.push(sending ? { at, token, end: null } : null);
    this.#add(request);
  }

  #add(request: Request): void {
    const { item, tries, open } = request;
    this.#requests.add(request);
    for (const [place, { messageId, to, lane }] of item.deliveries.entries()) {
      const spot: Spot = { request, place };
      this.#spots.set(messageId, spot);
      this.#byHandset.add(to, request);
      if (tries[place] === null) this.#enqueue(lane, spot);
    }
    if (open === 0) this.#end(request);
  }

  #end(request: Request): void {
    this.#ended.add(request);
    this.#endedRows += request.tries.length;
  }

  /** Whether this settlement ends the open try. */
  isCurrent({ messageId, attempt }: Settlement, token: number): boolean {
    const spot = this.#spots.get(messageId);
    const own = spot?.request.tries[spot.place];
    return attempt === 1 && own?.token === token && own.end === null;
  }

  /** Only for a current settlement. */
  settle(settlement: Settlement, now: EpochMs): void {
    const { request, place } = this.#spots.get(settlement.messageId)!;
    const own = request.tries[place]!;
    own.end = { at: Math.max(now, own.at), settlement };
    request.open -= 1;
    if (request.open === 0) this.#end(request);
  }

  /** At most `limit` deliveries within their validity, oldest first; they become `sending`. */
  claim(lane: LaneId, limit: number, now: EpochMs, token: number): Claimed {
    const requests = new Map<Request, number>();
    const deliveries: Claimed['deliveries'] = [];
    for (const spot of this.#queues.get(lane) ?? []) {
      if (deliveries.length >= limit) break;
      const { request, place } = spot;
      const delivery = request.item.deliveries[place]!;
      this.#unqueue(spot);
      // The sweep expires it.
      if (delivery.expiresAt <= now) continue;
      this.#begin(spot, now, token);
      const index = requests.get(request) ?? requests.size;
      requests.set(request, index);
      const { messageId, to, concatReference, expiresAt } = delivery;
      const { accountId, segments } = request.item.message;
      deliveries.push({
        messageId,
        accountId,
        lane,
        attempt: 1,
        dupRisk: false,
        to,
        segments,
        concatReference,
        expiresAt,
        partsAccepted: [],
        request: index,
      });
    }
    return { requests: [...requests.keys()].map(asRequest), deliveries };
  }

  /** Removes these requests: the database has them now. */
  drop(requests: readonly Request[]): void {
    for (const request of requests) {
      this.#requests.delete(request);
      if (this.#ended.delete(request)) this.#endedRows -= request.tries.length;
      for (const { messageId, to } of request.item.deliveries) {
        this.#byHandset.remove(to, request);
        this.#unqueue(this.#spots.get(messageId)!);
        this.#spots.delete(messageId);
      }
    }
  }

  /** Undoes a drop. */
  restore(dropped: readonly Request[]): void {
    if (dropped.length === 0) return;
    const all = [...dropped, ...this.#requests].sort((one, other) => one.nth - other.nth);
    this.drop([...this.#requests]);
    for (const request of all) this.#add(request);
  }

  #enqueue(lane: LaneId, spot: Spot): void {
    const queue = this.#queues.get(lane) ?? new Set();
    this.#queues.set(lane, queue);
    queue.add(spot);
  }

  /** These wait again, before all others of their lanes. */
  #wait(spots: readonly Spot[]): void {
    for (const [lane, first] of Map.groupBy(spots, laneOf)) {
      for (const { request, place } of first) request.tries[place] = null;
      this.#queues.set(lane, new Set([...first, ...(this.#queues.get(lane) ?? [])]));
    }
  }

  #reopen({ request, place }: Spot): void {
    request.tries[place]!.end = null;
    request.open += 1;
    if (this.#ended.delete(request)) this.#endedRows -= request.tries.length;
  }

  #unqueue(spot: Spot): void {
    this.#queues.get(laneOf(spot))?.delete(spot);
  }

  #begin(spot: Spot, at: EpochMs, token: number): void {
    this.#unqueue(spot);
    spot.request.tries[spot.place] = { at, token, end: null };
  }
}

function laneOf({ request, place }: Spot): LaneId {
  return request.item.deliveries[place]!.lane;
}

function asRequest({ item: { message } }: Request): Claimed['requests'][number] {
  const { keyId, from, text, wireText, acceptedAt } = message;
  return { keyId, from, text: wireText ?? text, messageType: 'SMS', acceptedAt };
}

/** Texts with a shorter validity are excluded: deliveries in memory must not expire there. */
const validityMinMs = 60_000;

/** A text to be sent at once, without an idempotency key, and only with values that the database accepts. */
export function isKeepable(item: AcceptItem): item is SmsItem {
  if (!isSmsItem(item)) return false;
  const { message, deliveries, idempotency, held } = item;
  if (idempotency || held || deliveries.length === 0) return false;
  const { requestId, accountId, keyId, direction, referenceId, from, text, wireText, encoding, traceparent } = message;
  return (
    [text, wireText ?? '', encoding ?? '', traceparent ?? ''].every(isText) &&
    [requestId, accountId, keyId, direction, referenceId, from].every(isKey) &&
    Number.isSafeInteger(message.segments) &&
    Number.isSafeInteger(message.acceptedAt) &&
    deliveries.every(
      ({ messageId, to, lane, expiresAt, concatReference }) =>
        isKey(messageId) &&
        isKey(to) &&
        isKey(lane) &&
        Number.isSafeInteger(concatReference) &&
        Number.isSafeInteger(expiresAt) &&
        expiresAt - message.acceptedAt >= validityMinMs,
    )
  );
}

/** True for `sent` without further details. */
export function isPlain({ to, code, carrier, carrierCode, detail, dueAt, parts }: Settlement): boolean {
  return (
    to === 'sent' &&
    code === null &&
    carrierCode === null &&
    detail === null &&
    isKey(carrier) &&
    Number.isSafeInteger(dueAt) &&
    new Set(parts.map(({ part }) => part)).size === parts.length &&
    parts.every(
      ({ part, spans = 1, carrierMessageId }) =>
        Number.isSafeInteger(part) && Number.isSafeInteger(spans) && isKey(carrierMessageId),
    )
  );
}

/** PostgreSQL stores no NUL. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0');
}

/** An entry of an index of PostgreSQL has at most 2,704 bytes, for up to three columns. */
const keyLengthMax = 200;

function isKey(value: unknown): boolean {
  return isText(value) && (value as string).length <= keyLengthMax;
}
