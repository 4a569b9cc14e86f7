/**
 * Estimates how long a message accepted now will wait for its carrier, and which accounts refuse to wait that long. A
 * queue is first in, first out: once its head moves more slowly than real time, the tail waits longer than the head
 * has.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { LaneId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Claim } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { Environment } from '../../model/environment.ts';
import type { Account } from '../../model/records.ts';

const lookEveryMs = 250;
/** While no account has a limit: how often it is asked whether one has. */
const askEveryMs = 1_000;
/** The speed of a head is measured over this many looks. */
const looksMax = 9;
const speedFromMs = 500;
/** A message accepted less than this ago may exist only in the journal, where no look finds it. */
const unseenMs = 15_000;
/** How long an answer of the carrier shows the position of the head. */
const answerFreshMs = 2_000;
const retrySecondsMax = 60;

/** Why a request is refused: it would wait too long. */
export interface TooLong {
  limitSeconds: number;
  retrySeconds: number;
}

export interface Backlog {
  /** Carriers have answered these tries: the heads of their queues come directly after them. */
  answered(tries: readonly { claim: Claim }[]): void;
  /** Null when a message of the account may join these queues. */
  tooLong(account: Account, lanes: Iterable<LaneId>): TooLong | null;
  /** The same for all queues of the environment at once, which needs no verdict on recipients. */
  tooLongEverywhere(account: Account, environment: Environment): TooLong | null;
  start(): void;
  stop(): void;
}

export interface BacklogParts {
  clock: Clock;
  logger: Logger;
  directory(): Directory;
  store: {
    /** When the first message of a queue was or will be due; null while none waits. */
    oldestDue(lanes: LaneId[]): Promise<{ lane: LaneId; dueAt: EpochMs | null }[]>;
  };
  /** Paused by the operator: its messages wait on purpose. */
  isPaused(lane: LaneId): boolean;
  /** The limit for accounts without their own; 0 = none. */
  secondsMaxDefault: number;
}

interface Look {
  atMs: number;
  /** When the message at the head became due. */
  head: EpochMs;
}

export function createBacklog(parts: BacklogParts): Backlog {
  const { clock, logger } = parts;
  const looks = new Map<LaneId, Look[]>();
  const waits = new Map<LaneId, number>();
  const newest = new Map<LaneId, Look>();
  /** Whether any account has a limit; without one nothing is measured. */
  let isLimited = false;
  let cancel = (): void => {};
  let stopped = false;

  const secondsMaxOf = ({ waitingSecondsMax = parts.secondsMaxDefault }: Account): number => waitingSecondsMax;

  function again(): void {
    if (stopped) return;
    cancel = clock.after(isLimited ? lookEveryMs : askEveryMs, () => {
      look()
        .catch((err: unknown) => logger.debug({ err }, 'how long messages wait was not looked up'))
        .finally(again);
    });
  }

  function lookForLimits(): void {
    isLimited = parts.directory().records.accounts.some((account) => secondsMaxOf(account) > 0);
    if (isLimited) return;
    for (const kept of [looks, waits, newest]) kept.clear();
  }

  async function look(): Promise<void> {
    lookForLimits();
    if (!isLimited) return;
    const lanes = parts
      .directory()
      .records.carriers.filter(({ carrierId, enabled }) => enabled && !parts.isPaused(carrierId))
      .map(({ carrierId }) => carrierId);
    const found = lanes.length === 0 ? [] : await parts.store.oldestDue(lanes);
    const due = new Map(found.map(({ lane, dueAt }) => [lane, dueAt]));
    for (const lane of new Set([...waits.keys(), ...lanes])) {
      const head = lanes.includes(lane) ? (due.get(lane) ?? headOf(lane)) : null;
      if (head === null) forget(lane);
      else note(lane, { atMs: clock.monotonicMs(), head });
    }
  }

  /** From the carrier's answers: messages held on purpose are late without a backlog. */
  function headOf(lane: LaneId): EpochMs | null {
    const last = newest.get(lane);
    if (last === undefined || clock.monotonicMs() - last.atMs > answerFreshMs) return null;
    return clock.now() - last.head > unseenMs ? null : last.head;
  }

  function forget(lane: LaneId): void {
    looks.delete(lane);
    waits.delete(lane);
  }

  function note(lane: LaneId, last: Look): void {
    const known = [...(looks.get(lane) ?? []), last].slice(-looksMax);
    looks.set(lane, known);
    const ageMs = Math.max(0, clock.now() - last.head);
    const spanMs = last.atMs - known[0]!.atMs;
    const moved = last.head - known[0]!.head;
    const isMoving = spanMs >= speedFromMs && moved > 0;
    // Slower than real time: a message that joins now will wait longer than the head, by the same factor.
    waits.set(lane, isMoving ? Math.max(ageMs, (ageMs * spanMs) / moved) : ageMs);
  }

  function judged(account: Account, waitMs: number): TooLong | null {
    const limitSeconds = secondsMaxOf(account);
    const overMs = waitMs - limitSeconds * 1_000;
    if (limitSeconds === 0 || overMs < 0) return null;
    return { limitSeconds, retrySeconds: Math.min(retrySecondsMax, Math.max(1, Math.ceil(overMs / 1_000))) };
  }

  return {
    answered(tries) {
      if (!isLimited) return;
      const atMs = clock.monotonicMs();
      for (const { claim } of tries) {
        const { lane, attempt, acceptedAt } = claim;
        if (attempt !== 1) continue;
        const last = newest.get(lane);
        if (last === undefined) newest.set(lane, { atMs, head: acceptedAt });
        else Object.assign(last, { atMs, head: acceptedAt });
      }
    },
    tooLong(account, lanes) {
      if (waits.size === 0) return null;
      let waitMs = 0;
      for (const lane of lanes) waitMs = Math.max(waitMs, waits.get(lane) ?? 0);
      return judged(account, waitMs);
    },
    tooLongEverywhere(account, environment) {
      if (waits.size === 0) return null;
      let waitMs = Number.POSITIVE_INFINITY;
      for (const carrier of parts.directory().records.carriers) {
        if (!carrier.enabled || carrier.environment !== environment) continue;
        waitMs = Math.min(waitMs, waits.get(carrier.carrierId) ?? 0);
      }
      return Number.isFinite(waitMs) ? judged(account, waitMs) : null;
    },
    start: () => {
      lookForLimits();
      again();
    },
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}
