/**
 * Sends the traces of ended messages, page by page of the event log. Its position is a setting of the store: a page
 * counts only once the collector has accepted it, so that none is missing after a restart, and a few may be sent twice.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { SystemStore } from '../../store/system/module.ts';
import type { EndedMessage, TraceStore } from './store/module.ts';

const markName = 'traces.exported_to';
/** Positions read at one time. */
const pageMax = 5_000;
const lookEveryMs = 5_000;
const restMs = 20;
/** Wait after the collector was unreachable. */
const retryMs = 30_000;

/** `refused`: it will never accept these. */
export type Exported = 'taken' | 'refused' | 'unreachable';

export interface TraceFollowerParts {
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  store: Pick<TraceStore, 'endedAfter'> &
    Pick<SystemStore, 'getSetting' | 'putSetting'> &
    Pick<EventStore, 'eventPosition'>;
  /** Share of the messages without a caller's trace, 0 to 1. */
  share: number;
  send(messages: readonly EndedMessage[]): Promise<{ kind: Exported; why: string }>;
  broken(error: unknown): void;
}

export interface TraceFollower {
  /** Continues where the last run stopped; the first run begins with new events. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createTraceFollower({ clock, logger, store, share, send, broken }: TraceFollowerParts): TraceFollower {
  let mark = 0;
  let stopped = false;
  let isAway = false;
  let cancel: () => void = () => {};
  let round = Promise.resolve();

  /** Returns the wait until the next look, in ms. */
  async function sendPage(): Promise<number> {
    const { ended, position } = await store.endedAfter({ after: mark, limit: pageMax, share });
    if (position === mark) return lookEveryMs;
    if (ended.length > 0) {
      const { kind, why } = await send(ended);
      if (kind === 'unreachable') {
        if (!isAway) logger.warn({ why }, 'the collector of traces does not answer; they wait');
        isAway = true;
        return retryMs;
      }
      if (kind === 'refused')
        logger.warn({ why, traces: ended.length }, 'the collector of traces refused some; they are left out');
      else if (isAway) logger.info({}, 'the collector of traces answers again');
      isAway = false;
    }
    const isBehind = position - mark >= pageMax;
    mark = position;
    await store.putSetting(markName, String(mark));
    return isBehind ? restMs : lookEveryMs;
  }

  async function look(): Promise<void> {
    let nextMs = lookEveryMs;
    try {
      nextMs = await sendPage();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) broken(error);
    }
    if (!stopped) after(nextMs);
  }

  function after(ms: number): void {
    cancel = clock.after(ms, () => {
      round = look();
    });
  }

  return {
    start: async () => {
      const stored = await store.getSetting(markName);
      if (stored !== null) mark = Number(stored);
      else mark = (await store.eventPosition({ accountId: '', eventId: 'latest' })) ?? 0;
      after(lookEveryMs);
    },
    stop: async () => {
      stopped = true;
      cancel();
      await round;
    },
  };
}
