/**
 * The dispatcher's state of one endpoint: record, queue, health, next look, and a circuit breaker (one attempt at a
 * time with growing pauses while it only fails). Times are monotonic milliseconds.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { EndpointHealth } from '../../../messaging/store/items.ts';
import type { Endpoint } from '../../../model/records.ts';
import type { Destination } from './destination.ts';
import { EndpointQueue, type Places } from './endpoint-queue.ts';

const failuresMax = 5;

const firstPauseMs = 1_000;

const pauseMsMax = 60_000;

class Breaker {
  #failures = 0;
  #pauseMs = 0;
  #retryAtMs = 0;

  /** While open, it allows one attempt at a time, not before `retryAtMs`. */
  get open(): boolean {
    return this.#failures >= failuresMax;
  }

  get retryAtMs(): number {
    return this.#retryAtMs;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#pauseMs = 0;
    this.#retryAtMs = 0;
  }

  /**
   * `probe`: the attempt began while this was open. Attempts that were already under way do not count as signs of a
   * longer outage.
   */
  failed(probe: boolean, nowMs: number): void {
    this.#failures++;
    if (!this.open) return;
    if (this.#pauseMs === 0) this.#pauseMs = firstPauseMs;
    else if (probe) this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
    else return;
    this.#retryAtMs = nowMs + this.#pauseMs;
  }

  /** A person requested an attempt: do not make it wait. */
  tryNow(): void {
    this.#retryAtMs = 0;
  }
}

/** With fewer waiting rows, more are read from the store. */
const refillBelow = 256;
/** Concurrent attempts at one endpoint: at first and after a failure, and at most. */
const windowMin = 32;
const windowMax = 256;

export interface Target {
  endpoint: Endpoint;
  /** Null when its sealed parts cannot be opened. */
  destination: Destination | null;
  queue: EndpointQueue;
  breaker: Breaker;
  health: EndpointHealth;
  underWay: number;
  /** Concurrent attempts allowed while there are places for all. */
  window: number;
  /** No attempt before this (monotonic ms), because of our own limits. */
  pausedUntilMs: number;
  /** When the earliest delivery that is not yet due becomes due. */
  lookAt: EpochMs;
  /** Attempts wait until the store has accepted a change of its state. */
  changing: boolean;
  /** It was given up: the directory's record counts again from this version on; null otherwise. */
  givenUpUntil: number | null;
  removed: boolean;
  timer: { atMs: number; cancel(): void } | null;
}

export interface Start {
  health: EndpointHealth | undefined;
  /** None of its deliveries is due in the store before `lookAt`. */
  complete: boolean;
  lookAt: EpochMs;
}

export function createTarget(endpoint: Endpoint, places: Places, { health, complete, lookAt }: Start): Target {
  const { endpointId } = endpoint;
  return {
    endpoint,
    destination: null,
    queue: new EndpointQueue(places, complete),
    breaker: new Breaker(),
    health: health ?? { endpointId, failingSince: null, lastSuccessAt: null },
    underWay: 0,
    window: windowMin,
    pausedUntilMs: 0,
    lookAt,
    changing: false,
    givenUpUntil: null,
    removed: false,
    timer: null,
  };
}

/** Whether attempts may be made at all. */
export function isActive({ endpoint, changing, givenUpUntil, removed }: Target): boolean {
  return endpoint.disabled === null && !changing && givenUpUntil === null && !removed;
}

/** Slow start: each success allows one more concurrent attempt; a failure resets. */
export function nextWindow(window: number, success: boolean): number {
  return success ? Math.min(window + 1, windowMax) : windowMin;
}

/** `share`: concurrent attempts allowed in normal operation. */
export function mayAttempt(target: Target, nowMs: number, share: number): boolean {
  const { breaker, underWay } = target;
  if (target.queue.size === 0 || !isActive(target) || nowMs < target.pausedUntilMs) return false;
  return breaker.open ? underWay === 0 && nowMs >= breaker.retryAtMs : underWay < share;
}

/** Whether to read more of its deliveries from the store. For a failing endpoint one is enough, when its turn comes. */
export function needsLook(target: Target, nowMs: number): boolean {
  const { queue, breaker, underWay } = target;
  if (queue.complete || queue.looking || !isActive(target)) return false;
  if (breaker.open) return queue.size === 0 && underWay === 0 && nowMs >= breaker.retryAtMs;
  // An endpoint with loaded deliveries may not displace others; one without any may.
  return queue.size === 0 || (queue.size < refillBelow && queue.freeSlots > 0);
}

/** Milliseconds until something can happen without an outside event; Infinity for never. */
export function waitMs(target: Target, now: EpochMs, nowMs: number): number {
  if (!isActive(target)) return Number.POSITIVE_INFINITY;
  const { queue, breaker, underWay, pausedUntilMs, lookAt } = target;
  const waits = [lookAt - now];
  if (queue.size > 0 && pausedUntilMs > nowMs) waits.push(pausedUntilMs - nowMs);
  const hasWork = queue.size > 0 || !queue.complete;
  if (hasWork && breaker.open && underWay === 0 && !queue.looking) waits.push(breaker.retryAtMs - nowMs);
  return Math.max(Math.min(...waits), 0);
}
