/**
 * The worker that prepares the media of accepted MMS: takes due requests, gets their media fetched and fitted, and
 * stores the result, which queues the messages. The request stays in the store until then, so a crash repeats the work
 * and loses nothing.
 */
import type { LaneId, RequestId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { createOutage } from '../../kernel/outage.ts';
import type { StoreBase } from '../../store/create-store.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { MediaJob } from '../store/media-items.ts';
import type { MediaStore } from '../store/modules/media.ts';
import { createMediaPreparing, type MediaOutcome, type MediaPreparingParts } from './media-preparing.ts';
import { createMediaSlots, requestsMax, slowMs, slowRequestsMax } from './media-slots.ts';

/** Due requests per look. Those under way are still among them, first in their account. */
const lookMax = 2 * (requestsMax + slowRequestsMax);
/** The number of recently served accounts to remember. */
const servedMax = 1_000;
const storeRetryMs = 250;
/** How often requests postponed by others are looked for while some are under way. */
const busyLookMs = 1_000;
const shortestWaitMs = 20;
/** The longest timer, because the wall clock may jump. */
const longestWaitMs = 60_000;
/** Requests that other nodes accept are found within this time. */
const othersLookMs = 500;
/** How long a stop waits for requests under way, so that their media need not be fetched again. */
const stopWaitMs = 5_000;

export interface MediaWork {
  /** Continues what an earlier run or another node left; may be called again after a stop. */
  start(): void;
  /** Call when a request with media was stored. Cheap enough to call at any rate. */
  nudge(): void;
  /**
   * Starts nothing more and waits 5 s; what is not ready then is repeated after the next start. Afterwards makes no
   * more calls to the store.
   */
  stop(): Promise<void>;
}

export interface MediaWorkParts extends MediaPreparingParts {
  logger: Logger;
  store: Pick<MediaStore, 'mediaJobs' | 'nextMediaJobAt' | 'prepareMedia'> & Pick<StoreBase, 'place'>;
  /** Messages have become due in this lane. */
  nudge(lane: LaneId): void;
  /** Reports a permanent fault. */
  broken(error: unknown): void;
}

export function createMediaWork(parts: MediaWorkParts): MediaWork {
  const { clock, logger, store } = parts;
  const preparing = createMediaPreparing(parts);
  const slots = createMediaSlots(clock.monotonicMs);
  const tasks = new Set<Promise<void>>();
  const storeCalls = new Set<Promise<unknown>>();
  /** Requests that ended after the current look began, which may still return them as due. */
  const doneMeanwhile = new Set<string>();
  /** Accounts in the order of their last started request: the longest waiting is next. */
  const served = new Set<string>();
  let looking = false;
  let again = false;
  let started = false;
  let stopping: Promise<void> | null = null;
  let closed = false;
  let cancelTimer = (): void => {};
  const outage = createOutage<StoreUnavailable>(({ reason }) =>
    logger.warn({ reason }, 'the worker of media waits for the store'),
  );

  function nudge(): void {
    if (!started || stopping !== null) return;
    again = looking;
    // A request that becomes ready triggers another look.
    if (looking || slots.full()) return;
    looking = true;
    look()
      .then(outage.over, handle)
      .finally(() => {
        looking = false;
        if (again) nudge();
      });
  }

  async function look(): Promise<void> {
    doneMeanwhile.clear();
    const jobs = await tracked(store.mediaJobs({ now: clock.now(), limit: lookMax, served: [...served] }));
    if (stopping !== null) return;
    for (const job of jobs) if (mayBegin(job)) begin(job);
    if (!slots.full()) setTimer(await tracked(store.nextMediaJobAt()));
  }

  function mayBegin(job: MediaJob): boolean {
    return !slots.has(job.requestId) && !doneMeanwhile.has(job.requestId) && slots.enter(job);
  }

  function begin(job: MediaJob): void {
    served.delete(job.accountId);
    served.add(job.accountId);
    if (served.size > servedMax) served.delete(served.keys().next().value!);
    // Its quick slot may be free for another request by then.
    const cancelLook = clock.after(slowMs, nudge);
    const fetched = (): void => {
      slots.fetched(job.requestId);
      nudge();
    };
    const task = preparing
      .prepare(job, fetched)
      .then((outcome) => write(job.requestId, outcome))
      .then(() => {
        cancelLook();
        slots.leave(job.requestId);
        doneMeanwhile.add(job.requestId);
        nudge();
      })
      .catch(parts.broken)
      .finally(() => tasks.delete(task));
    tasks.add(task);
  }

  async function write(requestId: RequestId, outcome: MediaOutcome): Promise<void> {
    for (let tries = 0; !closed; tries++) {
      try {
        const [lanes] = await tracked(store.prepareMedia([{ requestId, now: clock.now(), outcome }]));
        if (outcome.to !== 'later') preparing.forget(requestId);
        for (const lane of new Set(lanes)) parts.nudge(lane);
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        if (tries === 0) logger.warn({ reason: error.reason, requestId }, 'prepared media wait for the store');
        await new Promise<void>((resolve) => clock.after(storeRetryMs, resolve));
      }
    }
  }

  function tracked<T>(call: Promise<T>): Promise<T> {
    const done = call.finally(() => storeCalls.delete(done));
    storeCalls.add(done);
    return done;
  }

  function setTimer(nextAt: number | null): void {
    cancelTimer();
    if (stopping !== null) return;
    const shortest = slots.size() > 0 ? busyLookMs : shortestWaitMs;
    const waitMs = nextAt === null ? longestWaitMs : Math.max(nextAt - clock.now(), shortest);
    const longest = store.place.isShared ? othersLookMs : longestWaitMs;
    cancelTimer = clock.after(Math.min(waitMs, longest), nudge);
  }

  function handle(error: unknown): void {
    if (error instanceof StoreUnavailable) {
      outage.failed(error);
      setTimer(clock.now() + busyLookMs);
    } else parts.broken(error);
  }

  async function finish(): Promise<void> {
    started = false;
    cancelTimer();
    let cancelWait = (): void => {};
    const waited = new Promise<void>((resolve) => {
      cancelWait = clock.after(stopWaitMs, resolve);
    });
    await Promise.race([Promise.all(tasks), waited]);
    cancelWait();
    closed = true;
    await Promise.allSettled(storeCalls);
  }

  return {
    start: () => {
      started = true;
      stopping = null;
      closed = false;
      nudge();
    },
    nudge,
    stop: () => {
      stopping ??= finish();
      return stopping;
    },
  };
}
