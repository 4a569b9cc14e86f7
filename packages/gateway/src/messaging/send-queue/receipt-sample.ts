/**
 * Samples how a carrier reports: for a few parts per second, whether and when the final receipt came. Bounded;
 * independent of matching, so a missed receipt only makes the figures less exact.
 */
import type { Clock } from '../../kernel/clock.ts';
import { carrierIdKey } from '../../model/carrier-id.ts';
import type { Receipt } from '../../model/delivery.ts';

export interface Reported {
  /** Parts examined: a sample of those taken a minute ago or longer. */
  looked: number;
  /** Share of these with a final receipt, 0 to 1. */
  share: number;
  /** Median milliseconds from acceptance of the part to its receipt; null when none came. */
  p50Ms: number | null;
}

/** The newest sampled parts, and the maximum per second: together some minutes at any speed. */
const sampleMax = 1_000;
const perSecondMax = 4;
/** A receipt after this time is late; a part younger than this is not missing its receipt yet. */
const settledAfterMs = 60_000;

interface Taken {
  key: string;
  at: number;
  receiptAt: number | null;
}

export interface ReceiptSample {
  taken(carrierMessageId: string): void;
  reported(receipt: Pick<Receipt, 'idKeys' | 'state'>): void;
  figures(): Reported | null;
}

/** `delayed` gets each wait for a final receipt, in milliseconds. */
export function createReceiptSample(
  clock: Pick<Clock, 'monotonicMs'>,
  delayed: (ms: number) => void = () => {},
): ReceiptSample {
  const ring: Taken[] = [];
  const open = new Map<string, Taken>();
  let next = 0;
  let second = 0;
  let inSecond = 0;

  return {
    taken: (carrierMessageId) => {
      const at = clock.monotonicMs();
      const now = Math.floor(at / 1_000);
      if (inSecond >= perSecondMax && now === second) return;
      const key = carrierIdKey(carrierMessageId);
      if (key === '') return;
      inSecond = now === second ? inSecond + 1 : 1;
      second = now;
      const dropped = ring[next];
      if (dropped !== undefined && open.get(dropped.key) === dropped) open.delete(dropped.key);
      const taken = { key, at, receiptAt: null };
      ring[next] = taken;
      next = (next + 1) % sampleMax;
      open.set(key, taken);
    },
    reported: ({ idKeys, state }) => {
      if (open.size === 0 || state === 'interim') return;
      for (const key of idKeys) {
        const taken = open.get(key);
        if (taken === undefined) continue;
        taken.receiptAt = clock.monotonicMs();
        open.delete(key);
        delayed(taken.receiptAt - taken.at);
        return;
      }
    },
    figures: () => {
      const until = clock.monotonicMs() - settledAfterMs;
      let looked = 0;
      const waits: number[] = [];
      for (const { at, receiptAt } of ring) {
        if (at > until) continue;
        looked++;
        if (receiptAt !== null) waits.push(receiptAt - at);
      }
      if (looked === 0) return null;
      const p50Ms = Float64Array.from(waits).sort()[Math.ceil(waits.length / 2) - 1] ?? null;
      return { looked, share: waits.length / looked, p50Ms };
    },
  };
}
