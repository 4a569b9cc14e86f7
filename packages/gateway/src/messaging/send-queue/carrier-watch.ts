/**
 * Tracks which carriers cannot be reached, for the log and for readiness. A carrier that was never reached counts as
 * down.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { CarrierState } from '../../model/upkeep.ts';
import type { Lanes } from './lanes.ts';

const lookEveryMs = 5_000;
/** A link that comes up or flaps is not logged. */
const firstLineMs = 10_000;
/** Waits between the lines about a carrier that stays down; the last one repeats. */
const lineWaitsMs = [60_000, 10 * 60_000, 60 * 60_000];

export interface CarrierWatch {
  /** All enabled carriers. */
  states(): CarrierState[];
  start(): void;
  stop(): void;
}

interface Away {
  sinceMs: number;
  lines: number;
  nextLineMs: number;
}

export function createCarrierWatch(parts: {
  clock: Clock;
  logger: Logger;
  lanes: Pick<Lanes, 'status' | 'report' | 'isPaused'>;
}): CarrierWatch {
  const { clock, logger, lanes } = parts;
  const away = new Map<string, Away>();
  let cancel = (): void => {};

  function states(): CarrierState[] {
    return lanes.status().map(({ carrierId, up, binds }) => {
      const report = lanes.report(carrierId);
      const problem = binds.find(({ detail }) => detail !== null)?.detail ?? (up ? null : (report?.detail ?? null));
      return {
        carrierId,
        up,
        paused: lanes.isPaused(carrierId),
        since: report?.since ?? clock.now(),
        detail: problem?.slice(0, 300) ?? null,
      };
    });
  }

  function look(): void {
    const now = clock.monotonicMs();
    const down = states().filter(({ up, paused }) => !up && !paused);
    const ids = new Set(down.map(({ carrierId }) => carrierId));
    for (const [carrierId, { lines }] of away) {
      if (ids.has(carrierId)) continue;
      away.delete(carrierId);
      if (lines > 0) logger.warn({ carrier: carrierId }, 'a carrier that could not be reached is back, paused or gone');
    }
    for (const { carrierId, detail } of down) {
      const known = away.get(carrierId) ?? { sinceMs: now, lines: 0, nextLineMs: now + firstLineMs };
      away.set(carrierId, known);
      if (now < known.nextLineMs) continue;
      const downSeconds = Math.round((now - known.sinceMs) / 1_000);
      logger.warn({ carrier: carrierId, downSeconds, detail }, 'a carrier cannot be reached');
      known.nextLineMs = now + lineWaitsMs[Math.min(known.lines, lineWaitsMs.length - 1)]!;
      known.lines += 1;
    }
  }

  function again(): void {
    look();
    cancel = clock.after(lookEveryMs, again);
  }

  return { states, start: again, stop: () => cancel() };
}
