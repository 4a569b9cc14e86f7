/** Wires the send queues with their carriers: pacing, quiet hours, settlement, receipts and replies, carrier watch. */
import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Carrier } from '../carriers/carrier.ts';
import { kindOf } from '../carriers/kinds.ts';
import { createAdapters } from '../carriers/open.ts';
import type { Sealer } from '../kernel/sealing.ts';
import { type Backlog, createBacklog } from '../messaging/accept/backlog.ts';
import type { Consent } from '../messaging/consent/consent.ts';
import { createLimitWatch, type LimitWatch } from '../messaging/pace/limit-watch.ts';
import { createPace, type Pace } from '../messaging/pace/pace.ts';
import { acrossCells, type ReceiptOwner } from '../messaging/receive/other-cells.ts';
import { createReceiver, type Receiver } from '../messaging/receive/receive.ts';
import { type CarrierNotifier, createCarrierNotifier } from '../messaging/send-queue/carrier-notifier.ts';
import { type CarrierWatch, createCarrierWatch } from '../messaging/send-queue/carrier-watch.ts';
import { countedBy } from '../messaging/send-queue/lane-meter.ts';
import { createLanes, type Lanes } from '../messaging/send-queue/lanes.ts';
import type { DutyWork } from '../messaging/send-queue/owners.ts';
import { createQuietRelease } from '../messaging/send-queue/quiet-hours.ts';
import { createSettler } from '../messaging/send-queue/settle.ts';
import type { DirectoryFollower, Memory } from '../messaging/time/memory.ts';
import { stopDrainMs } from '../model/limits.ts';
import type { HistoryCounter } from '../subjects/carrier-history/history-counter.ts';
import type { OpenShare } from '../subjects/cells/rate-lending.ts';
import { unsealedCarrier } from '../subjects/records/carrier-secrets.ts';
import type { Cells } from './cells.ts';
import type { Certificate } from './certificate.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';
import type { MediaStorage } from './mms.ts';
import type { Store } from './store.ts';
import type { Metrics } from './telemetry.ts';

/** What carriers get to close once the store is given up, as their answers cannot be stored. */
const lastMomentMs = 1_000;

export interface SendQueues {
  readonly lanes: Lanes;
  readonly carrierNotifier: CarrierNotifier;
  readonly watch: CarrierWatch;
  readonly pace: Pace;
  readonly limitWatch: LimitWatch;
  readonly backlog: Backlog;
  /** Stores what carriers deliver to this cell. */
  readonly receiver: Receiver;
  readonly parts: readonly Part[];
}

export interface SendQueuesPorts {
  config: Pick<Config, 'uncertainWaitMs' | 'waitingSecondsMax' | 'inboundMms'>;
  store: Store;
  /** Aborted when a stop no longer waits for the store. */
  givenUp: AbortSignal;
  sealer: Sealer;
  directory: Pick<DirectoryFollower, 'current'>;
  mediaStorage: MediaStorage;
  consent: Consent;
  memory: Memory;
  /** The certificate for adapters that listen with TLS; null without https. */
  certificate: Pick<Certificate, 'cert' | 'key'> | null;
  /** Null = no metrics. */
  metrics: Pick<Metrics, 'carriers' | 'cells'> | null;
  /** With several nodes: runs the duties of this one. */
  duties: DutyWork;
  /** Null when there is only one cell. */
  cells: Pick<Cells, 'carriers' | 'lending'> | null;
  /** For the history of carriers. */
  counter: Pick<HistoryCounter, 'countsOf'>;
}

export function openSendQueues(context: Context, ports: SendQueuesPorts): SendQueues {
  const { logger, clock } = context;
  const { store, sealer, mediaStorage, consent, memory, config, metrics, counter, cells } = ports;
  const common = { ...context, store, consent, memory, directory: ports.directory.current };
  // Functions, because both need the queues, which are created later and need both.
  const own = createReceiver({
    ...common,
    media: mediaStorage.media,
    mediaUrls: mediaStorage.urls,
    nudge: (lane) => lanes.nudge(lane),
  });
  const count = (place: ReceiptOwner): void => metrics?.cells.receipt(place);
  const receiver = cells === null ? own : acrossCells({ ...common, own, others: cells.carriers, count });
  const settler = createSettler({
    ...common,
    uncertainWaitMs: config.uncertainWaitMs,
    isSandbox: (lane) => lanes.isSandbox(lane),
    nextLane: (claim) => lanes.nextLane(claim),
  });
  const carrierNotifier = createCarrierNotifier(common);
  if (metrics !== null) {
    // The one that acts counts for all.
    carrierNotifier.onLink((carrierId, up) => store.place.acts() && metrics.carriers.link(carrierId, up));
  }
  const limitWatch = createLimitWatch(clock);
  const pace = createPace({
    ...common,
    ...(store.place.isShared && { shared: store }),
    warn: (warning) => {
      limitWatch.warned(warning);
      logger.warn(warning, 'a campaign has used most of its limit');
    },
  });
  const quietRelease = createQuietRelease(common);
  const adapters = createAdapters();
  const { mayHandOver } = store;
  const carrierDeps = { ...context, mayHandOver, tls: ports.certificate ?? undefined, inboundMms: config.inboundMms };
  const running = createLanes({
    ...common,
    pace,
    settler: {
      ...settler,
      settle: (answered) => {
        backlog.answered(answered);
        return settler.settle(answered);
      },
    },
    receiver,
    media: mediaStorage.media,
    loadKinds: adapters.load,
    openCarrier: (record, takesOnly) => {
      const unsealed = unsealedCarrier(record, sealer);
      const share = takesOnly ? null : (cells?.lending.open(record) ?? null);
      const carrier = adapters.open(unsealed, { ...carrierDeps, takesOnly, ...(share && { rateShare: share }) });
      return share === null ? carrier : withShare(carrier, share, clock);
    },
    nodeName: hostname(),
    duties: ports.duties,
    uncertainWaitMs: config.uncertainWaitMs,
    arrivesAnywhere: (record) => kindOf(record).httpPaths.length > 0 || kindOf(record).listens,
    linked: carrierNotifier.link,
    linkSeen: carrierNotifier.seen,
    carrierCounts: (carrierId) => {
      const own = counter.countsOf(carrierId);
      return metrics === null ? own : countedBy(metrics.carriers.countsOf(carrierId), own);
    },
  });
  /** Only the acting node releases messages held by quiet hours. */
  function followLimits(): void {
    pace.follow();
    if (store.place.acts()) quietRelease.follow();
  }
  const lanes: Lanes = {
    ...running,
    start: () => {
      followLimits();
      return running.start();
    },
    follow: () => {
      followLimits();
      return running.follow();
    },
    takeOver: () => {
      followLimits();
      return running.takeOver();
    },
    stop: async (drainMs) => {
      await running.stop(drainMs);
      await Promise.all([pace.stop(), quietRelease.stop()]);
    },
  };
  const backlog = createBacklog({
    ...common,
    isPaused: lanes.isPaused,
    secondsMaxDefault: config.waitingSecondsMax,
  });
  const watch = createCarrierWatch({ clock, logger, lanes });
  const parts: Part[] = [
    {
      name: 'send queues',
      start: lanes.start,
      takeOver: lanes.takeOver,
      stop: () => drain(lanes, { givenUp: ports.givenUp, logger }),
    },
    { name: 'carrier notifier', stop: carrierNotifier.stop },
    { name: 'backlog', start: backlog.start, stop: backlog.stop },
    { name: 'carrier watch', start: watch.start, stop: watch.stop },
  ];
  return { lanes, carrierNotifier, watch, pace, limitWatch, backlog, receiver: own, parts };
}

/** It lends and borrows until it is stopped. */
function withShare(carrier: Carrier, share: OpenShare, clock: Context['clock']): Carrier {
  return {
    ...carrier,
    status: () => ({ ...carrier.status(), perSecond: share.perSecond(clock.monotonicMs()) }),
    stop: (drainMs) => {
      share.close();
      return carrier.stop(drainMs);
    },
  };
}

/** Waits for the results of carriers, but not for a store that the stop has given up. */
async function drain(
  lanes: Lanes,
  { givenUp, logger }: Pick<SendQueuesPorts, 'givenUp'> & Pick<Context, 'logger'>,
): Promise<void> {
  const settled = lanes.stop(stopDrainMs).then(() => true);
  if (!(await Promise.race([settled, lastMoment(givenUp)]))) {
    logger.error({}, 'stopped without the store: what carriers answered last is uncertain at the next start');
  }
}

/** Resolves with false when the carriers have had a moment to close after the store was given up. */
async function lastMoment(givenUp: AbortSignal): Promise<boolean> {
  if (!givenUp.aborted) await once(givenUp, 'abort');
  await wait(lastMomentMs, undefined, { ref: false });
  return false;
}
