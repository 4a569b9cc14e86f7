/**
 * Which send queues this node has, of those that several nodes share. The node that acts plans who has which; each node
 * takes what is meant for it as soon as nobody has it, and gives up what is meant for another once its carrier has
 * nothing more of it. The row in the store decides: every claim and every outcome compares it in its transaction.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { LaneId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { StoreBase } from '../../store/create-store.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { OwnerStore } from '../store/modules/owners.ts';
import type { MessageStore } from '../store/modules/messages.ts';
import type { ClusterBoard } from '../store/operations/owners.ts';
import type { LaneBoard } from './lane-board.ts';
import { planFor } from './owner-plan.ts';

const everyMs = 250;
/** Messages that become uncertain in one step. */
const recoverMax = 1_000;
/** Before a send queue is given up anew of which something was still under way. */
const giveUpAgainMs = 100;
/** A stop does not wait longer than so often for what an acceptance holds. */
const giveUpTriesMax = 20;

export interface Owners {
  /** Whether it is this node's. */
  has(lane: LaneId): boolean;
  /** Whether this node is about to give it up: it must not be opened any more. */
  isLeaving(lane: LaneId): boolean;
  /** Takes what is meant for this node, and again all the time. */
  start(): Promise<void>;
  /** Looks at once. */
  look(): Promise<void>;
  /** Takes nothing more, and tells the others so. */
  leave(): Promise<void>;
  /** Once all of them have drained. */
  giveUpAll(): Promise<void>;
}

export interface OwnersParts {
  clock: Pick<Clock, 'now' | 'after'>;
  logger: Logger;
  store: Pick<OwnerStore, 'planOwners' | 'clusterBoard' | 'takeOwned' | 'giveUpOwned'> &
    Pick<MessageStore, 'recover'> &
    Pick<StoreBase, 'token' | 'place'>;
  board: Pick<LaneBoard, 'exchange'>;
  uncertainWaitMs: number;
  /** All there are, by the records. */
  lanes(): LaneId[];
  /** It is this node's now. */
  taken(lane: LaneId): Promise<void>;
  /** Resolves when nothing of it is under way any more. */
  drain(lane: LaneId): Promise<void>;
  /** It is not this node's any more. */
  gone(lane: LaneId): Promise<void>;
  /** After each round. */
  looked(): Promise<void>;
}

export function createOwners(parts: OwnersParts): Owners {
  const { clock, logger, store, board } = parts;
  const { token, place } = store;
  const owned = new Set<LaneId>();
  const leaving = new Map<LaneId, Promise<void>>();
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
    for (const { lane, node, meantFor } of found.lanes) {
      const isMeant = meantFor === token && enabled.has(lane);
      const isHere = owned.has(lane) || node === token;
      if (isHere && !isMeant) giveUp(lane);
      else if (isMeant && !owned.has(lane) && (node === null || node === token)) await take(lane);
    }
    await parts.looked();
  }

  /** Also of carriers that nobody takes over, as they are switched off. */
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

  async function take(lane: LaneId): Promise<void> {
    if (leaving.has(lane)) return;
    let uncertain = 0;
    for (;;) {
      const now = clock.now();
      const request = { name: lane, now, dueAt: now + parts.uncertainWaitMs, limit: recoverMax };
      const taken = await store.takeOwned(request);
      uncertain += taken.uncertain;
      if (taken.kind === 'refused') return;
      if (taken.kind === 'taken') break;
    }
    owned.add(lane);
    if (uncertain > 0) logger.warn({ lane, count: uncertain }, 'uncertain since its node ended: waiting for receipts');
    logger.info({ lane }, 'this node has the send queue');
    await parts.taken(lane);
  }

  function giveUp(lane: LaneId): void {
    if (leaving.has(lane)) return;
    leaving.set(
      lane,
      giveUpDrained(lane).catch((err: unknown) => logger.error({ err, lane }, 'a send queue was not given up')),
    );
  }

  async function giveUpDrained(lane: LaneId): Promise<void> {
    try {
      await parts.drain(lane);
      while (!(await isGivenUp(lane))) await pause();
      owned.delete(lane);
      logger.info({ lane }, 'this node has given up the send queue');
    } finally {
      leaving.delete(lane);
    }
    if (!stopped) await parts.gone(lane);
  }

  async function isGivenUp(lane: LaneId): Promise<boolean> {
    try {
      return await store.giveUpOwned(lane);
    } catch (error) {
      if (error instanceof StoreUnavailable) return false;
      throw error;
    }
  }

  const pause = () => new Promise<void>((resolve) => clock.after(giveUpAgainMs, resolve));

  /** One at a time. */
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
      for (const lane of [...owned]) {
        for (let tries = 1; !(await isGivenUp(lane)) && tries < giveUpTriesMax; tries += 1) await pause();
        owned.delete(lane);
      }
    },
  };
}
