/**
 * Whole files in PostgreSQL, each under the SHA-256 of its content: media and evidence, for every node to read. A file
 * is written in chunks and in one transaction, over separate sessions, so that a large file never delays messages.
 */
import { hash as digest } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ClientBase, Pool } from 'pg';
import type { EpochMs } from '../kernel/clock.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './faults.ts';
import { isConnectionLoss, meaning } from './postgres-errors.ts';
import { clientConfig, endWithin, prepareSession } from './postgres-session.ts';

/** The extra memory for a file, besides the file itself; the driver's text form takes twice that. */
export const chunkBytes = 256 * 1024;
const sessionsMax = 3;
/** How long other callers wait for a session before they must retry. */
const sessionWaitMs = 5_000;
const listMax = 500;
/** Files deleted in one transaction. */
const removedMax = 50;

type Put = { ok: true; hash: string } | { ok: false; why: 'disk-full' | 'busy' };

/** Rejects with StoreUnavailable while the server does not answer; `put` returns `ok: false` then. */
export interface PostgresFolder {
  put(bytes: Uint8Array): Promise<Put>;
  read(hash: string): Promise<Buffer | null>;
  list(): AsyncIterable<readonly string[]>;
  remove(hashes: readonly string[], putBefore: EpochMs): Promise<number>;
}

export interface PostgresFiles {
  folder(name: string): PostgresFolder;
  close(): Promise<void>;
}

export interface PostgresFilesParts {
  databaseUrl: string;
  now: () => EpochMs;
  /** Aborted when a stop no longer waits for the server. */
  givenUp?: AbortSignal | undefined;
}

/** Connects when it is first used. The schema is the store's, which must be open. */
export function openPostgresFiles({ databaseUrl, now, givenUp }: PostgresFilesParts): PostgresFiles {
  const sockets = new Set<Socket>();
  const pool = new Pool({
    ...clientConfig(databaseUrl, 'heliograph media', sockets, givenUp),
    max: sessionsMax,
    connectionTimeoutMillis: sessionWaitMs,
  });
  // Sessions that die are replaced by the pool; without a listener they would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const prepared = new WeakSet<ClientBase>();

  async function onSession<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    try {
      const client = await pool.connect();
      let lost = false;
      try {
        if (!prepared.has(client)) await prepareSession(client);
        prepared.add(client);
        return await work(client);
      } catch (error) {
        lost = isConnectionLoss(error);
        throw error;
      } finally {
        client.release(lost);
      }
    } catch (error) {
      const meant = meaning(error);
      // The messages' writing session decides whether a returned server may be used at all; a damaged page of a file
      // fails only the messages that need the file.
      const isGrave = meant instanceof StoreRefused || meant instanceof StoreBroken;
      throw isGrave ? new StoreUnavailable('down', meant.message) : meant;
    }
  }

  const inTransaction = <T>(work: (client: ClientBase) => Promise<T>): Promise<T> =>
    onSession(async (client) => {
      try {
        await client.query('begin');
        const result = await work(client);
        await client.query('commit');
        return result;
      } catch (error) {
        if (!isConnectionLoss(error)) await client.query('rollback').catch(() => {});
        throw error;
      }
    });

  return {
    folder: (name) => ({
      async put(bytes) {
        const hash = digest('sha256', bytes, 'hex');
        try {
          await inTransaction((client) => write(client, { folder: name, hash, at: now() }, bytes));
          return { ok: true, hash };
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error;
          return { ok: false, why: error.reason === 'full' ? 'disk-full' : 'busy' };
        }
      },
      async read(hash) {
        const bytes = await onSession((client) => readWhole(client, name, hash));
        return bytes !== null && digest('sha256', bytes, 'hex') === hash ? bytes : null;
      },
      async *list() {
        for (let after = ''; ; ) {
          const values = [name, after, listMax];
          const { rows } = await onSession((client) => client.query<{ hash: string }>(selectHashes, values));
          if (rows.length === 0) return;
          yield rows.map(({ hash }) => hash);
          after = rows.at(-1)!.hash;
        }
      },
      async remove(hashes, putBefore) {
        let removed = 0;
        for (let at = 0; at < hashes.length; at += removedMax) {
          const batch = hashes.slice(at, at + removedMax);
          removed += await inTransaction((client) => deleteOld(client, { folder: name, hashes: batch, putBefore }));
        }
        return removed;
      },
    }),
    close: () => endWithin(pool.end(), sockets),
  };
}

/** The row first: it makes the file young, and a concurrent delete or put of the same file waits for its lock. */
const upsertFile = `
  insert into media_files (folder, hash, size_bytes, put_at) values ($1, $2, $3, $4)
  on conflict (folder, hash) do update set put_at = greatest(media_files.put_at, excluded.put_at)`;
const selectChunkHashes = `
  select encode(sha256(bytes), 'hex') as hash from media_chunks where folder = $1 and hash = $2 order by position`;
const deleteChunks = 'delete from media_chunks where folder = $1 and hash = $2';
const insertChunk = 'insert into media_chunks (folder, hash, position, bytes) values ($1, $2, $3, $4)';
const selectSize = 'select size_bytes from media_files where folder = $1 and hash = $2';
const selectChunk = `
  select encode(bytes, 'hex') as hex from media_chunks where folder = $1 and hash = $2 and position = $3`;
const selectHashes = 'select hash from media_files where folder = $1 and hash > $2 order by hash limit $3';
/** A file being put is locked, and young afterwards. */
const lockOld = `
  select hash from media_files where folder = $1 and hash = any($2) and put_at < $3 order by hash for update skip locked`;
const deleteManyChunks = 'delete from media_chunks where folder = $1 and hash = any($2)';
const deleteManyFiles = 'delete from media_files where folder = $1 and hash = any($2)';

/** An intact file stays; a damaged one is written again. */
async function write(
  client: ClientBase,
  { folder, hash, at }: { folder: string; hash: string; at: EpochMs },
  bytes: Uint8Array,
): Promise<void> {
  await client.query(upsertFile, [folder, hash, bytes.length, at]);
  const chunks = chunksOf(bytes);
  const { rows } = await client.query<{ hash: string }>(selectChunkHashes, [folder, hash]);
  const isWhole = rows.length === chunks.length && rows.every((row, i) => row.hash === digest('sha256', chunks[i]!));
  if (isWhole) return;
  await client.query(deleteChunks, [folder, hash]);
  for (const [position, chunk] of chunks.entries()) await client.query(insertChunk, [folder, hash, position, chunk]);
}

/** Views of the same memory. */
function chunksOf(bytes: Uint8Array): Buffer[] {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: Math.ceil(whole.length / chunkBytes) }, (_, i) =>
    whole.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
}

async function readWhole(client: ClientBase, folder: string, hash: string): Promise<Buffer | null> {
  const { rows: found } = await client.query<{ size_bytes: number }>(selectSize, [folder, hash]);
  if (found[0] === undefined) return null;
  const whole = Buffer.alloc(found[0].size_bytes);
  for (let position = 0; position * chunkBytes < whole.length; position += 1) {
    const { rows } = await client.query<{ hex: string }>(selectChunk, [folder, hash, position]);
    if (rows[0] === undefined) return null;
    whole.write(rows[0].hex, position * chunkBytes, 'hex');
  }
  return whole;
}

async function deleteOld(
  client: ClientBase,
  { folder, hashes, putBefore }: { folder: string; hashes: readonly string[]; putBefore: EpochMs },
): Promise<number> {
  const { rows } = await client.query<{ hash: string }>(lockOld, [folder, hashes, putBefore]);
  const old = rows.map(({ hash }) => hash);
  if (old.length === 0) return 0;
  await client.query(deleteManyChunks, [folder, old]);
  await client.query(deleteManyFiles, [folder, old]);
  return old.length;
}
