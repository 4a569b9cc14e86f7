/** Chance of a simulation: everything comes from the seed, in streams that do not disturb each other. */
import type { Random } from '../../packages/gateway/src/kernel/clock.ts';

export class Chance {
  #state: number;

  constructor(seed: number, stream: string) {
    let mixed = seed ^ 0x9e3779b9;
    for (const character of stream) mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x01000193);
    this.#state = mixed >>> 0;
  }

  /** Uniform in [0, 1): mulberry32. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(from: number, to: number): number {
    return from + this.fraction() * (to - from);
  }

  whole(from: number, to: number): number {
    return Math.floor(this.between(from, to + 1));
  }

  happens(share: number): boolean {
    return this.fraction() < share;
  }

  one<T>(of: readonly T[]): T {
    return of[Math.floor(this.fraction() * of.length)]!;
  }
}

export function randomOf(chance: Chance): Random {
  return {
    fraction: () => chance.fraction(),
    bytes: (count) => Uint8Array.from({ length: count }, () => chance.whole(0, 255)),
  };
}
