/**
 * Tracks whether an HTTP carrier is reachable: up while the last contact succeeded. Without traffic it probes by
 * opening a connection.
 */
import type { Clock, Random } from '../../kernel/clock.ts';

/** Time between two probes without other contact. */
const lookEveryMs = 30_000;
/** Wait after the first failure; each further one doubles it. */
const waitMs = 1_000;
const waitMsMax = 60_000;
/** The same for refused credentials, which a person must correct. */
const refusedWaitMs = 60_000;
const refusedWaitMsMax = 900_000;
/** Each wait varies by this share, so that gateways that failed together do not retry together. */
const jitterShare = 0.2;

export interface Mm7Link {
  start(): void;
  stop(): void;
  up(): boolean;
  /** Why it is down; null while it is up or untested. */
  detail(): string | null;
  /** The carrier answered a request properly. */
  worked(): void;
  /** No connection, or one that broke. */
  failed(detail: string): void;
  /** The carrier rejects our credentials: until an operator acts, sending is useless. */
  refused(detail: string): void;
}

export interface Mm7LinkParts {
  clock: Clock;
  random: Random;
  /** Opens and closes a connection; resolves with the problem, or null. */
  probe(): Promise<string | null>;
  changed(up: boolean, detail: string): void;
}

export function createMm7Link({ clock, random, probe, changed }: Mm7LinkParts): Mm7Link {
  let up: boolean | null = null;
  let detail: string | null = null;
  /** Failed probes in a row. */
  let missed = 0;
  /**
   * Requests in a row without a proper answer. A probe cannot reset it: an open port says nothing about the carrier
   * behind it.
   */
  let unanswered = 0;
  let cancelLook = (): void => {};
  /** Counts contacts, so that a slow probe does not override newer contacts. */
  let contacts = 0;
  let stopped = false;

  function lookIn(ms: number): void {
    cancelLook();
    if (!stopped) cancelLook = clock.after(ms * (1 + jitterShare * (2 * random.fraction() - 1)), () => void look());
  }

  async function look(): Promise<void> {
    const contactsBefore = contacts;
    const problem = await probe();
    if (stopped || contacts !== contactsBefore) return;
    if (problem !== null) return turn(false, problem, doubled(waitMs, missed++, waitMsMax));
    missed = 0;
    turn(true, null, lookEveryMs);
  }

  function turn(nowUp: boolean, why: string | null, nextLookMs: number): void {
    contacts++;
    const changes = up !== nowUp;
    up = nowUp;
    detail = why;
    lookIn(nextLookMs);
    if (changes && !stopped) changed(nowUp, why ?? 'reachable');
  }

  function fail(why: string, firstMs: number, mostMs: number): void {
    // When several requests break together, only the first counts.
    if (up) turn(false, why, doubled(firstMs, unanswered++, mostMs));
  }

  return {
    start: () => void look(),
    stop: () => {
      stopped = true;
      cancelLook();
    },
    up: () => up === true && !stopped,
    detail: () => detail,
    worked: () => {
      unanswered = 0;
      turn(true, null, lookEveryMs);
    },
    failed: (why) => fail(why, waitMs, waitMsMax),
    refused: (why) => fail(why, refusedWaitMs, refusedWaitMsMax),
  };
}

const doubled = (firstMs: number, times: number, mostMs: number): number => Math.min(mostMs, firstMs * 2 ** times);
