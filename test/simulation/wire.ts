/**
 * A connection between a process and a server: what is sent arrives later and in order, or never when the connection is cut
 * meanwhile. While the network is silent, nothing arrives, and neither end notices.
 */
import type { Chance } from './chance.ts';
import type { Scheduler } from './scheduler.ts';

/** How a network does; changed by faults. */
export interface Network {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  /** Of one message, ms. */
  latencyMs: { from: number; to: number };
  /** Nothing arrives before. */
  silentUntilMs: number;
}

export class Wire {
  readonly #network: Network;
  readonly #ways = { there: way(), back: way() };
  isOpen = true;

  constructor(network: Network) {
    this.#network = network;
  }

  /** `arrive` runs unless the wire is cut before. */
  send(where: 'there' | 'back', arrive: () => void): void {
    this.#ways[where].waiting.push(arrive);
    this.#arriveLater(this.#ways[where]);
  }

  #arriveLater(way: Way): void {
    const { scheduler, chance, latencyMs, silentUntilMs } = this.#network;
    const from = Math.max(scheduler.nowMs, silentUntilMs);
    way.lastMs = Math.max(way.lastMs, from + chance.between(latencyMs.from, latencyMs.to));
    scheduler.at(way.lastMs - scheduler.nowMs, () => {
      if (!this.isOpen) return;
      // Silent since it left.
      if (scheduler.nowMs < this.#network.silentUntilMs) this.#arriveLater(way);
      else way.waiting.shift()?.();
    });
  }

  cut(): void {
    this.isOpen = false;
  }
}

interface Way {
  /** On their way, in order. */
  waiting: (() => void)[];
  /** When the last of them arrives. */
  lastMs: number;
}

const way = (): Way => ({ waiting: [], lastMs: 0 });
