/**
 * Notifies accounts when a carrier stays down and when it is back: one event per account with a number in the
 * carrier's environment. A link that flaps is not reported.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Directory } from '../../model/directory.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { EventStore } from '../store/modules/events.ts';

/** A carrier down for this long is reported. */
const reportAfterMs = 10_000;
const storeRetryMs = 1_000;

export interface CarrierNotifier {
  link(carrierId: string, up: boolean): void;
  /** Called for the link of a queue that another node owns. */
  seen(carrierId: string, up: boolean): void;
  /** Calls `listener` at every change of a link, reported or not. */
  onLink(listener: (carrierId: string, up: boolean) => void): void;
  stop(): void;
}

export interface CarrierNotifierParts {
  clock: Clock;
  ids: Pick<Ids, 'next'>;
  logger: Logger;
  store: Pick<EventStore, 'addEvents'>;
  directory(): Directory;
  /** A permanent fault. */
  broken(error: unknown): void;
}

interface Known {
  up: boolean;
  reported: 'up' | 'down';
  cancel(): void;
}

export function createCarrierNotifier(parts: CarrierNotifierParts): CarrierNotifier {
  const { clock } = parts;
  const carriers = new Map<string, Known>();
  const listeners: ((carrierId: string, up: boolean) => void)[] = [];
  let stopped = false;

  function look(carrierId: string, known: Known): void {
    const now = known.up ? 'up' : 'down';
    if (stopped || known.reported === now || parts.directory().carrier(carrierId)?.enabled !== true) return;
    known.reported = now;
    notify(carrierId, now).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) return parts.broken(error);
      parts.logger.warn({ reason: error.reason }, 'news of a carrier wait for the store');
      known.reported = now === 'up' ? 'down' : 'up';
      known.cancel = clock.after(storeRetryMs, () => look(carrierId, known));
    });
  }

  async function notify(carrierId: string, now: 'up' | 'down'): Promise<void> {
    const { records, carrier } = parts.directory();
    const environment = carrier(carrierId)?.environment;
    const own = records.numbers.filter((number) => number.environment === environment);
    const at = clock.now();
    await parts.store.addEvents(
      [...new Set(own.map((number) => number.accountId))].map((accountId) => ({
        eventId: parts.ids.next('evt_'),
        accountId,
        type: `carrier.${now}` as const,
        at,
        data: { carrierId, at: new Date(at).toISOString() },
      })),
    );
  }

  function seen(carrierId: string, up: boolean): void {
    for (const listener of listeners) listener(carrierId, up);
  }

  return {
    seen,
    link: (carrierId, up) => {
      let known = carriers.get(carrierId);
      if (known === undefined) {
        known = { up: !up, reported: 'up', cancel: () => {} };
        carriers.set(carrierId, known);
      }
      if (known.up === up) return;
      known.up = up;
      seen(carrierId, up);
      known.cancel();
      const one = known;
      if (up) look(carrierId, one);
      else one.cancel = clock.after(reportAfterMs, () => look(carrierId, one));
    },
    onLink: (listener) => {
      listeners.push(listener);
    },
    stop: () => {
      stopped = true;
      for (const { cancel } of carriers.values()) cancel();
    },
  };
}
