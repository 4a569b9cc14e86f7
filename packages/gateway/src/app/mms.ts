/**
 * Wires everything that pictures need beside a text: the media room, the worker that gets media ready, the text instead of
 * an MMS, the sweep, and the doors of media. Decides nothing about messages.
 */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Random } from '../domain/clock.ts';
import type { Directory } from '../domain/directory.ts';
import type { Ids } from '../domain/ids.ts';
import type { Limits } from '../domain/limits.ts';
import type { Logger } from '../domain/logger.ts';
import type { Media } from '../domain/media.ts';
import { createMediaUrls, type MediaUrls } from '../domain/media-url.ts';
import type { Consent } from '../flow/consent.ts';
import type { Lanes } from '../flow/lanes.ts';
import { createMediaKeeping } from '../flow/media-keeping.ts';
import { createMediaWork, type MediaWork } from '../flow/media-work.ts';
import { createMmsFallback, type MmsFallback } from '../flow/mms-fallback.ts';
import { mediaRoutes } from '../http/media-routes.ts';
import type { RouteModule } from '../http/server.ts';
import { version } from '../kernel/version.ts';
import { openMedia } from '../media/open.ts';
import { createOwnMedia } from '../media/own.ts';
import type { Store } from '../store/store.ts';
import type { Outside } from './outside.ts';

/** With less left on the disk of the media no MMS and no upload is accepted: what is accepted already needs it. */
const freeBytesMin = 64 * 1024 * 1024;
/** With less left carriers are told to bring their media later, too. Until then they may have some of the reserve. */
const freeBytesMinInbound = 16 * 1024 * 1024;

export interface MediaRoom {
  readonly media: Media;
  readonly urls: MediaUrls;
}

/** The bytes, and the URLs under which they are given out. One process at a time: behind the node lock. */
export async function openMediaRoom(parts: {
  dataDir: string;
  clock: Clock;
  random: Random;
  logger: Logger;
  store: Store;
  outside: Outside;
  /** Signs URLs of media. */
  key: Uint8Array;
  baseUrl(): string;
}): Promise<MediaRoom> {
  const { dataDir, clock, random, logger, store, outside } = parts;
  const urls = createMediaUrls(parts);
  const own = createOwnMedia({ urls, mediaLink: store.mediaLink, now: clock.now });
  const { guarded, policy } = outside;
  const media = await openMedia({ dataDir, clock, random, logger, guarded, policy, own, version });
  const keep: Media['keep'] = async (bytes, declared) =>
    (await freeBytes(dataDir)) < freeBytesMinInbound
      ? { kind: 'later', why: 'disk-full' }
      : media.keep(bytes, declared);
  return { urls, media: { ...media, keep } };
}

/** On the disk of the media. */
async function freeBytes(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(join(dataDir, 'media'));
  return bavail * bsize;
}

export interface Mms {
  readonly work: MediaWork;
  readonly fallback: MmsFallback;
  readonly routes: RouteModule[];
  /** False while the disk of the media is nearly full. */
  hasRoom(): Promise<boolean>;
  start(): void;
  /** Prepares and sweeps nothing more. The media can still be read. */
  stop(): Promise<void>;
}

export interface MmsParts {
  dataDir: string;
  clock: Clock;
  random: Random;
  ids: Ids;
  limits: Limits;
  logger: Logger;
  store: Store;
  directory(): Directory;
  consent: Consent;
  room: MediaRoom;
  lanes: Pick<Lanes, 'nudge' | 'up' | 'mediaBytesMax'>;
  nextReference(to: string): number;
  broken(error: unknown): void;
}

export function openMms(parts: MmsParts): Mms {
  const { store, lanes, dataDir } = parts;
  const { media, urls } = parts.room;
  const hasRoom = async () => (await freeBytes(dataDir)) >= freeBytesMin;
  const work = createMediaWork({ ...parts, media, budgetOf: lanes.mediaBytesMax, nudge: (lane) => lanes.nudge(lane) });
  const keeping = createMediaKeeping({ ...parts, media });
  const fallback = createMmsFallback({
    ...parts,
    carrierUp: lanes.up,
    nudge: (lane, count) => lanes.nudge(lane, count),
  });
  return {
    work,
    fallback,
    routes: [mediaRoutes({ store, media, urls, hasRoom })],
    hasRoom,
    start: () => {
      work.start();
      keeping.start();
    },
    stop: async () => {
      await work.stop();
      await keeping.stop();
    },
  };
}
