/**
 * Several cells that lend each other the rate of one carrier, in one process and in a time of their own: messages between them are
 * lost or late, gateways stand still or are killed, and each has a clock of its own. The carrier notes when each message came.
 */
import { dice } from '../../../../../test/props/chance.ts';
import { createPace, type Pace } from '../../carriers/pace.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { CarrierRecord } from '../../model/records.ts';
import { createRateLending, type OpenShare, type RateLending } from './rate-lending.ts';

export const carrierId = 'c1';

export const recordOf = (messagesPerSecond: number, lendRate = true): CarrierRecord =>
  ({ carrierId, kind: 'smpp', smpp: { messagesPerSecond, lendRate } }) as unknown as CarrierRecord;

/** The most that a cell has saved up when it begins. */
const burstOf = (own: number): number => Math.max(1, own * 0.05);

export interface Faults {
  /** In [0, 1): of questions and answers between cells that are lost. */
  lost: number;
  /** The most that a question or an answer takes. */
  delayMs: number;
  /** In [0, 1): whether something happens to a gateway in a second. */
  paused: number;
  killed: number;
}

export const noFaults: Faults = { lost: 0, delayMs: 5, paused: 0, killed: 0 };

interface Gateway {
  lending: RateLending;
  share: OpenShare;
  pace: Pace;
  clock: Clock;
  isDead: boolean;
  /** It stands still, and what it would do waits. */
  waiting: (() => void)[] | null;
}

export interface SimulatedCells {
  /** How many messages wait in each cell; Infinity = always more. */
  readonly waiting: number[];
  readonly faults: Faults;
  /** When the carrier got a message, and from which cell. */
  readonly wire: readonly { atMs: number; cell: number }[];
  /** Moments in which all gateways together might have sent more than the sum of their shares. */
  readonly excesses: readonly string[];
  perSecond(cell: number): number;
  kill(cell: number, forMs: number): void;
  pause(cell: number, forMs: number): void;
  pass(ms: number): Promise<void>;
  /** The most messages in any second, less what the cells may have saved up before. */
  most(): number;
}

const stepMs = 10;

export function simulateCells(owns: readonly number[], seed = 1, given: Partial<Faults> = {}): SimulatedCells {
  const random = dice(seed);
  const faults = { ...noFaults, ...given };
  const names = owns.map((_, cell) => `cell${cell}`);
  const sum = owns.reduce((total, own) => total + own, 0);
  const waiting = owns.map(() => 0);
  const wire: { atMs: number; cell: number }[] = [];
  const starts: number[] = [];
  const excesses: string[] = [];
  let nowMs = 0;
  let events: { atMs: number; run: () => void }[] = [];
  const at = (atMs: number, run: () => void): { atMs: number; run: () => void } => {
    const event = { atMs, run };
    events.push(event);
    return event;
  };
  const gateways = owns.map((_, cell) => start(cell));

  /** Runs when the gateway is alive and does not stand still. */
  function within(gateway: Gateway, run: () => void): void {
    if (gateway.isDead) return;
    if (gateway.waiting !== null) gateway.waiting.push(run);
    else run();
  }

  function start(cell: number): Gateway {
    const offsetMs = random() * 1e9;
    const speed = 0.98 + random() * 0.04;
    const clock: Clock = {
      now: () => 0,
      monotonicMs: () => offsetMs + nowMs * speed,
      after: (delayMs, run) => {
        const event = at(nowMs + delayMs / speed, () => within(gateway, run));
        return () => {
          events = events.filter((one) => one !== event);
        };
      },
    };
    const lending = createRateLending({
      clock,
      others: [...names.slice(cell + 1), ...names.slice(0, cell)],
      isUp: () => true,
      mayHandOver: () => true,
      ask: (to, carrier, wanted) =>
        new Promise((resolve, reject) => {
          // Nobody waits longer than this, however late the answer.
          clock.after(5_000, () => reject(new Error('no answer')));
          carry(() => {
            const lender = gateways[names.indexOf(to)]!;
            within(lender, () => {
              const loan = lender.lending.lend(names[cell]!, carrier, wanted);
              carry(() => within(gateway, () => resolve(loan)));
            });
          });
        }),
    });
    const share = lending.open(recordOf(owns[cell]!))!;
    const pace = createPace(owns[cell]!, clock.monotonicMs(), share);
    const gateway: Gateway = { lending, share, pace, clock, isDead: false, waiting: null };
    lending.start();
    starts.push(nowMs);
    return gateway;
  }

  function carry(arrive: () => void): void {
    if (random() >= faults.lost) at(nowMs + random() * faults.delayMs, arrive);
  }

  function kill(cell: number, forMs: number): void {
    gateways[cell]!.isDead = true;
    at(nowMs + forMs, () => {
      gateways[cell] = start(cell);
    });
  }

  function pause(cell: number, forMs: number): void {
    const gateway = gateways[cell]!;
    if (gateway.isDead || gateway.waiting !== null) return;
    const held: (() => void)[] = [];
    gateway.waiting = held;
    at(nowMs + forMs, () => {
      gateway.waiting = null;
      for (const run of held) within(gateway, run);
    });
  }

  function mishaps(): void {
    for (const cell of owns.keys()) {
      if (random() < faults.killed / (1_000 / stepMs) && !gateways[cell]!.isDead) kill(cell, random() * 3_000);
      if (random() < faults.paused / (1_000 / stepMs)) pause(cell, random() * 6_000);
    }
  }

  function sendAll(): void {
    const running = gateways.filter(({ isDead, waiting: held }) => !isDead && held === null);
    const allowed = running.reduce((total, { share, clock }) => total + share.perSecond(clock.monotonicMs()), 0);
    if (allowed > sum) excesses.push(`${allowed} of ${sum} at ${nowMs}`);
    for (const [cell, gateway] of gateways.entries()) {
      within(gateway, () => {
        while (waiting[cell]! >= 1 && gateway.pace.left(gateway.clock.monotonicMs()) >= 1) {
          gateway.pace.took(gateway.clock.monotonicMs());
          waiting[cell]!--;
          wire.push({ atMs: nowMs, cell });
        }
      });
    }
  }

  async function pass(ms: number): Promise<void> {
    const endMs = nowMs + ms;
    while (nowMs < endMs) {
      const stepEndMs = nowMs + stepMs;
      mishaps();
      for (;;) {
        const next = events.reduce<(typeof events)[number] | null>(
          (first, one) => (one.atMs <= stepEndMs && (first === null || one.atMs < first.atMs) ? one : first),
          null,
        );
        if (next === null) break;
        events.splice(events.indexOf(next), 1);
        nowMs = Math.max(nowMs, next.atMs);
        next.run();
        // What the event resolved goes on before the next one.
        for (let i = 0; i < 8; i++) await null;
      }
      nowMs = stepEndMs;
      sendAll();
    }
  }

  function most(): number {
    // Each start has a bucket of its own, full.
    const saved = owns.reduce((total, own) => total + burstOf(own) + 1, 0);
    let from = 0;
    let found = 0;
    for (const [place, { atMs }] of wire.entries()) {
      while (atMs - wire[from]!.atMs > 1_000) from++;
      const begun = starts.filter(
        (startMs) => startMs > 0 && startMs >= wire[from]!.atMs - stepMs && startMs <= atMs,
      ).length;
      found = Math.max(found, place - from + 1 - saved - begun * burstOf(Math.max(...owns)));
    }
    return found;
  }

  return {
    waiting,
    faults,
    wire,
    excesses,
    perSecond: (cell) => gateways[cell]!.share.perSecond(gateways[cell]!.clock.monotonicMs()),
    kill,
    pause,
    pass,
    most,
  };
}
