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

  /** While open, one attempt at a time may be made, not before `retryAtMs`. */
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

  /** `probe`: the attempt began while this was open. Those that were under way before do not count as signs of a longer outage. */
  failed(probe: boolean, nowMs: number): void {
    this.#failures++;
    if (!this.open) return;
    if (this.#pauseMs === 0) this.#pauseMs = firstPauseMs;
    else if (probe) this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
    else return;
    this.#retryAtMs = nowMs + this.#pauseMs;
  }

  /** A person asks for an attempt: do not let it wait. */
  tryNow(): void {
    this.#retryAtMs = 0;
  }
}

/** Below so many waiting rows the store is asked for more. */
const refillBelow = 256;
/** Attempts under way at one endpoint: at first and after a failure, and when all goes well. */
const windowMin = 32;
const windowMax = 256;

export interface Target {
  endpoint: Endpoint;
  /** Null when its sealed parts do not open. */
  destination: Destination | null;
  queue: EndpointQueue;
  breaker: Breaker;
  health: EndpointHealth;
  underWay: number;
  /** Attempts that may be under way while there are places for all. */
  window: number;
  /** No attempt before this (monotonic ms), because of limits of our own. */
  pausedUntilMs: number;
  /** When the earliest delivery that is not due yet falls due. */
  lookAt: EpochMs;
  /** Attempts wait until the store has taken what changes its state. */
  changing: boolean;
  /** It was given up: what the directory says of it counts from this version on; null when it was not. */
  givenUpUntil: number | null;
  removed: boolean;
  timer: { atMs: number; cancel(): void } | null;
}

export interface Start {
  health: EndpointHealth | undefined;
  /** Nothing of it is due in the store before `lookAt`. */
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

/** Slow start: each good answer allows one more concurrent attempt; a failure resets. */
export function nextWindow(window: number, success: boolean): number {
  return success ? Math.min(window + 1, windowMax) : windowMin;
}

/** `share`: attempts that may be under way when nothing is wrong. */
export function mayAttempt(target: Target, nowMs: number, share: number): boolean {
  const { breaker, underWay } = target;
  if (target.queue.size === 0 || !isActive(target) || nowMs < target.pausedUntilMs) return false;
  return breaker.open ? underWay === 0 && nowMs >= breaker.retryAtMs : underWay < share;
}

/** Whether the store is to be asked for more of its deliveries. Of a failing endpoint one is enough, when its turn comes. */
export function needsLook(target: Target, nowMs: number): boolean {
  const { queue, breaker, underWay } = target;
  if (queue.complete || queue.looking || !isActive(target)) return false;
  if (breaker.open) return queue.size === 0 && underWay === 0 && nowMs >= breaker.retryAtMs;
  // An endpoint with loaded deliveries may not displace others; one without may.
  return queue.size === 0 || (queue.size < refillBelow && queue.room > 0);
}

/** Milliseconds until something can happen without an event from outside; Infinity for never. */
export function waitMs(target: Target, now: EpochMs, nowMs: number): number {
  if (!isActive(target)) return Number.POSITIVE_INFINITY;
  const { queue, breaker, underWay, pausedUntilMs, lookAt } = target;
  const waits = [lookAt - now];
  if (queue.size > 0 && pausedUntilMs > nowMs) waits.push(pausedUntilMs - nowMs);
  const hasWork = queue.size > 0 || !queue.complete;
  if (hasWork && breaker.open && underWay === 0 && !queue.looking) waits.push(breaker.retryAtMs - nowMs);
  return Math.max(Math.min(...waits), 0);
}
