/**
 * The mark in the data folder of a SQLite store that was moved or is being moved, so that nobody uses it by mistake.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replacePrivateFile } from '../../kernel/private-file.ts';
import { StoreRefused } from '../faults.ts';

export interface MoveMark {
  /** Id of the move in the target. */
  id: string;
  /** ISO 8601. */
  at: string;
  /** Host, port and database. */
  to: string;
  /** True once all rows are copied and checked. */
  isDone: boolean;
}

export const markPath = (dataDir: string): string => join(dataDir, 'store.moved');

/** Null when there is none. */
export function readMoveMark(dataDir: string): MoveMark | null {
  const path = markPath(dataDir);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as MoveMark) : null;
}

/** On disk when it returns. */
export function writeMoveMark(dataDir: string, mark: MoveMark): void {
  replacePrivateFile(markPath(dataDir), `${JSON.stringify(mark)}\n`);
}

/** Throws StoreRefused before any file of the store is touched. */
export function refuseMoved(dataDir: string): void {
  const mark = readMoveMark(dataDir);
  if (mark === null) return;
  const path = markPath(dataDir);
  throw new StoreRefused(
    mark.isDone
      ? `This store was moved to PostgreSQL (${mark.to}) on ${mark.at}; what happened since is there alone. Set HELIO_DATABASE_URL. To go back to what it was then, remove ${path}.`
      : `The move of this store to PostgreSQL (${mark.to}) has not ended. Let it go on: npx helio migrate-store --from sqlite --to postgres. To give it up, remove ${path}.`,
  );
}
