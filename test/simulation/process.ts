/**
 * A process of the simulation: what reaches it (timers, data) runs only while it does. Stopped by SIGSTOP it keeps
 * everything for later; killed it never hears of anything again, and nothing leaves it.
 */
import type { Clock, Timers } from '../../packages/gateway/src/kernel/clock.ts';
import { t0 } from '../props/clock.ts';
import type { Scheduler } from './scheduler.ts';

export interface ClockFaults {
  /** Of the wall clock, ms. */
  skewMs: number;
  /** How much faster it runs than time. */
  drift: number;
}

export class Process {
  readonly clock: Clock;
  readonly timers: Timers;
  isDead = false;
  isPaused = false;
  /** Timers are looked at first after a SIGCONT, then sockets. */
  #due: (() => void)[] = [];
  #arrived: (() => void)[] = [];
  #ends: (() => void)[] = [];
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler, { skewMs, drift }: ClockFaults) {
    this.#scheduler = scheduler;
    const after = (delayMs: number, run: () => void) => this.#after(delayMs / (1 + drift), run);
    this.timers = { after };
    this.clock = {
      now: () => Math.floor(t0 + skewMs + scheduler.nowMs * (1 + drift)),
      monotonicMs: () => scheduler.nowMs * (1 + drift),
      after,
    };
  }

  get runs(): boolean {
    return !this.isDead && !this.isPaused;
  }

  /** Something came from outside. */
  deliver(run: () => void): void {
    if (this.isDead) return;
    if (this.isPaused) this.#arrived.push(run);
    else run();
  }

  #after(delayMs: number, run: () => void): () => void {
    let isCancelled = false;
    const fire = (): void => {
      if (!isCancelled && !this.isDead) run();
    };
    const cancel = this.#scheduler.at(delayMs, () => {
      if (this.isPaused) this.#due.push(fire);
      else fire();
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  pause(): void {
    this.isPaused = true;
  }

  goOn(): void {
    this.isPaused = false;
    const waiting = [...this.#due, ...this.#arrived];
    this.#due = [];
    this.#arrived = [];
    for (const run of waiting) this.#scheduler.at(0, () => this.deliver(run));
  }

  onEnd(run: () => void): void {
    this.#ends.push(run);
  }

  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const run of this.#ends) run();
    this.#ends = [];
    this.#due = [];
    this.#arrived = [];
  }
}
