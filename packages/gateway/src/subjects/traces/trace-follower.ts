/**
 * Sends the traces of messages that have ended, page by page of the event log. How far it came is a setting of the store: a
 * page counts only when the collector has taken it, so that none is missing after a restart, and a few may come twice.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { SystemStore } from '../../store/system/module.ts';
import type { EndedMessage, TraceStore } from './store/module.ts';

const markName = 'traces.exported_to';
/** Places of the log in one look. */
const pageMax = 5_000;
const lookEveryMs = 5_000;
const restMs = 20;
/** After a collector that was not there. */
const retryMs = 30_000;

/** `refused`: it will never take these. */
export type Exported = 'taken' | 'refused' | 'unreachable';

export interface TraceFollowerParts {
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  store: Pick<TraceStore, 'endedAfter'> &
    Pick<SystemStore, 'getSetting' | 'putSetting'> &
    Pick<EventStore, 'eventPosition'>;
  /** Of the messages without a trace of their own, 0 to 1. */
  share: number;
  send(messages: readonly EndedMessage[]): Promise<{ kind: Exported; why: string }>;
  broken(error: unknown): void;
}

export interface TraceFollower {
  /** Goes on where the last run stopped; the first one begins with what happens from now on. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createTraceFollower({ clock, logger, store, share, send, broken }: TraceFollowerParts): TraceFollower {
  let mark = 0;
  let stopped = false;
  let isAway = false;
  let cancel: () => void = () => {};
  let round = Promise.resolve();

  /** In ms, when to look again. */
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
