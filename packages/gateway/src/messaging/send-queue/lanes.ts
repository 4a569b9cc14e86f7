/**
 * All send queues of this node: opens one per enabled carrier and follows changes of the records. Of several nodes each opens
 * those that it has.
 */
import type { Carrier, CarrierLog, CarrierStatus, PeerAnswer } from '../../carriers/carrier.ts';
import type { Clock, EpochMs, Random } from '../../kernel/clock.ts';
import type { LaneId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Receipt } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { Duty } from '../../model/duty.ts';
import type { CarrierRecord } from '../../model/records.ts';
import type { StoreBase } from '../../store/create-store.ts';
import type { SystemStore } from '../../store/system/module.ts';
import type { SendingFigures } from '../accept/sending-first.ts';
import type { MediaStore } from '../store/modules/media.ts';
import type { MessageStore } from '../store/modules/messages.ts';
import type { OwnerStore } from '../store/modules/owners.ts';
import { createFailover, type Failover } from './failover.ts';
import { createKeptSilence } from './kept-silence.ts';
import { createLane, type Lane, type LaneParts, type Reservation } from './lane.ts';
import { createLaneBoard, gapOf, type NodeOwns, type Paused, type SharedReport, sharedGap } from './lane-board.ts';
import { type CarrierCounts, createLaneMeter, type LaneMeter, type LaneReport, type ReceiptGap } from './lane-meter.ts';
import { createOwners, type DutyWork } from './owners.ts';

/** A carrier that stays down this long gives its queue to the next in failover order. */
const failoverAfterMs = 5_000;
/** A carrier whose record changed gets this long for what is under way. */
const closeDrainMs = 10_000;
/** What other nodes accept is looked for so often. */
const nudgeEveryMs = 250;

export interface LanesParts extends Omit<LaneParts, 'carrier' | 'linkChanged' | 'store'> {
  clock: Clock;
  random: Random;
  logger: Logger;
  store: Pick<MessageStore, 'claim' | 'queued' | 'relane' | 'queuedLanes' | 'recover'> &
    Pick<StoreBase, 'token' | 'mayHandOver' | 'place' | 'hints'> &
    Pick<MediaStore, 'addFittedMedia'> &
    Pick<SystemStore, 'getSetting' | 'putSetting'> &
    OwnerStore;
  /** This node, for people. */
  nodeName: string;
  uncertainWaitMs: number;
  /** Loads what opening carriers of these kinds needs. */
  loadKinds(records: Iterable<CarrierRecord>): Promise<void>;
  /** `takesOnly`: another node has its lane. */
  openCarrier(record: CarrierRecord, takesOnly: boolean): Carrier;
  /** Whether what it sends to us may come to any node, so that each must have it open. */
  arrivesAnywhere(record: CarrierRecord): boolean;
  /** A carrier can or cannot be reached now; on the node that acts, whichever has its send queue. */
  linked(carrierId: string, up: boolean): void;
  /** The same on the others. */
  linkSeen(carrierId: string, up: boolean): void;
  directory(): Directory;
  /** Of several nodes: does the duties of this one. */
  duties: DutyWork;
  /** What counts the answers of a carrier; absent = nobody counts. */
  carrierCounts?(carrierId: string): CarrierCounts;
}

export interface Lanes extends Failover {
  /** Opens all; of several nodes those that are meant for this one. */
  start(): Promise<void>;
  /** Opens, closes and re-opens lanes so that they match the records. */
  follow(): Promise<void>;
  /** This node acts from now on: it plans at once which node has which lane. */
  takeOver(): Promise<void>;
  /** Whether this node has the lane, and may claim in it. */
  isHere(carrierId: string): boolean;
  /** The node that has it, for people; null while none has it, or where there is only one. */
  nodeOf(carrierId: string): string | null;
  /** This node, for people; null where there is only one. */
  readonly node: string | null;
  /** Whether this node has the duty. */
  hasDuty(duty: Duty): boolean;
  /** All nodes that live, as read last; empty where there is only one. */
  nodes(): NodeOwns[];
  nudge(carrierId: string, count?: number): void;
  reserve(carrierId: string, count: number): Reservation | null;
  nudgeAll(): void;
  /** Of all queues that are open here: what is due and not claimed yet, and what was handed over since the start. */
  figures(): Pick<SendingFigures, 'handed' | 'waiting'>;
  up(carrierId: string): boolean;
  isSandbox(carrierId: string): boolean;
  /** The running adapter; undefined when it is switched off or gone. */
  carrier(carrierId: string): Carrier | undefined;
  /** Bytes of media that the carrier takes; 0 when it is not running. */
  mediaBytesMax(carrierId: string): number;
  status(): CarrierStatus[];
  /** How the lane of a carrier does; null when it is switched off or gone. */
  report(carrierId: string): LaneReport | null;
  /** Null before its lane was opened. */
  receiptGap(carrierId: string): ReceiptGap | null;
  /** What a carrier told last, since this start; newest first, at most 2,000. */
  newestReceipts(carrierId: string): Receipt[];
  /** Receipts for messages of these lanes that came to another cell. */
  reported(receipts: readonly Receipt[]): void;
  isPaused(carrierId: string): boolean;
  /** Paused since; null when not paused or unknown. */
  pausedSince(carrierId: string): EpochMs | null;
  /** A paused carrier is handed nothing more; what it has is finished, what waits stays. Kept over restarts. */
  pause(carrierId: string, paused: boolean): Promise<void>;
  stop(drainMs: number): Promise<void>;
}

interface OpenLane {
  lane: Lane;
  /** The record it was opened with, as JSON: another means opening anew. */
  openedWith: string;
  up: boolean;
  downSinceMs: number;
  since: EpochMs;
  detail: string | null;
}

export function createLanes(parts: LanesParts): Lanes {
  const lanes = new Map<string, OpenLane>();
  const { clock, logger } = parts;
  /** Kept when a lane is opened anew. */
  const meters = new Map<string, LaneMeter>();
  const logs = new Map<string, CarrierLog>();
  let paused: Paused | null = null;
  let stopped = false;
  let following: Promise<void> = Promise.resolve();
  let cancelNudge = (): void => {};
  /** Of any node; since when, monotonic ms. */
  const seenDown = new Map<string, number>();
  const gaps = new Map<string, SharedReport['gap']>();
  const { place } = parts.store;
  const board = createLaneBoard({ ...parts, ownReports, linkChanged });
  const owners = place.isShared
    ? createOwners({
        ...parts,
        board,
        lanes: enabled,
        taken: async (carrierId) => {
          await close(carrierId);
          await silence.reload(carrierId);
          await follow();
        },
        drain: close,
        gone: follow,
        looked: async () => {
          takePaused(await board.readPaused());
          await takeAnswers();
        },
      })
    : null;
  const silence = createKeptSilence({ ...parts, isShared: owners !== null });

  const isPaused = (carrierId: string): boolean => paused?.has(carrierId) ?? false;
  const isHere = (carrierId: string): boolean => owners?.has(carrierId) ?? true;
  const up = (carrierId: string): boolean =>
    isHere(carrierId)
      ? (lanes.get(carrierId)?.up ?? false)
      : (board.reports().get(carrierId)?.report.status.up ?? false);
  /** Where this node does not have it, a lane claims nothing. */
  const isOpenHere = (record: CarrierRecord): boolean =>
    owners === null ||
    (!owners.isLeaving(record.carrierId) && (owners.has(record.carrierId) || parts.arrivesAnywhere(record)));
  /** On whichever node. */
  const runs = (carrierId: string): boolean =>
    owners === null ? lanes.has(carrierId) : parts.directory().carrier(carrierId)?.enabled === true;

  function enabled(): LaneId[] {
    return parts
      .directory()
      .records.carriers.filter((carrier) => carrier.enabled)
      .map(({ carrierId }) => carrierId);
  }

  function linkChanged(carrierId: string, isUp: boolean): void {
    if (place.acts()) parts.linked(carrierId, isUp);
    else parts.linkSeen(carrierId, isUp);
  }

  function ownReports(): Map<string, SharedReport> {
    const own = [...lanes.keys()].filter(isHere);
    return new Map(own.map((carrierId) => [carrierId, sharedReport(carrierId)]));
  }

  function sharedReport(carrierId: string): SharedReport {
    const { mediaBytesMax } = lanes.get(carrierId)!.lane.carrier.abilities;
    const gap = sharedGap(meterOf(carrierId).receiptGap(), clock.now(), gaps.get(carrierId));
    gaps.set(carrierId, gap);
    return { report: ownReport(carrierId)!, mediaBytesMax, gap };
  }

  function takePaused(next: Paused): void {
    const before = paused ?? new Map();
    paused = next;
    for (const carrierId of before.keys()) if (!next.has(carrierId)) lanes.get(carrierId)?.lane.nudge();
  }

  /** What carriers answered at other nodes. */
  async function takeAnswers(): Promise<void> {
    const own = [...lanes.values()].filter(({ lane }) => isHere(lane.carrierId) && lane.carrier.answered !== undefined);
    if (own.length === 0) return;
    const answers = await parts.store.carrierAnswers(own.map(({ lane }) => lane.carrierId));
    for (const { carrier, body } of answers) lanes.get(carrier)?.lane.carrier.answered?.(body);
    if (answers.length > 0) await parts.store.dropAnswers(answers);
  }

  function meterOf(carrierId: string): LaneMeter {
    const meter = meters.get(carrierId) ?? createLaneMeter(clock, parts.carrierCounts?.(carrierId));
    meters.set(carrierId, meter);
    return meter;
  }

  function open(record: CarrierRecord): void {
    const { carrierId } = record;
    const carrier = parts.openCarrier(record, !isHere(carrierId));
    const earlier = logs.get(carrierId);
    if (earlier !== undefined) carrier.log?.goOn(earlier);
    if (carrier.log !== undefined) logs.set(carrierId, carrier.log);
    const entry: OpenLane = {
      lane: createLane({
        ...parts,
        ...(!isHere(carrierId) && {
          answeredElsewhere: (answer: PeerAnswer) => parts.store.keepAnswer({ carrier: carrierId, ...answer }),
        }),
        store: { ...parts.store, mayHandOver: () => parts.store.mayHandOver() && isHere(carrierId) },
        carrier: meterOf(carrierId).watch(silence.of(carrierId).watch(carrier), () => isPaused(carrierId)),
        linkChanged: (_, isUp, detail) => {
          if (entry.up !== isUp) logger.info({ carrier: carrierId, detail }, isUp ? 'carrier up' : 'carrier down');
          if (entry.up && !isUp) entry.downSinceMs = clock.monotonicMs();
          if (entry.up !== isUp) entry.since = clock.now();
          entry.detail = detail;
          entry.up = isUp;
          if (isHere(carrierId)) linkChanged(carrierId, isUp);
          if (isUp) entry.lane.nudge();
        },
      }),
      openedWith: JSON.stringify(record),
      up: false,
      downSinceMs: clock.monotonicMs(),
      since: clock.now(),
      detail: null,
    };
    lanes.set(carrierId, entry);
    entry.lane.start();
  }

  async function close(carrierId: string): Promise<void> {
    await lanes.get(carrierId)?.lane.stop(closeDrainMs);
    lanes.delete(carrierId);
  }

  /** The enabled carriers of this node by id, as they are once their kinds are loaded. */
  async function wantedCarriers(): Promise<Map<string, CarrierRecord>> {
    for (;;) {
      const { records } = parts.directory();
      const enabled = records.carriers.filter((carrier) => carrier.enabled && isOpenHere(carrier));
      await parts.loadKinds(enabled);
      // Meanwhile they may have changed.
      if (parts.directory().records === records) return new Map(enabled.map((carrier) => [carrier.carrierId, carrier]));
    }
  }

  /** One at a time: what an earlier one wanted may be another node's by now. */
  function follow(): Promise<void> {
    const followed = following.then(followOnce);
    following = followed.catch(() => {});
    return followed;
  }

  async function followOnce(): Promise<void> {
    if (stopped) return;
    if (paused === null) {
      await silence.load();
      paused = await board.readPaused();
    }
    const wanted = await wantedCarriers();
    if (stopped) return;
    for (const [carrierId, entry] of lanes) {
      const record = wanted.get(carrierId);
      if (record !== undefined && JSON.stringify(record) === entry.openedWith) continue;
      await close(carrierId);
    }
    for (const [carrierId, record] of wanted) if (!lanes.has(carrierId) && isOpenHere(record)) open(record);
  }

  function ownReport(carrierId: string): LaneReport | null {
    const entry = lanes.get(carrierId);
    if (entry === undefined) return null;
    const { lane, since, detail } = entry;
    const status = lane.carrier.status();
    const silentSince = silence.of(carrierId).since();
    return { ...meterOf(carrierId).figures(), status, since, detail, inFlight: lane.inFlight(), silentSince };
  }

  /** Enabled carriers that have been down for a while, as far as this node knows. */
  function downForLong(): string[] {
    const now = clock.monotonicMs();
    if (owners === null) {
      const down = [...lanes.values()].filter((entry) => !entry.up && now - entry.downSinceMs >= failoverAfterMs);
      return down.map(({ lane }) => lane.carrierId);
    }
    const down = new Set(enabled().filter((carrierId) => !up(carrierId)));
    for (const carrierId of seenDown.keys()) if (!down.has(carrierId)) seenDown.delete(carrierId);
    for (const carrierId of down) if (!seenDown.has(carrierId)) seenDown.set(carrierId, now);
    return [...down].filter((carrierId) => now - seenDown.get(carrierId)! >= failoverAfterMs);
  }

  function status(): CarrierStatus[] {
    if (owners === null) return [...lanes.values()].map(({ lane }) => lane.carrier.status());
    return enabled().map((carrierId) => report(carrierId)?.status ?? { carrierId, up: false, binds: [] });
  }

  const report = (carrierId: string): LaneReport | null =>
    isHere(carrierId) ? ownReport(carrierId) : (board.reports().get(carrierId)?.report ?? null);

  function receiptGap(carrierId: string): ReceiptGap | null {
    if (isHere(carrierId)) return meters.get(carrierId)?.receiptGap() ?? null;
    const shared = board.reports().get(carrierId);
    if (shared === undefined) return null;
    return gapOf(shared.gap, clock.now());
  }

  /** Notifies the node that has it, which would otherwise look within a quarter of a second. */
  function nudge(carrierId: string, count?: number): void {
    if (isHere(carrierId)) lanes.get(carrierId)?.lane.nudge(count);
    else parts.store.hints?.notify(carrierId);
  }

  function nudgeAll(): void {
    for (const { lane } of lanes.values()) lane.nudge();
  }

  function nudgeLater(): void {
    if (stopped) return;
    cancelNudge = clock.after(nudgeEveryMs, () => {
      nudgeAll();
      nudgeLater();
    });
  }

  return {
    start: async () => {
      await follow();
      await owners?.start();
      if (owners !== null) nudgeLater();
      parts.store.hints?.onNotified((carrierId) => {
        if (isHere(carrierId)) lanes.get(carrierId)?.lane.nudge();
      });
    },
    follow,
    takeOver: async () => {
      // Whether customers know that a carrier is down, the node that acted before knew.
      for (const carrierId of enabled()) if (report(carrierId) !== null) parts.linked(carrierId, up(carrierId));
      await owners?.look();
    },
    isHere,
    node: owners === null ? null : board.node,
    hasDuty: (duty) => owners?.hasDuty(duty) ?? place.acts(),
    nodes: board.nodes,
    nodeOf: (carrierId) => {
      const { nodes, lanes: all } = board.latest();
      const has = all.find(({ lane }) => lane === carrierId)?.node;
      return nodes.find(({ node }) => node === has)?.name ?? null;
    },
    up,
    nudge,
    reserve: (carrierId, count) => lanes.get(carrierId)?.lane.reserve(count) ?? null,
    nudgeAll,
    figures: () => {
      const figures = { handed: 0, waiting: 0 };
      for (const { lane } of lanes.values()) {
        figures.handed += lane.handed();
        figures.waiting += lane.waiting();
      }
      return figures;
    },
    carrier: (carrierId) => lanes.get(carrierId)?.lane.carrier,
    mediaBytesMax: (carrierId) =>
      lanes.get(carrierId)?.lane.carrier.abilities.mediaBytesMax ?? board.reports().get(carrierId)?.mediaBytesMax ?? 0,
    isSandbox: (carrierId) => parts.directory().carrier(carrierId)?.environment === 'sandbox',
    ...createFailover({ ...parts, up, runs, downForLong, nudge: (carrierId) => lanes.get(carrierId)?.lane.nudge() }),
    report,
    receiptGap,
    newestReceipts: (carrierId) => meters.get(carrierId)?.newestReceipts() ?? [],
    reported: (receipts) => {
      for (const [id, list] of Map.groupBy(receipts, ({ carrier }) => carrier)) meters.get(id)?.reported(list);
    },
    isPaused,
    pausedSince: (carrierId) => paused?.get(carrierId) ?? null,
    pause: async (carrierId, wanted) => {
      const next = new Map(place.isShared ? await board.readPaused() : paused);
      if (wanted) next.set(carrierId, clock.now());
      else next.delete(carrierId);
      await board.writePaused(next);
      logger.info({ carrier: carrierId }, wanted ? 'carrier paused' : 'carrier goes on');
      takePaused(next);
    },
    status,
    stop: async (drainMs) => {
      stopped = true;
      cancelNudge();
      const left = owners?.leave();
      await Promise.all([...lanes.values()].map(({ lane }) => lane.stop(drainMs)));
      await left;
      await owners?.giveUpAll();
    },
  };
}
