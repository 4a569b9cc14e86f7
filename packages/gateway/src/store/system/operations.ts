/** What the store keeps about itself: the token of the newest start, the journal's note, settings. */
import type { StoreFacts } from '../../model/upkeep.ts';
import { type Operation, run } from '../query.ts';
import {
  putCounter,
  putSettingRow,
  raise,
  selectCounter,
  selectLastPosition,
  selectNewestEventAt,
  selectPostgresFacts,
  selectSchema,
  selectSetting,
  selectSqliteFacts,
} from './statements.ts';

const tokenCounter = 'node_token';
const journalCounter = 'journal';
const journalFramesCounter = 'journal_frames';
const probeCounter = 'probe';
/** Incremented by each change of the records, and of the opt-out list when several processes write messages. */
export const recordsCounter = 'records_version';
export const consentCounter = 'consent_version';

/** Increments a counter; returns its new value. */
export function* raiseCounter(name: string): Operation<number> {
  const [raised] = yield* run(raise, [{ name }]);
  return raised!.value;
}

export function* readCounter(name: string): Operation<number> {
  const [found] = yield* run(selectCounter, [{ name }]);
  return found?.value ?? 0;
}

/** Increments and returns the fencing token for a new start of a node. */
export const raiseNodeToken = () => raiseCounter(tokenCounter);

/** The token of the newest start. */
export const nodeToken = () => readCounter(tokenCounter);

/** The newest generation of the journal that is complete in the database. */
export const journalGeneration = () => readCounter(journalCounter);

/** The least number of frames in the next generation; -1 = none, and no file; null = never noted. */
export function* journalFrames(): Operation<number | null> {
  const [found] = yield* run(selectCounter, [{ name: journalFramesCounter }]);
  return found?.value ?? null;
}

/** Notes the newest complete generation and the frames of the next one. */
export function* noteJournal(generation: number, frames: number): Operation<void> {
  yield* run(putCounter, [
    { name: journalCounter, value: generation },
    { name: journalFramesCounter, value: frames },
  ]);
}

export function* noteJournalFrames(frames: number): Operation<void> {
  yield* run(putCounter, [{ name: journalFramesCounter, value: frames }]);
}

/** Starts a node: raises its token and notes that its journal holds the generation after `generation`. */
export function* beginNode(generation: number, isMarked: boolean): Operation<number> {
  yield* noteJournalFrames(isMarked ? 0 : -1);
  yield* run(putCounter, [{ name: journalCounter, value: generation }]);
  return yield* raiseNodeToken();
}

/** A small named value kept with the store (seed marks and the like). */
export function* getSetting(name: string): Operation<string | null> {
  const [found] = yield* run(selectSetting, [{ name }]);
  return found?.value ?? null;
}

export function* putSetting(items: readonly { name: string; value: string }[]): Operation<null[]> {
  for (const item of items) yield* run(putSettingRow, [item]);
  return items.map(() => null);
}

export interface DayRequest {
  /** The setting that holds the count. */
  name: string;
  /** Days since the epoch, UTC. */
  day: number;
  cap: number;
  /** With fewer left than this, nothing is granted; else up to `wanted`. */
  needed: number;
  wanted: number;
}

export interface DayGrant {
  given: number;
  /** What is not granted yet; never negative. */
  left: number;
}

/** Grants part of a daily cap that all nodes share. A node whose clock is behind is granted from the current day. */
export function* takeOfDay(requests: readonly DayRequest[]): Operation<DayGrant[]> {
  const grants: DayGrant[] = [];
  for (const { name, day, cap, needed, wanted } of requests) {
    const [, storedDay = 0, used = 0] = /^(\d+) (\d+)$/.exec((yield* getSetting(name)) ?? '')?.map(Number) ?? [];
    const today = Math.max(day, storedDay);
    const spent = today === storedDay ? used : 0;
    const free = Math.max(0, cap - spent);
    const given = free < needed ? 0 : Math.min(wanted, free);
    if (given > 0) yield* putSetting([{ name, value: `${today} ${spent + given}` }]);
    grants.push({ given, left: free - given });
  }
  return grants;
}

/** An empty write that proves that writing works. */
export function* probe(items: readonly null[]): Operation<null[]> {
  yield* raiseCounter(probeCounter);
  return [...items];
}

/**
 * The highest position in the event log, or 0 without any above `after`, which lets PostgreSQL skip earlier partitions.
 */
export function* lastPosition(after = 0): Operation<number> {
  const [row] = yield* run(selectLastPosition, [{ after }]);
  return row!.position;
}

/** Facts about the database, for the operator. */
export function* storeFacts(engine: StoreFacts['engine']): Operation<StoreFacts> {
  const [schema] = yield* run(selectSchema, [{}]);
  const [facts] = yield* run(engine === 'sqlite' ? selectSqliteFacts : selectPostgresFacts, [{}]);
  return { engine, schemaVersion: schema!.version, engineVersion: facts!.version, bytes: facts!.bytes };
}

/** The number of events to search: they are in commit order, which is nearly the order of their times. */
const latestEvents = 1_000;

export function* newestEventAt(): Operation<number | null> {
  const [found] = yield* run(selectNewestEventAt, [{ limit: latestEvents }]);
  return found?.at ?? null;
}
