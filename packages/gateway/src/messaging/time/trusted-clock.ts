/**
 * The clock the gateway lives by. It follows the machine's wall clock as long as that goes as fast as the monotonic one;
 * when it jumps, time goes on as before, until the clock comes back or an operator says that it is right. So no jump
 * expires what waits, or stops it. At the start, where there is nothing to go by, the newest event on record is.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';

/** A step of the wall clock up to this is followed without a word. */
export const jumpMs = 5 * 60_000;
/** A start so long after the newest event may be a clock that jumped, or a gateway that was idle. */
export const gapMs = 12 * 3_600_000;
/** After such a start nothing expires for so long, while the clock goes steadily. */
export const gapHoldMs = 10 * 60_000;
/** The wall clock is looked at so often, whether or not anybody asks for the time; and a doubt is logged so often. */
const watchEveryMs = 1_000;
const sayAgainMs = 10 * 60_000;
/** For so long after a comparison with the monotonic clock, the wall clock is taken as it is: the time is asked for with every text. */
const believedMs = 500;

/** Why the machine's clock is not believed. */
export interface ClockDoubt {
  /** `forward`, `back`: it jumped while the gateway ran, or stood before the newest event when it started. `gap`: long after it. */
  kind: 'forward' | 'back' | 'gap';
  /** How far it is off, for `gap` how long nothing happened. Never negative. */
  byMs: number;
}

export interface TrustedClock extends Clock {
  /** Once, when the store is open and before anything is sent. Null = nothing is on record. */
  compare(newestAt: EpochMs | null): void;
  /** Null while the machine's clock is believed. */
  doubt(): ClockDoubt | null;
  /** One sentence for people; null without a doubt. */
  says(): string | null;
  /** An operator says that the machine's clock is right. False when nothing was in doubt. */
  confirm(): boolean;
  /** Begins to look by itself; the returned function ends that. */
  watch(): () => void;
}

export function createTrustedClock(machine: Clock, logger: Logger): TrustedClock {
  /** The time that is believed, and the monotonic one at that moment. */
  let base = { at: machine.now(), monotonicMs: machine.monotonicMs() };
  let doubt: ClockDoubt | null = null;
  let gapEndsMs = 0;
  let saidMs = 0;

  const steady = (): EpochMs => Math.round(base.at + machine.monotonicMs() - base.monotonicMs);
  const follow = (at: EpochMs): void => {
    base = { at, monotonicMs: machine.monotonicMs() };
  };

  function begin(kind: ClockDoubt['kind'], byMs: number): void {
    doubt = { kind, byMs };
    say();
  }

  function say(): void {
    saidMs = machine.monotonicMs();
    logger.error({ clock: doubt?.kind, byMs: doubt?.byMs }, says() ?? '');
  }

  function end(why: string): void {
    logger.warn({ clock: doubt?.kind, byMs: doubt?.byMs }, `the clock is believed again: ${why}`);
    doubt = null;
  }

  function says(): string | null {
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

  /** The time that is believed, after a comparison of the two clocks. */
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
    says,
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
        if (doubt !== null && machine.monotonicMs() - saidMs >= sayAgainMs) say();
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
