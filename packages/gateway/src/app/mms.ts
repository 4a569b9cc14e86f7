/** Wires MMS: media store, media worker, SMS fallback, clean-up, media routes. */
import type { RouteModule } from '../http/server.ts';
import { version } from '../kernel/version.ts';
import { openMedia } from '../media/open.ts';
import { createOwnMedia } from '../media/own.ts';
import type { Consent } from '../messaging/consent/consent.ts';
import { createMediaWork, type MediaWork } from '../messaging/media/media-work.ts';
import { createMmsFallback, type MmsFallback } from '../messaging/media/mms-fallback.ts';
import type { Lanes } from '../messaging/send-queue/lanes.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import { defaultLimits } from '../model/limits.ts';
import type { Media } from '../model/media.ts';
import { createMediaUrls, type MediaUrls } from '../model/media-url.ts';
import { createMediaKeeping } from '../subjects/media/media-keeping.ts';
import { mediaRoutes } from '../subjects/media/media-routes.ts';
import type { Context } from './context.ts';
import type { EgressPolicy } from './egress-policy.ts';
import type { FileStores } from './file-stores.ts';
import type { Part } from './lifecycle.ts';
import type { OwnAddress } from './own-address.ts';
import type { Store } from './store.ts';
import type { Metrics } from './telemetry.ts';

/** With less free space on the media disk, no MMS and no upload is accepted: accepted messages need the rest. */
const freeBytesMin = 64 * 1024 * 1024;
/** Below this, carriers are also asked to retry later. Above it, inbound media may use part of the reserve. */
const freeBytesMinInbound = 16 * 1024 * 1024;

export interface MediaStorage {
  readonly media: Media;
  readonly urls: MediaUrls;
  readonly parts: readonly Part[];
}

export interface MediaStoragePorts {
  /** Where the bytes are stored. */
  files: Pick<FileStores, 'media' | 'freeBytes'>;
  store: Store;
  egress: Pick<EgressPolicy, 'guarded' | 'policy'>;
  address: Pick<OwnAddress, 'baseUrl'>;
  /** Signs URLs of media. */
  mediaUrlKey: Uint8Array;
}

/** Stores the bytes, and signs the URLs under which they are served. */
export function openMediaStorage(
  { clock, logger }: Pick<Context, 'clock' | 'logger'>,
  { files, store, egress, address, mediaUrlKey }: MediaStoragePorts,
): MediaStorage {
  const urls = createMediaUrls({ key: mediaUrlKey, baseUrl: address.baseUrl });
  const own = createOwnMedia({ urls, mediaLink: store.mediaLink, now: clock.now });
  const { guarded, policy } = egress;
  const media = openMedia({ files: files.media, clock, logger, guarded, policy, own, version });
  const keep: Media['keep'] = async (bytes, declared) =>
    (await files.freeBytes()) < freeBytesMinInbound ? { kind: 'later', why: 'disk-full' } : media.keep(bytes, declared);
  return { urls, media: { ...media, keep }, parts: [{ name: 'media store', stop: media.close }] };
}

export interface Mms {
  readonly work: MediaWork;
  readonly fallback: MmsFallback;
  readonly routes: RouteModule[];
  /** False while the media disk is nearly full. */
  hasCapacity(): Promise<boolean>;
  /** Once stopped, they prepare and sweep nothing more. Media can still be read. */
  readonly parts: readonly Part[];
}

export interface MmsPorts {
  files: Pick<FileStores, 'freeBytes'>;
  store: Store;
  directory: Pick<DirectoryFollower, 'current'>;
  consent: Consent;
  mediaStorage: MediaStorage;
  lanes: Pick<Lanes, 'nudge' | 'up' | 'mediaBytesMax'>;
  /** Null = preparation times are not measured. */
  metrics: Pick<Metrics, 'timeMedia'> | null;
  nextReference(to: string): number;
}

export function openMms(context: Context, ports: MmsPorts): Mms {
  const { store, lanes, files, consent, nextReference, metrics } = ports;
  const { media, urls } = ports.mediaStorage;
  const common = { ...context, store, media, directory: ports.directory.current };
  const hasCapacity = async () => (await files.freeBytes()) >= freeBytesMin;
  const work = createMediaWork({
    ...common,
    media: metrics?.timeMedia(media) ?? media,
    budgetOf: lanes.mediaBytesMax,
    nudge: (lane) => lanes.nudge(lane),
  });
  const keeping = createMediaKeeping(common);
  const fallback = createMmsFallback({
    ...common,
    limits: defaultLimits,
    consent,
    nextReference,
    carrierUp: lanes.up,
    nudge: (lane, count) => lanes.nudge(lane, count),
  });
  const part: Part = {
    name: 'media work',
    duty: 'media',
    start: () => {
      work.start();
      keeping.start();
    },
    stop: async () => {
      await Promise.all([work.stop(), keeping.stop()]);
    },
  };
  return { work, fallback, routes: [mediaRoutes({ store, media, urls, hasCapacity })], hasCapacity, parts: [part] };
}
