/**
 * The last known usual delay of each carrier's receipts. It is kept in the store, so that after a restart in the middle
 * of a silence it is still known how long receipts take.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { SystemStore } from '../../store/system/module.ts';

const settingName = 'usual_receipt_delays';
const keptMs = 7 * 86_400_000;
const writeEveryMs = 600_000;

export interface UsualDelays {
  /** Notes what was measured now; the last known delay of seven days. */
  lastKnown(carrierId: string, measuredMs: number | null): number | null;
  /** Rejects as the store does; so does `write`. */
  load(): Promise<void>;
  /** Every ten minutes at most. */
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
