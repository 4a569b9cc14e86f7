/** Moves messages from the queue of a carrier that is down or removed to the next carrier of their route. */
import type { Clock, Random } from '../../kernel/clock.ts';
import type { LaneId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { pacedLook } from '../../kernel/paced-look.ts';
import type { Claim } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { MessageKind } from '../../model/records.ts';
import { chooseLane } from '../accept/recipients.ts';
import type { QueuePlace } from '../store/items.ts';
import type { MessageStore } from '../store/modules/messages.ts';

const relaneMax = 500;

export interface FailoverParts {
  clock: Clock;
  random: Random;
  logger: Logger;
  directory(): Directory;
  store: Pick<MessageStore, 'queued' | 'relane' | 'queuedLanes'>;
  up(carrierId: string): boolean;
  /** Whether any node has the carrier open. */
  runs(carrierId: string): boolean;
  /** Enabled carriers that have been down for a while. */
  downForLong(): string[];
  nudge(carrierId: string): void;
}

export interface Failover {
  /** The lane of the next try of a refused message. */
  nextLane(claim: Claim): string;
  /** Moves the waiting messages of carriers that are down or removed. */
  failOver(): Promise<void>;
}

export function createFailover(parts: FailoverParts): Failover {
  const { clock, logger, store, up, runs } = parts;
  const queuedLanes = pacedLook(clock, () => store.queuedLanes());
  /** Where the next look into a long queue begins: what must stay at its front hides nothing behind it. */
  const places = new Map<string, QueuePlace>();

  function alternative(row: { lane: LaneId; from: string; to: string; kind: MessageKind }): string | null {
    const directory = parts.directory();
    const environment = directory.carrier(row.lane)?.environment ?? directory.number(row.from)?.environment;
    if (environment === undefined) return null;
    const carrierIds = directory.carriersFor(
      { environment, from: row.from, to: row.to, kind: row.kind, at: clock.now() },
      parts.random.fraction(),
    );
    const lane = chooseLane(
      carrierIds.filter((carrierId) => carrierId !== row.lane),
      up,
    );
    return lane !== null && (up(lane) || !runs(row.lane)) ? lane : null;
  }

  async function emptyLane(from: string): Promise<void> {
    for (;;) {
      const rows = await store.queued(from, relaneMax, places.get(from));
      if (rows.length < relaneMax) places.delete(from);
      else places.set(from, rows.at(-1)!);
      const moves = [];
      for (const row of rows) {
        if (row.begun) continue;
        const lane = alternative({ lane: from, from: row.from, to: row.to, kind: row.messageType });
        if (lane !== null) moves.push({ messageId: row.messageId, lane });
      }
      if (moves.length === 0) return;
      const moved = await store.relane(moves, clock.now());
      logger.info({ from, moved }, 'queue moved to the next carrier');
      for (const lane of new Set(moves.map((move) => move.lane))) parts.nudge(lane);
      if (rows.length < relaneMax) return;
    }
  }

  return {
    nextLane: (claim) => {
      if (up(claim.lane)) return claim.lane;
      return alternative({ lane: claim.lane, from: claim.from, to: claim.to, kind: claim.messageType }) ?? claim.lane;
    },
    failOver: async () => {
      for (const carrierId of parts.downForLong()) await emptyLane(carrierId);
      for (const lane of await queuedLanes()) if (!runs(lane)) await emptyLane(lane);
    },
  };
}
