/**
 * All send queues of this node: opens one per enabled carrier and follows changes of the records. With several nodes,
 * each opens the queues it owns.
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

/** After this long, the queue of a carrier that is down moves to the next carrier in failover order. */
const failoverAfterMs = 5_000;
/** How long a carrier whose record changed may finish what it has. */
const closeDrainMs = 10_000;
/** How often lanes look for what became due by time, and for messages that other nodes accepted. */
const nudgeEveryMs = 250;
/** Without other nodes only a retry becomes due unseen: a lane that is not active looks only so seldom. */
const quietNudges = 4;

export interface LanesParts extends Omit<LaneParts, 'carrier' | 'linkChanged' | 'store'> {
  clock: Clock;
  random: Random;
  logger: Logger;
  store: Pick<MessageStore, 'claim' | 'queued' | 'relane' | 'queuedLanes' | 'recover'> &
    Pick<StoreBase, 'token' | 'mayHandOver' | 'place' | 'hints'> &
    Pick<MediaStore, 'addFittedMedia'> &
    Pick<SystemStore, 'getSetting' | 'putSetting'> &
    OwnerStore;
  /** This node's name, for display. */
  nodeName: string;
  uncertainWaitMs: number;
  /** Loads the modules that carriers of these kinds need. */
  loadKinds(records: Iterable<CarrierRecord>): Promise<void>;
  /** `takesOnly`: another node owns its lane. */
  openCarrier(record: CarrierRecord, takesOnly: boolean): Carrier;
  /** Whether the peer may connect to any node, so that each must have the carrier open. */
  arrivesAnywhere(record: CarrierRecord): boolean;
  /** A carrier's link went up or down; called on the acting node, whichever node owns the queue. */
  linked(carrierId: string, up: boolean): void;
  /** The same on all other nodes. */
  linkSeen(carrierId: string, up: boolean): void;
  directory(): Directory;
  /** With several nodes: runs the duties of this one. */
  duties: DutyWork;
  /** Counts the answers of a carrier; absent = not counted. */
  carrierCounts?(carrierId: string): CarrierCounts;
}

export interface Lanes extends Failover {
  /** Opens all lanes; with several nodes, those planned for this one. */
  start(): Promise<void>;
  /** Opens, closes and reopens lanes to match the records. */
  follow(): Promise<void>;
  /** This node begins to act: it plans at once which node owns which lane. */
  takeOver(): Promise<void>;
  /** Whether this node owns the lane and may claim in it. */
  isHere(carrierId: string): boolean;
  /** The owner's name, for display; null without an owner, or when there is only one node. */
  nodeOf(carrierId: string): string | null;
  /** This node's name, for display; null when there is only one. */
  readonly node: string | null;
  /** Whether this node owns the duty. */
  hasDuty(duty: Duty): boolean;
  /** All live nodes, as last read; empty when there is only one. */
  nodes(): NodeOwns[];
  nudge(carrierId: string, count?: number): void;
  reserve(carrierId: string, count: number): Reservation | null;
  nudgeAll(): void;
  /** Of all queues that are open here: what is due and not claimed yet, and what was handed over since the start. */
  figures(): Pick<SendingFigures, 'handed' | 'waiting'>;
  up(carrierId: string): boolean;
  isSandbox(carrierId: string): boolean;
  /** The running adapter; undefined when the carrier is disabled or removed. */
  carrier(carrierId: string): Carrier | undefined;
  /** Maximum media bytes of the carrier; 0 when it is not running. */
  mediaBytesMax(carrierId: string): number;
  status(): CarrierStatus[];
  /** The report of a carrier's lane; null when the carrier is disabled or removed. */
  report(carrierId: string): LaneReport | null;
  /** Null before its lane was opened. */
  receiptGap(carrierId: string): ReceiptGap | null;
  /** The newest receipts of a carrier since this start, newest first; at most 2,000. */
  newestReceipts(carrierId: string): Receipt[];
  /** Receipts for messages of these lanes that another cell received. */
  reported(receipts: readonly Receipt[]): void;
  isPaused(carrierId: string): boolean;
  /** Paused since; null when not paused or unknown. */
  pausedSince(carrierId: string): EpochMs | null;
  /** A paused carrier gets nothing more; it finishes what it has, and messages wait. Kept across restarts. */
  pause(carrierId: string, paused: boolean): Promise<void>;
  stop(drainMs: number): Promise<void>;
}

interface OpenLane {
  lane: Lane;
  /** The record it was opened with, as JSON: a different one means reopening. */
  openedWith: string;
  up: boolean;
  downSinceMs: number;
  since: EpochMs;
  detail: string | null;
}

export function createLanes(parts: LanesParts): Lanes {
  const lanes = new Map<string, OpenLane>();
  const { clock, logger } = parts;
  /** Kept when a lane is reopened. */
  const meters = new Map<string, LaneMeter>();
  const logs = new Map<string, CarrierLog>();
  let paused: Paused | null = null;
  let stopped = false;
  let following: Promise<void> = Promise.resolve();
  let cancelNudge = (): void => {};
  /** By carrier, on any node: since when it is down, monotonic ms. */
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
  /** A lane that another node owns claims nothing. */
  const isOpenHere = (record: CarrierRecord): boolean =>
    owners === null ||
    (!owners.isLeaving(record.carrierId) && (owners.has(record.carrierId) || parts.arrivesAnywhere(record)));
  /** On any node. */
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

  /** Takes the answers of carriers that arrived at other nodes. */
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

  /** The enabled carriers of this node by id, once their kinds are loaded. */
  async function wantedCarriers(): Promise<Map<string, CarrierRecord>> {
    for (;;) {
      const { records } = parts.directory();
      const enabled = records.carriers.filter((carrier) => carrier.enabled && isOpenHere(carrier));
      await parts.loadKinds(enabled);
      // The records may have changed meanwhile.
      if (parts.directory().records === records) return new Map(enabled.map((carrier) => [carrier.carrierId, carrier]));
    }
  }

  /** One run at a time: another node may own by now what an earlier run wanted. */
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

  /** Notifies the owner, which would otherwise look within a quarter of a second. */
  function nudge(carrierId: string, count?: number): void {
    if (isHere(carrierId)) lanes.get(carrierId)?.lane.nudge(count);
    else parts.store.hints?.notify(carrierId);
  }

  function nudgeAll(): void {
    for (const { lane } of lanes.values()) lane.nudge();
  }

  function nudgeLater(times = 1): void {
    if (stopped) return;
    cancelNudge = clock.after(nudgeEveryMs, () => {
      const isForAll = owners !== null || times % quietNudges === 0;
      for (const { lane } of lanes.values()) if (isForAll || lane.isActive()) lane.nudge();
      nudgeLater(times + 1);
    });
  }

  return {
    start: async () => {
      await follow();
      await owners?.start();
      nudgeLater();
      parts.store.hints?.onNotified((carrierId) => {
        if (isHere(carrierId)) lanes.get(carrierId)?.lane.nudge();
      });
    },
    follow,
    takeOver: async () => {
      // Only the node that acted before knew which carriers were reported as down.
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
