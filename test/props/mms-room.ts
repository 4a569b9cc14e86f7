/**
 * The media store of a stopped gateway, compared with its database: sweeps as the gateway would after its waits, and
 * reports leftover, missing and damaged files. Uses the product's store and sweep; checks the rest itself.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { openFileStores } from '../../packages/gateway/src/app/file-stores.ts';
import { openStore } from '../../packages/gateway/src/app/open-store.ts';
import type { Store } from '../../packages/gateway/src/app/store.ts';
import { silentLogger as logger } from '../../packages/gateway/src/kernel/logger.ts';
import { machineClock as clock, machineRandom as random } from '../../packages/gateway/src/kernel/machine.ts';
import { Secret } from '../../packages/gateway/src/kernel/secret.ts';

export interface RoomPlace {
  dataDir: string;
  databaseUrl?: string;
}

/** Lists of hashes, except counts. */
export interface RoomReport {
  /** Files that the sweep deleted. */
  deleted: number;
  /** Files that remain after it. */
  files: string[];
  /** Files that no list in the database names. */
  orphans: string[];
  /** Named by a list in the database, but without a file. */
  missing: string[];
  /** Files whose content does not match their name. */
  damaged: string[];
  /** Files that a crash left half written. */
  unfinished: number;
  /** Requests whose media are still to be prepared. */
  jobs: number;
}

const kept = 30 * 24 * 3_600_000;
const forgetMax = 500;

/**
 * Sweeps with every file old enough to be deleted; with `retentionOver` the retention of the media of final messages is
 * over too. `plant` wraps the store for the sweep.
 */
export async function collectMedia(
  place: RoomPlace,
  {
    retentionOver = false,
    plant = (store: Store) => store,
  }: { retentionOver?: boolean; plant?: (store: Store) => Store } = {},
): Promise<RoomReport> {
  const unfinished = unfinishedFiles(place.dataDir);
  const opened = await openStore({ ...place, role: 'node', clock });
  const store = plant(opened);
  let deleted = 0;
  try {
    const soon = clock.now() + 1_000;
    const keptSince = retentionOver ? soon : soon - kept;
    while (await store.forgetMedia({ now: clock.now(), keptSince, limit: forgetMax }));
    const databaseUrl = place.databaseUrl === undefined ? null : new Secret(place.databaseUrl);
    const config = { dataDir: place.dataDir, databaseUrl, mediaBucket: null };
    const files = await openFileStores({ clock, random, logger }, { config });
    deleted = await files.media.sweep({
      putBefore: soon,
      needed: async (hashes) => new Set(await store.neededMedia({ hashes: [...hashes], now: clock.now(), keptSince })),
    });
    for (const part of files.parts) await part.stop?.();
  } finally {
    await opened.close();
  }
  return { ...(await lookAtMedia(place)), deleted, unfinished };
}

/** The same without a sweep: opens nothing of the product, so that it can be used on a disk right after a cut. */
export async function lookAtMedia(place: RoomPlace): Promise<RoomReport> {
  const files = place.databaseUrl === undefined ? mediaFiles(place.dataDir) : await databaseFiles(place);
  const listed = new Set(await ask(place, "select distinct hash as v from message_media where hash <> ''"));
  return {
    deleted: 0,
    files: files.map(({ name }) => name),
    orphans: files.map(({ name }) => name).filter((name) => !listed.has(name)),
    missing: [...listed].filter((name) => !files.some((file) => file.name === name)),
    damaged: files.filter(({ name, content }) => content() !== name).map(({ name }) => name),
    unfinished: unfinishedFiles(place.dataDir),
    jobs: (await ask(place, 'select request_id as v from media_jobs')).length,
  };
}

interface Found {
  name: string;
  /** The hash of its content. */
  content(): string;
}

/** The files in PostgreSQL, read from its own tables. */
async function databaseFiles(place: RoomPlace): Promise<Found[]> {
  const whole = `select string_agg(c.bytes, '' order by c.position) from media_chunks c
    where c.folder = f.folder and c.hash = f.hash`;
  const sql = `select hash || ' ' || encode(sha256(coalesce((${whole}), '')), 'hex') as v
    from media_files f where folder = 'media'`;
  return (await ask(place, sql)).map((row) => {
    const [name = '', held = ''] = row.split(' ');
    return { name, content: () => held };
  });
}

function mediaFiles(dataDir: string): Found[] {
  const root = join(dataDir, 'media');
  return readdirSync(root)
    .filter((folder) => /^[0-9a-f]{2}$/.test(folder))
    .flatMap((folder) =>
      readdirSync(join(root, folder)).map((rest) => ({
        name: folder + rest,
        content: () => hash('sha256', readFileSync(join(root, folder, rest))),
      })),
    );
}

function unfinishedFiles(dataDir: string): number {
  const folder = join(dataDir, 'media', 'unfinished');
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

async function ask({ dataDir, databaseUrl }: RoomPlace, sql: string): Promise<string[]> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataDir, 'store.db'));
    try {
      return database
        .prepare(sql)
        .all()
        .map((row) => String(row.v));
    } finally {
      database.close();
    }
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<{ v: string }>(sql)).rows.map((row) => row.v);
  } finally {
    await client.end();
  }
}
