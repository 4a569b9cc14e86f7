/**
 * Time-based work: what the last run left in `sending` becomes uncertain, messages past their validity expire, those
 * uncertain for too long are sent again or held, queues of dead carriers move on, old webhooks
 * are deleted. In bounded steps, on a timer.
 */
import { type Clock, dayMs, type EpochMs } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { createOutage } from '../../kernel/outage.ts';
import { pacedLook } from '../../kernel/paced-look.ts';
import type { Directory } from '../../model/directory.ts';
import type { StoreBase } from '../../store/create-store.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { Lanes } from '../send-queue/lanes.ts';
import type { MessageStore } from '../store/modules/messages.ts';
import type { TrustedClock } from './trusted-clock.ts';

const sweepMax = 500;
const recoverMax = 1_000;
const sweepEveryMs = 1_000;
const failoverEveryMs = 2_000;
const forgetEveryMs = 60_000;
const forgetMax = 500;
const webhooksKeptMs = 30 * dayMs;
const unmatchedReceiptsKeptMs = dayMs;
const incompletePartsKeptMs = 10 * 60_000;

export interface Sweeper {
  /** Makes uncertain what an earlier run left in `sending`; call once before any lane starts. Returns how many. */
  recover(): Promise<number>;
  /** May be called again after a stop. */
  start(): void;
  /** One round of everything due, for tests and for a moved clock. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

export interface SweeperParts {
  clock: Clock;
  logger: Logger;
  store: Pick<MessageStore, 'recover' | 'sweep' | 'workingLanes'> &
    Pick<StoreBase, 'token'> & {
      /** Deletes what endpoints were notified of before; true while there is more. */
      forgetWebhooks(request: { before: EpochMs; limit: number }): Promise<boolean>;
    };
  directory(): Directory;
  lanes: Pick<Lanes, 'nudgeAll' | 'failOver'>;
  uncertainWaitMs: number;
  /** Why the machine's clock is not trusted; null = it is. */
  doubt?: TrustedClock['doubt'];
  /** Reports a permanent fault. */
  broken(error: unknown): void;
}

export function createSweeper(parts: SweeperParts): Sweeper {
  const { clock, store } = parts;
  // While somebody holds a snapshot, PostgreSQL reads past every delivery that has left its state.
  const workingLanes = pacedLook(clock, () => store.workingLanes());
  const cancels = new Map<string, () => void>();
  let stopped = false;
  let round: Promise<void> = Promise.resolve();
  /** Work that waits for its turn: while the store is away, the timers go on. */
  const waiting = new Set<() => Promise<void>>();
  const outage = createOutage<StoreUnavailable>(({ reason }) =>
    parts.logger.warn({ reason }, 'the sweep waits for the store'),
  );

  function every(name: string, ms: number, run: () => void): void {
    const again = (): void => {
      if (stopped) return;
      cancels.set(name, clock.after(ms, again));
      run();
    };
    cancels.set(name, clock.after(ms, again));
  }

  /** After a start long after the newest event, messages may look expired only because of the clock. */
  const expiryHeld = (): boolean => parts.doubt?.()?.kind === 'gap';

  async function sweep(): Promise<void> {
    if (expiryHeld()) return;
    const lanes = await workingLanes();
    for (let more = true; more && !stopped; ) {
      const now = clock.now();
      const result = await store.sweep({
        now,
        limit: sweepMax,
        holdAccountIds: [...parts.directory().holdAccountIds],
        repeats: parts.directory().repeatRules(),
        unmatchedReceiptsBefore: now - unmatchedReceiptsKeptMs,
        incompletePartsBefore: now - incompletePartsKeptMs,
        lanes,
      });
      more = result.more;
      if (result.moves.length > 0) parts.lanes.nudgeAll();
    }
    outage.over();
  }

  async function forget(): Promise<void> {
    if (expiryHeld()) return;
    const before = clock.now() - webhooksKeptMs;
    while (!stopped && (await store.forgetWebhooks({ before, limit: forgetMax })));
  }

  function inTurn(work: () => Promise<void>): void {
    if (waiting.has(work)) return;
    waiting.add(work);
    const turn = async (): Promise<void> => {
      waiting.delete(work);
      if (!stopped) await work();
    };
    round = round.then(turn).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) outage.failed(error);
      else parts.broken(error);
    });
  }

  return {
    recover: async () => {
      let total = 0;
      for (;;) {
        const now = clock.now();
        const moves = await store.recover({
          token: store.token,
          now,
          dueAt: now + parts.uncertainWaitMs,
          limit: recoverMax,
        });
        total += moves.filter(({ state }) => state === 'uncertain').length;
        if (moves.length < recoverMax) return total;
      }
    },
    start: () => {
      stopped = false;
      every('sweep', sweepEveryMs, () => inTurn(sweep));
      every('failover', failoverEveryMs, () => inTurn(parts.lanes.failOver));
      every('forget', forgetEveryMs, () => inTurn(forget));
    },
    sweep,
    stop: async () => {
      stopped = true;
      for (const cancel of cancels.values()) cancel();
      await round;
    },
  };
}
