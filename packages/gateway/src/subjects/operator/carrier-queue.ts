/**
 * Moves waiting messages to another carrier on an operator's request. Only messages whose routing rule allows that
 * carrier move.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Lanes } from '../../messaging/send-queue/lanes.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import type { Directory } from '../../model/directory.ts';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import type { Refusal } from '../../model/person.ts';

export interface Backup {
  carrierId: string;
  name: string;
  up: boolean;
  paused: boolean;
  /** How many waiting messages a rule allows to use it. */
  fits: number;
}

export interface CarrierQueueService {
  /** Null for an unknown carrier. `looked`: how many waiting messages were examined, oldest first. */
  backups(carrierId: string): Promise<{ looked: number; isAll: boolean; backups: Backup[] } | null>;
  sendVia(
    carrierId: string,
    to: string,
    audit: (note: Pick<NewAuditEntry, 'what' | 'target' | 'before' | 'after'>) => Promise<void>,
  ): Promise<{ kind: 'done'; moved: number; left: number } | Refusal>;
}

/** The most messages examined or moved at one time. */
const lookMax = 10_000;
const moveMax = 500;

export function createCarrierQueueService(parts: {
  clock: Pick<Clock, 'now'>;
  directory(): Directory;
  store: Pick<MessageStore, 'queued' | 'relane'>;
  lanes: Pick<Lanes, 'up' | 'isPaused' | 'nudge'>;
}): CarrierQueueService {
  const { clock, directory, lanes, store } = parts;

  async function waiting(carrierId: string) {
    const environment = directory().carrier(carrierId)?.environment;
    if (environment === undefined) return null;
    const rows = await store.queued(carrierId, lookMax);
    const at = clock.now();
    const fits = (to: string) =>
      rows.filter(
        (row) =>
          !row.begun &&
          directory().namesCarrier({ environment, from: row.from, to: row.to, kind: row.messageType, at }, to),
      );
    const others = directory().records.carriers.filter(
      (one) => one.carrierId !== carrierId && one.enabled && one.environment === environment,
    );
    return { rows, fits, others };
  }

  return {
    async backups(carrierId) {
      const found = await waiting(carrierId);
      if (found === null) return null;
      const { rows, fits, others } = found;
      const backups = others.map(({ carrierId: id, name }) => ({
        carrierId: id,
        name,
        up: lanes.up(id),
        paused: lanes.isPaused(id),
        fits: fits(id).length,
      }));
      return { looked: rows.length, isAll: rows.length < lookMax, backups };
    },
    async sendVia(carrierId, to, audit) {
      const found = await waiting(carrierId);
      if (found === null) return { kind: 'missing', detail: 'There is no carrier with this id.' };
      if (!found.others.some((one) => one.carrierId === to)) return noBackup;
      const moves = found.fits(to).map(({ messageId }) => ({ messageId, lane: to }));
      if (moves.length === 0) return nothingFits;
      let moved = 0;
      for (let at = 0; at < moves.length; at += moveMax) {
        moved += await store.relane(moves.slice(at, at + moveMax), clock.now());
        lanes.nudge(to);
      }
      await audit({ what: 'carrier.queue_moved', target: carrierId, before: null, after: { to, messages: moved } });
      return { kind: 'done', moved, left: found.rows.length - moved };
    },
  };
}

const noBackup: Refusal = {
  kind: 'fields',
  fields: { to: 'Name another carrier of the same environment that is switched on.' },
};
const nothingFits: Refusal = {
  kind: 'conflict',
  detail:
    'No routing rule sends the waiting messages over that carrier, or none is waiting any more. Nothing was changed.',
};
