/**
 * The last known usual delay of each carrier's receipts, kept in the store, so that it is still known after a restart
 * during a silence.
 */
import { type Clock, dayMs, type EpochMs } from '../../kernel/clock.ts';
import type { SystemStore } from '../../store/system/module.ts';

const settingName = 'usual_receipt_delays';
const keptMs = 7 * dayMs;
const writeEveryMs = 600_000;

export interface UsualDelays {
  /** Records the present value; returns the last known delay of the past seven days. */
  lastKnown(carrierId: string, measuredMs: number | null): number | null;
  /** Rejects when the store does; so does `write`. */
  load(): Promise<void>;
  /** Writes every ten minutes at most. */
  write(): Promise<void>;
}

export function createUsualDelays(parts: {
  clock: Pick<Clock, 'now' | 'monotonicMs'>;
  store: Pick<SystemStore, 'getSetting' | 'putSetting'>;
}): UsualDelays {
  const { clock, store } = parts;
  let known = new Map<string, { ms: number; at: EpochMs }>();
  let writtenMs = Number.NEGATIVE_INFINITY;

  const kept = () => [...known].filter(([, { at }]) => clock.now() - at < keptMs);

  return {
    lastKnown: (carrierId, measuredMs) => {
      if (measuredMs !== null) known.set(carrierId, { ms: Math.round(measuredMs), at: clock.now() });
      const last = known.get(carrierId);
      return last === undefined || clock.now() - last.at >= keptMs ? null : last.ms;
    },
    load: async () => {
      known = new Map(Object.entries(JSON.parse((await store.getSetting(settingName)) ?? '{}')));
      writtenMs = clock.monotonicMs();
    },
    write: async () => {
      if (clock.monotonicMs() - writtenMs < writeEveryMs) return;
      writtenMs = clock.monotonicMs();
      known = new Map(kept());
      await store.putSetting(settingName, JSON.stringify(Object.fromEntries(known)));
    },
  };
}
