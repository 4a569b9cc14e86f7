/**
 * Where media and evidence are stored: in the configured bucket, else in PostgreSQL if that is the store, else in the
 * data folder. Files stored elsewhere by an earlier version or setting are still read, and moved in the background.
 */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { openMediaFiles } from '../media/files.ts';
import { createFileMove, type Move, withFormer } from '../media/former-places.ts';
import { type FilePlace, filesIn } from '../media/place.ts';
import type { MediaFiles } from '../model/media.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';

export interface FileStores {
  readonly media: MediaFiles;
  readonly evidence: MediaFiles;
  /** True if other nodes store files here too. */
  readonly shared: boolean;
  /** Free space for new files; infinite if the disk is not this machine's. */
  freeBytes(): Promise<number>;
  readonly parts: readonly Part[];
}

/** A place for each kind of file. */
interface FileStorage {
  /** For the log. */
  readonly name: string;
  folder(kind: Kind): FilePlace | Promise<FilePlace>;
  close(): void | Promise<void>;
}

const kinds = ['media', 'evidence'] as const;
type Kind = (typeof kinds)[number];

export interface FileStoresPorts {
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'mediaBucket'>;
  /** Aborted when a stop no longer waits for the database. */
  givenUp?: AbortSignal;
}

/**
 * Throws StoreRefused for an unusable bucket. Call under the node lock: only one process at a time may use the data
 * folder.
 */
export async function openFileStores(
  { clock, random, logger }: Pick<Context, 'clock' | 'random' | 'logger'>,
  { config: { dataDir, databaseUrl, mediaBucket }, givenUp }: FileStoresPorts,
): Promise<FileStores> {
  const { now } = clock;
  const data: FileStorage = {
    name: 'the data folder',
    folder: (kind) => openMediaFiles({ dataDir, folder: kind, random, now }),
    close: () => {},
  };
  const database: FileStorage | null =
    databaseUrl === null
      ? null
      : {
          name: 'the database',
          ...(await import('../store/postgres-files.ts')).openPostgresFiles({
            databaseUrl: databaseUrl.reveal(),
            now,
            givenUp,
          }),
        };
  const bucket: FileStorage | null =
    mediaBucket === null
      ? null
      : {
          name: 'the bucket',
          ...(await (await import('../media/open-bucket.ts')).openBucket(mediaBucket, { random, logger, now })),
        };
  const storages = [bucket, database, data].filter((storage) => storage !== null);
  const [storage = data] = storages;
  const moves: Move[] = [];

  async function open(kind: Kind): Promise<MediaFiles> {
    const place = await storage.folder(kind);
    const former: FilePlace[] = [];
    for (const old of storages.slice(1)) {
      if (old === data && !existsSync(join(dataDir, kind))) continue;
      const from = await old.folder(kind);
      former.push(from);
      moves.push({ what: `${kind} of ${old.name}`, from, to: place });
    }
    return filesIn(withFormer(place, former));
  }

  const [media, evidence] = [await open('media'), await open('evidence')];
  const move = createFileMove({ clock, logger, moves });
  return {
    media,
    evidence,
    shared: storage !== data,
    freeBytes: () => (storage === data ? freeBytes(join(dataDir, 'media')) : Promise.resolve(Number.POSITIVE_INFINITY)),
    parts: [
      { name: 'file move', start: move.start, stop: move.stop },
      { name: 'file stores', stop: async () => void (await Promise.all(storages.map((one) => one.close()))) },
    ],
  };
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
