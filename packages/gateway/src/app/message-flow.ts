/**
 * Wires the way of a message: acceptance, lanes with their carriers, outcomes, what comes back, consent, media, and what
 * time does. Decides nothing about messages.
 */
import { createAdapters } from '../carriers/open.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { Directory } from '../domain/directory.ts';
import type { Ids } from '../domain/ids.ts';
import type { InboundMmsLimits } from '../domain/inbound-limits.ts';
import type { Limits } from '../domain/limits.ts';
import type { Logger } from '../domain/logger.ts';
import { type Acceptor, createAcceptor } from '../flow/accept.ts';
import { type CarrierNews, createCarrierNews } from '../flow/carrier-news.ts';
import { createRetentionKeeper, type RetentionKeeper } from '../flow/company/retention.ts';
import { type Consent, createConsent } from '../flow/consent.ts';
import { createKeeper, type Keeper } from '../flow/keeper.ts';
import { createLanes, type Lanes } from '../flow/lanes.ts';
import { createLimitWatch, type LimitWatch } from '../flow/limit-watch.ts';
import { createPace, type Pace } from '../flow/pace.ts';
import { createQuietRelease } from '../flow/quiet-hours.ts';
import { createReceiver } from '../flow/receive.ts';
import { createReferences } from '../flow/reference.ts';
import { createSettler } from '../flow/settle.ts';
import type { TrustedClock } from '../flow/trusted-clock.ts';
import type { Sealer } from '../kernel/sealing.ts';
import { unsealedCarrier } from '../records/carrier-secrets.ts';
import type { Store } from '../store/store.ts';
import { type MediaRoom, type Mms, openMms } from './mms.ts';

export interface MessageFlow {
  readonly acceptor: Acceptor;
  readonly consent: Consent;
  readonly lanes: Lanes;
  readonly news: CarrierNews;
  readonly keeper: Keeper;
  readonly retention: RetentionKeeper;
  readonly mms: Mms;
  readonly pace: Pace;
  readonly limitWatch: LimitWatch;
}

export interface MessageFlowParts {
  clock: Clock;
  /** Why the machine's clock is not believed; null = it is. */
  doubt: TrustedClock['doubt'];
  random: Random;
  ids: Ids;
  limits: Limits;
  logger: Logger;
  store: Store;
  sealer: Sealer;
  directory(): Directory;
  room: MediaRoom;
  dataDir: string;
  uncertainWaitMs: number;
  /** With which an adapter that listens offers TLS. */
  tls: { cert: string; key: string } | undefined;
  inboundMms: InboundMmsLimits;
  broken(error: unknown): void;
  /** Writes what of the log of calls is in memory only. */
  flushRequests?(): Promise<void>;
}

/** Starts nothing but what it must know to accept: who wants no messages. */
export async function openMessageFlow(parts: MessageFlowParts): Promise<MessageFlow> {
  const { store, sealer, room } = parts;
  const adapters = createAdapters();
  const nextReference = createReferences(parts.random);
  // What follows asks the send queues, which are made after it and out of it.
  const carrierUp = (carrierId: string): boolean => lanes.up(carrierId);
  const consent = createConsent({ ...parts, nextReference, carrierUp });
  await consent.load();
  const receiver = createReceiver({
    ...parts,
    consent,
    media: room.media,
    mediaUrls: room.urls,
    nudge: (lane) => lanes.nudge(lane),
  });
  const settler = createSettler({
    ...parts,
    isSandbox: (lane) => lanes.isSandbox(lane),
    nextLane: (claim) => lanes.nextLane(claim),
  });
  const news = createCarrierNews(parts);
  const limitWatch = createLimitWatch(parts.clock);
  const pace = createPace({
    ...parts,
    warn: (warning) => {
      limitWatch.warned(warning);
      parts.logger.warn(warning, 'a campaign has used most of its limit');
    },
  });
  const quietRelease = createQuietRelease(parts);
  const running = createLanes({
    ...parts,
    consent,
    pace,
    settler,
    receiver,
    media: room.media,
    loadKinds: adapters.load,
    openCarrier: (record) => adapters.open(unsealedCarrier(record, sealer), parts),
    linked: news.link,
  });
  const follow = (): Promise<void> => {
    pace.follow();
    quietRelease.follow();
    return running.follow();
  };
  const stop = (drainMs: number): Promise<void> =>
    running.stop(drainMs).then(async () => void (await Promise.all([pace.stop(), quietRelease.stop()])));
  const lanes: Lanes = { ...running, follow, stop };
  const retention = createRetentionKeeper(parts);
  const time = createKeeper({ ...parts, lanes });
  const keeper: Keeper = {
    ...time,
    start: () => {
      time.start();
      retention.start();
    },
    stop: async () => {
      await Promise.all([time.stop(), retention.stop()]);
    },
  };
  const mms = openMms({ ...parts, consent, lanes, nextReference });
  const acceptor = createAcceptor({
    ...parts,
    store,
    lanes,
    consent,
    nextReference,
    mediaWork: mms.work,
    mediaRoom: mms.hasRoom,
  });
  return { acceptor, consent, lanes, news, keeper, retention, mms, pace, limitWatch };
}
