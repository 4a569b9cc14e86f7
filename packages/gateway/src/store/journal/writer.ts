/**
 * The writer of a SQLite store. What a text goes through in its first moments (accepted, claimed, sent) goes to a journal
 * and is kept in memory; the database gets it once, with many others, as far as it has come, when there is time for it.
 * Everything else goes to the database at once, behind what it may be about. Nothing is answered before it is on disk in
 * one of the two.
 */
import type { Settlement } from '../../domain/delivery.ts';
import type { DeliveryState } from '../../domain/lifecycle.ts';
import type { Catalogue, WriteCall } from '../catalogue.ts';
import type { AcceptItem, ClaimRequest } from '../items.ts';
import { isKeepable, isPlain } from '../messages/keepable.ts';
import { type Entry, Memtable, type Request, stepRows } from '../messages/memtable.ts';
import type { Claimed } from '../operations/claim.ts';
import type { WriteContext } from '../operations/context.ts';
import { keep } from '../operations/keep.ts';
import { noteJournal, noteJournalFrames } from '../operations/records.ts';
import { anyEarly, isEarly } from '../operations/settle.ts';
import type { Operation } from '../query.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { StoreBroken, StoreUnavailable } from '../store.ts';
import type { Journal } from './journal.ts';
import { outOfUse } from './look.ts';

/** Deliveries in memory: about 100 MB. Above three quarters every group makes room for itself. */
const rowsMax = 65_536;
const rowsMany = rowsMax * 0.75;
/** Bytes after which the journal begins anew, which needs everything in the database. */
const journalBytesMax = 64 << 20;
/** What has to be in the database first goes there with what wants it when it is no more than this. */
const restRows = 1_024;
/** Nothing is in memory for longer: then it goes to the database, however much else there is to do. */
const ageMaxMs = 10_000;
/** While texts come, the database learns so often how far the journal has come. */
const noteEveryMs = 100;
/** For so long a lane is believed to have nothing due in the database once it was found so. */
const dryMs = 200;
/** No UTF-16 unit takes more in UTF-8. */
const unitBytesMax = 3;
/** What the id of a claimed delivery takes in a frame, generously. */
const idBytes = 64;

export interface WriterParts {
  catalogue: Catalogue;
  connection: SqliteConnection;
  /** Null = nothing is kept in memory. */
  journal: Journal | null;
  /** Of the journal. */
  generation: number;
  /** The database knows that this generation of the journal is in use. */
  isNoted: boolean;
  context: Omit<WriteContext, 'now'>;
}

/** A group whose items have been told apart. */
interface Sorted {
  /** By call, the places of the items that the database has to take. */
  places: number[][];
  /** What these are about and the database does not have yet. */
  evicted: Set<Request>;
  entry: Entry;
}

export class JournaledWriter {
  readonly #parts: WriterParts;
  readonly #table = new Memtable();
  /** By lane, until when the database is believed to have nothing due. */
  readonly #dry = new Map<string, number>();
  /** Lanes in which the database had as many due as were asked for the last time. */
  readonly #full = new Set<string>();
  #generation: number;
  #isNoted: boolean;
  /** Frames of the generation that the database knows of, and the wall clock when it was last written there. */
  #notedFrames = 0;
  #notedAt = 0;
  /** The database took nothing the last time. */
  #stuck = false;
  #broken: StoreBroken | null = null;
  /** Wall clock of the last group. */
  #now = 0;
  /** Some receipt waits for the part it speaks of. */
  #early: boolean;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#generation = parts.generation;
    this.#isNoted = parts.isNoted;
    this.#early = parts.connection.read(anyEarly());
  }

  /** Whether `commit` takes these as they come. Else everything in memory goes to the database first, and with them. */
  takes(calls: readonly WriteCall[]): boolean {
    const isKnown = ({ kind }: WriteCall) => this.#parts.catalogue.write(kind).journal !== undefined;
    return this.#parts.journal !== null && !this.#stuck && this.#table.rows < rowsMax && calls.every(isKnown);
  }

  /** The results per call, on disk. Throws what the store has to say; nothing of the calls is stored then. */
  commit(calls: readonly WriteCall[], now: number): unknown[][] {
    if (this.#broken) throw this.#broken;
    this.#now = now;
    return this.takes(calls) ? this.#commitJournaled(calls, now) : this.#writeAll(calls, now);
  }

  /** Everything into the database, and the journal begins anew. */
  flush(): void {
    if (this.#broken) throw this.#broken;
    if (this.holds()) this.#writeAll([], this.#now);
  }

  /** The same for when nobody waits for it: where the database takes nothing, it is left for later. */
  flushIfPossible(): void {
    try {
      this.flush();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  /** Whether anything is in memory, or in the journal. */
  holds(): boolean {
    return this.#table.rows > 0 || (this.#parts.journal?.bytes() ?? 0) > 0;
  }

  /** Whether a flush should be made before the journal grows further. */
  isLong(): boolean {
    return (this.#parts.journal?.bytes() ?? 0) >= journalBytesMax;
  }

  /** One step towards a flush; false when there is nothing to step over, and it may be made. */
  step(): boolean {
    if (this.#stuck || this.#table.rows <= restRows) return false;
    return this.#writeBehind(this.#table.oldest(stepRows, 'any'));
  }

  /** After a group of so many rows: what has been in memory for long, and room for as many if it holds much. */
  relieve(rows: number): void {
    if (this.#stuck) return;
    if (Math.abs(this.#now - this.#notedAt) >= noteEveryMs) this.noteFrames();
    const table = this.#table;
    if (table.oldestAt() <= this.#now - ageMaxMs) this.#writeBehind(table.oldest(stepRows, 'any'));
    if (table.rows < rowsMany) return;
    const ended = table.oldest(2 * rows, 'ended');
    this.#writeBehind(ended.length > 0 ? ended : table.oldest(2 * rows, 'any'));
  }

  /**
   * Notes in the database how far the journal has come, unsynced: where its end is missing at the next start, that shows. Where
   * the database takes nothing, it is left for later.
   */
  noteFrames(): void {
    const frames = this.#parts.journal?.frames() ?? 0;
    this.#notedAt = this.#now;
    if (frames === this.#notedFrames || this.#broken || this.#stuck) return;
    try {
      this.#parts.connection.writeBehind(noteJournalFrames(frames), true);
      this.#notedFrames = frames;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  /** One step of what can wait: what has ended; false when there is no more of it. */
  settleDown(): boolean {
    return !this.#stuck && this.#writeBehind(this.#table.oldest(stepRows, 'ended'));
  }

  /** Where the database takes nothing, the journal stays for the next start. */
  close(): void {
    const { journal } = this.#parts;
    if (this.#broken) return;
    try {
      this.flush();
      if (journal === null) return;
      this.#parts.connection.write(noteJournalFrames(outOfUse));
      journal.remove();
    } catch (error) {
      journal?.close();
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  #commitJournaled(calls: readonly WriteCall[], now: number): unknown[][] {
    const sorted = this.#sort(calls, now);
    if (sorted === null) return this.#writeAll(calls, now);
    const { accepted, settled } = sorted.entry;
    const text = JSON.stringify(sorted.entry);
    const ids = itemsOf('claim', calls).reduce((sum, { limit }) => sum + limit, 0);
    if (text.length * unitBytesMax + ids * idBytes > this.#parts.journal!.room()) return this.#writeAll(calls, now);
    if (!this.#isNoted) this.#note();

    const results: unknown[][] = [];
    for (const { items } of calls) results.push(new Array<unknown>(items.length));
    this.#writeHeavy(calls, sorted, results, now);
    try {
      const claimed = this.#take(calls, sorted, results);
      if (accepted.length + settled.length + claimed.length > 0) this.#parts.journal!.append(frame(text, claimed));
      return results;
    } catch (error) {
      // Memory may say what the journal does not.
      this.#broken = error instanceof StoreBroken ? error : new StoreBroken(`the journal failed: ${error}`);
      throw this.#broken;
    }
  }

  /** On disk before the first frame: a start that does not find the journal knows that something is missing. */
  #note(): void {
    this.#parts.connection.write(noteJournalFrames(0));
    this.#isNoted = true;
  }

  /** Null when one delivery is to be accepted twice: the database says so. */
  #sort(calls: readonly WriteCall[], now: number): Sorted | null {
    if (this.#hasTwins(calls)) return null;
    const evicted = this.#evicted(calls);
    const entry: Entry = { now, token: this.#parts.context.token, accepted: [], settled: [], claimed: [] };
    const seen = new Set<string>();
    const wanted = new Map<string, number>();
    const isHeavy = (kind: string, item: unknown): boolean => {
      switch (kind) {
        case 'accept':
          return !this.#mayKeep(item as AcceptItem, entry);
        case 'settle':
          return !this.#maySettle(item as Settlement, evicted, seen, entry);
        case 'claim':
          return this.#asksDatabase(item as ClaimRequest, wanted) || evicted.size > 0;
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
    return { places, evicted, entry };
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

  #isEarly(settlement: Settlement): boolean {
    return this.#early && this.#parts.connection.read(isEarly(settlement));
  }

  /**
   * What is settled as anything but sent, or has its receipt already, goes on in the database; and where many are due there,
   * what is due in memory goes there first, so that the oldest is claimed.
   */
  #evicted(calls: readonly WriteCall[]): Set<Request> {
    const evicted = new Set<Request>();
    for (const settlement of itemsOf('settle', calls)) {
      const request = this.#table.requestOf(settlement.messageId);
      if (request && (!isPlain(settlement) || this.#isEarly(settlement))) evicted.add(request);
    }
    for (const { lane, limit } of itemsOf('claim', calls)) {
      if (this.#full.has(lane)) for (const request of this.#table.nextOf(lane, limit)) evicted.add(request);
    }
    return evicted;
  }

  #mayKeep(item: AcceptItem, entry: Entry): boolean {
    if (!isKeepable(item)) return false;
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

  /** `wanted`: what the claims of this group want, by lane. */
  #asksDatabase({ lane, limit, now }: ClaimRequest, wanted: Map<string, number>): boolean {
    const sum = (wanted.get(lane) ?? 0) + limit;
    wanted.set(lane, sum);
    return this.#table.waiting(lane) < sum || !this.#isDry(lane, now);
  }

  /** What only the database can do, in one transaction; its results to their places. */
  #writeHeavy(calls: readonly WriteCall[], { places, evicted }: Sorted, results: unknown[][], now: number): void {
    if (places.every(({ length }) => length === 0)) return;
    const heavy = calls.flatMap(({ kind, items }, index) =>
      places[index]!.length > 0 ? [{ kind, items: places[index]!.map((place) => items[place]), index }] : [],
    );
    const found = this.#write([...evicted], heavy, now);
    if (heavy.some(({ kind }) => kind === 'accept' || kind === 'settle')) this.#dry.clear();
    heavy.forEach(({ kind, items, index }, order) => {
      places[index]!.forEach((place, nth) => {
        results[index]![place] = found[order]![nth];
        if (kind === 'claim') this.#noteDry((items as ClaimRequest[])[nth]!, found[order]![nth] as Claimed);
      });
    });
  }

  #noteDry({ lane, limit, now }: ClaimRequest, { deliveries }: Claimed): void {
    const isDry = deliveries.length < limit;
    if (isDry) this.#dry.set(lane, now + dryMs);
    else this.#dry.delete(lane);
    if (isDry) this.#full.delete(lane);
    else this.#full.add(lane);
  }

  /** A clock that was set back does not make it last. */
  #isDry(lane: string, now: number): boolean {
    const left = (this.#dry.get(lane) ?? 0) - now;
    return left > 0 && left <= dryMs;
  }

  /** Everything else, in memory; the ids of what was claimed. */
  #take(calls: readonly WriteCall[], { places, entry }: Sorted, results: unknown[][]): string[] {
    const { token } = this.#parts.context;
    const ids: string[] = [];
    for (const item of entry.accepted) this.#table.accept(item, token);
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
    return ids;
  }

  #settle(settlement: Settlement, now: number): DeliveryState[] {
    this.#table.settle(settlement, now);
    return [settlement.to];
  }

  /** With what the database `found` for it; the ids of the rest go to `ids`. */
  #claim(item: ClaimRequest, found: Claimed | undefined, ids: string[]): Claimed {
    const { token } = this.#parts.context;
    const left = item.token === token ? item.limit - (found?.deliveries.length ?? 0) : 0;
    const claimed = this.#table.claim(item.lane, left, item.now, token);
    for (const { messageId } of claimed.deliveries) ids.push(messageId);
    return found ? joined(found, claimed) : claimed;
  }

  #writeAll(calls: readonly WriteCall[], now: number): unknown[][] {
    const { journal } = this.#parts;
    this.#dry.clear();
    // In small transactions: where there is little room, some of it is better than nothing.
    while (this.#table.rows > restRows) this.#writeUnsynced(this.#table.oldest(stepRows, 'any'));
    const kept = this.#table.all();
    const isAnew = journal !== null && journal.bytes() > 0;
    const results = this.#write(kept, calls, now, isAnew ? this.#generation : null);
    this.#stuck = false;
    this.#early = this.#parts.connection.read(anyEarly());
    if (isAnew) {
      this.#generation += 1;
      this.#notedFrames = 0;
      journal.restart(this.#generation);
    }
    if (calls.some(({ kind }) => this.#parts.catalogue.write(kind).erases)) journal?.wipe();
    return results;
  }

  /** One transaction: what was kept, that with it all of a generation is stored, then the calls. */
  #write(kept: Request[], calls: readonly WriteCall[], now: number, generation: number | null = null): unknown[][] {
    const { catalogue, connection } = this.#parts;
    const context = { ...this.#parts.context, now };
    const progress = { kept: false };
    function* keepAndRun(): Operation<unknown[][]> {
      if (kept.length > 0) yield* keep(kept, context);
      progress.kept = true;
      if (generation !== null) yield* noteJournal(generation, 0);
      return yield* catalogue.runGroup(calls, context);
    }
    return this.#stored(kept, progress, () => connection.write(keepAndRun()));
  }

  /** Not synced: until something else is, it is the journal that has it on disk. False when there is nothing to write. */
  #writeBehind(kept: Request[]): boolean {
    if (kept.length === 0 || this.#broken) return false;
    if (kept.some(({ open }) => open > 0)) this.#dry.clear();
    try {
      this.#writeUnsynced(kept);
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailable) return false;
      throw error;
    }
  }

  #writeUnsynced(kept: Request[]): void {
    const { connection, context } = this.#parts;
    this.#stored(kept, { kept: false }, () => connection.writeBehind(keep(kept, { ...context, now: this.#now })));
  }

  #stored<T>(kept: Request[], progress: Progress, write: () => T): T {
    try {
      const result = write();
      this.#table.drop(kept);
      return result;
    } catch (error) {
      // It has been undone: what it left here is not what is stored.
      this.#parts.context.sending.clear();
      const isUnavailable = error instanceof StoreUnavailable;
      if (isUnavailable && kept.length > 0) this.#stuck = true;
      // Nobody is left to be told that what was acknowledged is not taken.
      const isRefused = kept.length > 0 && !progress.kept && !isUnavailable;
      const meant = isRefused ? new StoreBroken(`the database refuses what the journal holds: ${error}`) : error;
      if (meant instanceof StoreBroken) this.#broken = meant;
      throw meant;
    }
  }
}

/** The entry with what was claimed behind it, whose list it has empty. */
function frame(text: string, claimed: string[]): string {
  return claimed.length === 0 ? text : `${text.slice(0, -3)}${JSON.stringify(claimed)}}`;
}

const stored = { kind: 'stored' } as const;

/** The writes that may be answered from the journal. */
interface Journaled {
  accept: AcceptItem;
  settle: Settlement;
  claim: ClaimRequest;
}

function itemsOf<K extends keyof Journaled>(wanted: K, calls: readonly WriteCall[]): Journaled[K][] {
  return calls.flatMap(({ kind, items }) => (kind === wanted ? (items as Journaled[K][]) : []));
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

/** How far a transaction has come. */
interface Progress {
  kept: boolean;
}
