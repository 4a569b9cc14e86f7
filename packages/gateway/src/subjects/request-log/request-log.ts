/**
 * Buffers logged API calls and writes them about once a second, in the background. It never delays or fails a call:
 * overflow is only counted, and a crash loses the last second.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Environment } from '../../model/records.ts';
import { type LoggedCall, minuteMs, requestLogLimits, type UnkeptCalls } from '../../model/request-log.ts';
import type { CallLog } from './logged-call.ts';
import type { RequestLogStore } from './store/module.ts';

export interface RequestLog extends CallLog {
  /** Calls `listener` for each account of which calls were written, or counted as lost. */
  onKept(listener: (accountId: AccountId) => void): void;
  /** Resolves when all that was kept so far is written, or counted as lost. Never rejects. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export interface RequestLogParts {
  clock: Clock;
  logger: Logger;
  store: Pick<RequestLogStore, 'addRequests'>;
}

const everyMs = 1_000;
const { perSecond, perAccountAndSecond } = requestLogLimits;
/** More is gathered than is kept, so that no account takes the room of all others. */
const gatheredMax = 4 * perSecond;
/** Sums that wait for a store that takes nothing. */
const owedMax = 1_000;

/** What one account did since the last flush. */
interface Tally {
  accountId: AccountId;
  refused: LoggedCall[];
  passed: LoggedCall[];
  over: Record<Environment, number>;
}

export function createRequestLog({ clock, logger, store }: RequestLogParts): RequestLog {
  let tallies = new Map<string, Tally>();
  let gathered = 0;
  let since: EpochMs = 0;
  let cancel: (() => void) | null = null;
  let writing: Promise<void> | null = null;
  let stopped = false;
  let isFailing = false;
  const owed = new Map<string, UnkeptCalls>();
  const listeners: ((accountId: AccountId) => void)[] = [];

  function tallyOf(accountId: AccountId): Tally {
    const known = tallies.get(accountId);
    if (known !== undefined) return known;
    const made: Tally = { accountId, refused: [], passed: [], over: { sandbox: 0, live: 0 } };
    tallies.set(accountId, made);
    if (cancel === null && !stopped) {
      since = clock.now();
      cancel = clock.after(everyMs, turn);
    }
    return made;
  }

  function owe({ accountId, environment, calls }: Omit<UnkeptCalls, 'minute'>, at: EpochMs): void {
    const minute = at - (at % minuteMs);
    const name = `${accountId} ${environment} ${minute}`;
    const known = owed.get(name);
    if (known !== undefined) known.calls += calls;
    else if (owed.size < owedMax) owed.set(name, { accountId, environment, minute, calls });
  }

  const oweAll = (calls: readonly LoggedCall[]): void => {
    for (const call of calls) owe({ ...call, calls: 1 }, call.at);
  };

  /** Takes what was gathered; what is over the cap is owed from now on. */
  function take(): LoggedCall[] {
    const window = [...tallies.values()];
    tallies = new Map();
    gathered = 0;
    const { kept, left } = chosen(window);
    oweAll(left);
    for (const { accountId, over } of window) {
      for (const environment of ['sandbox', 'live'] as const) {
        if (over[environment] > 0) owe({ accountId, environment, calls: over[environment] }, since);
      }
    }
    return kept;
  }

  /** Every second in which there was something. A store that is still busy with the one before gets no second batch. */
  function turn(): void {
    cancel = null;
    if (writing === null) writing = write(take());
    else oweAll(take());
  }

  async function write(calls: LoggedCall[]): Promise<void> {
    const unkept = [...owed.values()];
    owed.clear();
    try {
      await store.addRequests({ calls, unkept });
      isFailing = false;
      for (const accountId of new Set([...calls, ...unkept].map((one) => one.accountId))) {
        for (const listener of listeners) listener(accountId);
      }
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'calls are not kept in the request log, only counted');
      isFailing = true;
      oweAll(calls);
      for (const one of unkept) owe(one, one.minute);
    } finally {
      writing = null;
    }
  }

  async function flush(): Promise<void> {
    while (writing !== null) await writing;
    cancel?.();
    if (tallies.size === 0 && owed.size === 0) return;
    turn();
    await writing;
  }

  return {
    room: ({ accountId, environment }, refused) => {
      const tally = tallyOf(accountId);
      const calls = refused ? tally.refused : tally.passed;
      if (calls.length < perAccountAndSecond && gathered < gatheredMax) return true;
      tally.over[environment]++;
      return false;
    },
    keep: (call) => {
      const tally = tallyOf(call.accountId);
      gathered++;
      (call.status >= 400 ? tally.refused : tally.passed).push(call);
    },
    onKept: (listener) => {
      listeners.push(listener);
    },
    flush,
    stop: async () => {
      stopped = true;
      await flush();
    },
  };
}

/** Of each account in turn, its refusals before the others, until there is no room. */
function chosen(window: readonly Tally[]): { kept: LoggedCall[]; left: LoggedCall[] } {
  const queues = window.map(({ refused, passed }) => [...refused, ...passed]);
  const left = queues.flatMap((queue) => queue.splice(perAccountAndSecond));
  const kept: LoggedCall[] = [];
  for (let place = 0; place < perAccountAndSecond; place++) {
    for (const queue of queues) {
      if (queue[place] === undefined) continue;
      (kept.length < perSecond ? kept : left).push(queue[place]!);
    }
  }
  return { kept, left };
}
