/**
 * The gateway's clock. It follows the machine's wall clock as long as that runs as fast as the monotonic one; when the
 * wall clock jumps, time continues unchanged until the clock returns or an operator confirms it. So a jump neither
 * expires nor stops waiting messages. At start the newest event on record is the reference.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';

/** A step of the wall clock up to this is followed silently. */
export const jumpMs = 5 * 60_000;
/** A start this long after the newest event: the clock may have jumped, or the gateway was off. */
export const gapMs = 12 * 3_600_000;
/** After such a start nothing expires for this long, if the clock is steady. */
export const gapHoldMs = 10 * 60_000;
/** How often the wall clock is checked, whether or not the time is queried; and how often a doubt is logged. */
const watchEveryMs = 1_000;
const logAgainMs = 10 * 60_000;
/**
 * How long after a comparison with the monotonic clock the wall clock is trusted, because every text needs the time.
 */
const believedMs = 500;

/** Why the machine's clock is not trusted. */
export interface ClockDoubt {
  /**
   * `forward`, `back`: it jumped while the gateway ran, or was before the newest event at the start. `gap`: it was long
   * after it.
   */
  kind: 'forward' | 'back' | 'gap';
  /** How far it is off; for `gap` the time without events. Never negative. */
  byMs: number;
}

export interface TrustedClock extends Clock {
  /** Call once, when the store is open and before anything is sent. Null = no event is recorded. */
  compare(newestAt: EpochMs | null): void;
  /** Null while the machine's clock is trusted. */
  doubt(): ClockDoubt | null;
  /** One sentence for people; null without a doubt. */
  warning(): string | null;
  /** An operator confirms the machine's clock. False if there was no doubt. */
  confirm(): boolean;
  /** Starts periodic checks; the returned function stops them. */
  watch(): () => void;
}

export function createTrustedClock(machine: Clock, logger: Logger): TrustedClock {
  /** The trusted time, and the monotonic time at that moment. */
  let base = { at: machine.now(), monotonicMs: machine.monotonicMs() };
  let doubt: ClockDoubt | null = null;
  let gapEndsMs = 0;
  let loggedMs = 0;

  const steady = (): EpochMs => Math.round(base.at + machine.monotonicMs() - base.monotonicMs);
  const follow = (at: EpochMs): void => {
    base = { at, monotonicMs: machine.monotonicMs() };
  };

  function begin(kind: ClockDoubt['kind'], byMs: number): void {
    doubt = { kind, byMs };
    log();
  }

  function log(): void {
    loggedMs = machine.monotonicMs();
    logger.error({ clock: doubt?.kind, byMs: doubt?.byMs }, warning() ?? '');
  }

  function end(why: string): void {
    logger.warn({ clock: doubt?.kind, byMs: doubt?.byMs }, `the clock is believed again: ${why}`);
    doubt = null;
  }

  function warning(): string | null {
    if (doubt === null) return null;
    const by = spanText(doubt.byMs);
    switch (doubt.kind) {
      case 'forward':
        return `The machine's clock jumped forward by ${by}. The gateway keeps its own time, and the jump expires nothing. Set the clock right, or confirm that it is right.`;
      case 'back':
        return `The machine's clock is ${by} behind the newest event on record, or jumped back. The gateway keeps its own time, so messages are still sent. Set the clock right, or confirm that it is right.`;
      case 'gap':
        return `The newest event on record is ${by} old: the gateway was idle, or the clock jumped. Nothing expires for ${spanText(gapHoldMs)} after the start, unless you confirm that the clock is right.`;
    }
  }

  function now(): EpochMs {
    const wall = machine.now();
    return doubt === null && wall >= base.at && wall < base.at + believedMs ? wall : compared(wall);
  }

  /** The trusted time, after a comparison of the two clocks. */
  function compared(wall: EpochMs): EpochMs {
    const expected = steady();
    const offMs = wall - expected;
    if (Math.abs(offMs) <= jumpMs) {
      if (doubt !== null && doubt.kind !== 'gap') end('it agrees with the gateway again');
      follow(wall);
    } else if (doubt === null || doubt.kind === 'gap') begin(offMs > 0 ? 'forward' : 'back', Math.abs(offMs));
    if (doubt?.kind === 'gap' && machine.monotonicMs() >= gapEndsMs) end('it went steadily since the start');
    return doubt === null || doubt.kind === 'gap' ? wall : expected;
  }

  return {
    now,
    monotonicMs: machine.monotonicMs,
    after: machine.after,
    compare: (newestAt) => {
      const wall = compared(machine.now());
      if (newestAt === null || doubt !== null) return;
      if (newestAt - wall > jumpMs) {
        follow(newestAt);
        begin('back', newestAt - wall);
      } else if (wall - newestAt > gapMs) {
        gapEndsMs = machine.monotonicMs() + gapHoldMs;
        begin('gap', wall - newestAt);
      }
    },
    doubt: () => {
      compared(machine.now());
      return doubt;
    },
    warning,
    confirm: () => {
      compared(machine.now());
      if (doubt === null) return false;
      follow(machine.now());
      end('an operator confirmed it');
      return true;
    },
    watch: () => {
      let cancel = (): void => {};
      const look = (): void => {
        cancel = machine.after(watchEveryMs, look);
        compared(machine.now());
        if (doubt !== null && machine.monotonicMs() - loggedMs >= logAgainMs) log();
      };
      look();
      return () => cancel();
    },
  };
}

function spanText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
