/**
 * Which of the shared send queues and duties this node owns. The acting node plans the owners; each node takes what is
 * planned for it once it has no owner, and gives up what is planned for another once the carrier has nothing left of it
 * or the duty has ended here. The row in the store decides: every claim, every outcome and every write of a duty
 * compares it in its transaction.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { LaneId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type Duty, dutyOf, ownedDuty } from '../../model/duty.ts';
import type { StoreBase } from '../../store/create-store.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { MessageStore } from '../store/modules/messages.ts';
import type { OwnerStore } from '../store/modules/owners.ts';
import type { ClusterBoard, Owner } from '../store/operations/owners.ts';
import type { LaneBoard } from './lane-board.ts';
import { planFor } from './owner-plan.ts';

const everyMs = 250;
/** Messages that become uncertain per step. */
const recoverMax = 1_000;
/** The pause before another try to give up a queue whose messages were still under way. */
const giveUpAgainMs = 100;
/** How many tries a stop makes to give up a queue that a running acceptance holds. */
const giveUpTriesMax = 20;

export interface Owners {
  /** Whether this node owns the lane. */
  has(lane: LaneId): boolean;
  hasDuty(duty: Duty): boolean;
  /** Whether this node is about to give the lane up: it must not be reopened. */
  isLeaving(lane: LaneId): boolean;
  /** Takes what is planned for this node, and repeats that regularly. */
  start(): Promise<void>;
  /** Runs a round at once. */
  look(): Promise<void>;
  /** Takes nothing more, and tells the other nodes so. */
  leave(): Promise<void>;
  /**
   * Gives up all send queues once they have drained. A duty ends when its part stops, and is free once the store is
   * closed.
   */
  giveUpAll(): Promise<void>;
}

/** Runs the duties of this node. */
export interface DutyWork {
  /** This node owns the duty now: starts it as soon as possible. */
  begin(duty: Duty): void;
  /** Resolves when the duty has nothing under way. */
  end(duty: Duty): Promise<void>;
}

export interface OwnersParts {
  clock: Pick<Clock, 'now' | 'after'>;
  logger: Logger;
  store: Pick<OwnerStore, 'planOwners' | 'clusterBoard' | 'takeOwned' | 'giveUpOwned'> &
    Pick<MessageStore, 'recover'> &
    Pick<StoreBase, 'token' | 'place'>;
  board: Pick<LaneBoard, 'exchange'>;
  uncertainWaitMs: number;
  /** All lanes of the records. */
  lanes(): LaneId[];
  /** This node owns the lane now. */
  taken(lane: LaneId): Promise<void>;
  /** Resolves when the lane has nothing under way. */
  drain(lane: LaneId): Promise<void>;
  /** This node no longer owns the lane. */
  gone(lane: LaneId): Promise<void>;
  duties: DutyWork;
  /** Called after each round. */
  looked(): Promise<void>;
}

export function createOwners(parts: OwnersParts): Owners {
  const { clock, logger, store, board } = parts;
  const { token, place } = store;
  /** Names of owned send queues and duties. */
  const owned = new Set<string>();
  const leaving = new Map<string, Promise<void>>();
  let living: ReadonlySet<number> = new Set();
  let stopped = false;
  let cancel = (): void => {};
  let round: Promise<void> = Promise.resolve();

  async function lookOnce(): Promise<void> {
    if (stopped) return;
    let found = await board.exchange(true);
    await recoverOfGone(found);
    if (place.acts()) {
      const plan = planFor(found, parts.lanes());
      if (plan !== null) {
        await store.planOwners(plan);
        found = await store.clusterBoard();
      }
    }
    const enabled = new Set(parts.lanes());
    for (const row of found.lanes) await follow(row.lane, row, enabled.has(row.lane));
    for (const row of found.duties) await follow(ownedDuty(row.duty), row, true);
    await parts.looked();
  }

  async function follow(name: string, { node, meantFor }: Owner, isWanted: boolean): Promise<void> {
    const isMeant = meantFor === token && isWanted;
    const isHere = owned.has(name) || node === token;
    if (isHere && !isMeant) giveUp(name);
    else if (isMeant && !owned.has(name) && (node === null || node === token)) await take(name);
  }

  /** Includes carriers that no node takes over because they are disabled. */
  async function recoverOfGone({ nodes }: ClusterBoard): Promise<void> {
    const now = new Set(nodes.map(({ node }) => node));
    if (place.acts() && !living.isSubsetOf(now)) {
      for (let count = recoverMax; count >= recoverMax; ) {
        const at = clock.now();
        const request = { token, now: at, dueAt: at + parts.uncertainWaitMs, limit: recoverMax };
        count = (await store.recover(request)).length;
      }
    }
    living = now;
  }

  async function take(name: string): Promise<void> {
    if (leaving.has(name)) return;
    let uncertain = 0;
    for (;;) {
      const now = clock.now();
      const request = { name, now, dueAt: now + parts.uncertainWaitMs, limit: recoverMax };
      const taken = await store.takeOwned(request);
      uncertain += taken.uncertain;
      if (taken.kind === 'refused') return;
      if (taken.kind === 'taken') break;
    }
    owned.add(name);
    const duty = dutyOf(name);
    if (duty !== null) {
      logger.info({ duty }, 'this node has the duty');
      parts.duties.begin(duty);
      return;
    }
    if (uncertain > 0) {
      logger.warn({ lane: name, count: uncertain }, 'uncertain since its node ended: waiting for receipts');
    }
    logger.info({ lane: name }, 'this node has the send queue');
    await parts.taken(name);
  }

  function giveUp(name: string): void {
    if (leaving.has(name)) return;
    const duty = dutyOf(name);
    const given = duty === null ? giveUpLane(name) : giveUpDuty(duty);
    leaving.set(
      name,
      given.catch((err: unknown) => logger.error({ err, name }, 'a node did not give up what is meant for another')),
    );
  }

  async function giveUpLane(lane: LaneId): Promise<void> {
    await giveUpAfter(lane, parts.drain(lane));
    logger.info({ lane }, 'this node has given up the send queue');
    if (!stopped) await parts.gone(lane);
  }

  async function giveUpDuty(duty: Duty): Promise<void> {
    await giveUpAfter(ownedDuty(duty), parts.duties.end(duty));
    logger.info({ duty }, 'this node has given up the duty');
  }

  async function giveUpAfter(name: string, drained: Promise<void>): Promise<void> {
    try {
      await drained;
      while (!(await isGivenUp(name))) await pause();
      owned.delete(name);
    } finally {
      leaving.delete(name);
    }
  }

  async function isGivenUp(name: string): Promise<boolean> {
    try {
      return await store.giveUpOwned(name);
    } catch (error) {
      if (error instanceof StoreUnavailable) return false;
      throw error;
    }
  }

  const pause = () => new Promise<void>((resolve) => clock.after(giveUpAgainMs, resolve));

  /** One round at a time. */
  function look(): Promise<void> {
    const looked = round.then(lookOnce);
    round = looked.catch(() => {});
    return looked;
  }

  function again(): void {
    if (stopped) return;
    cancel = clock.after(everyMs, () => {
      look().catch(notLooked).finally(again);
    });
  }

  /** The next round tries again. */
  function notLooked(err: unknown): void {
    if (err instanceof StoreUnavailable) logger.debug({ err }, 'the send queues were not looked at');
    else logger.error({ err }, 'the send queues were not looked at');
  }

  return {
    has: (lane) => owned.has(lane),
    hasDuty: (duty) => owned.has(ownedDuty(duty)),
    isLeaving: (lane) => leaving.has(lane),
    start: async () => {
      await look().catch(notLooked);
      again();
    },
    look,
    leave: async () => {
      stopped = true;
      cancel();
      await round;
      await board.exchange(false).catch((err: unknown) => logger.debug({ err }, 'the others do not know of the stop'));
    },
    giveUpAll: async () => {
      await Promise.all(leaving.values());
      for (const lane of [...owned].filter((name) => dutyOf(name) === null)) {
        for (let tries = 1; !(await isGivenUp(lane)) && tries < giveUpTriesMax; tries += 1) await pause();
        owned.delete(lane);
      }
    },
  };
}
