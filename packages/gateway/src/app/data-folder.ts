/** Restricts the data folder and our files in it to their owner, at each start. Leaves other files alone. */
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import type { Logger } from '../kernel/logger.ts';
import { makeFolder } from '../kernel/make-folder.ts';
import { startCommand } from '../kernel/start-command.ts';
import { StoreRefused } from '../store/faults.ts';

const othersMask = 0o077;
const writableByAll = 0o002;
/** A folder shared by all users, like /tmp. */
const sticky = 0o1000;

const ourFiles = /^(store\.|node\.lock|first-steps\.json|restored\.part|listen-)/;
/** Including their contents. */
const ourFolders = /^(backups|evidence|before-restore-.*)$/;
/** Each file in it is created for its owner only, and there may be many. */
const mediaFolder = 'media';

/** Paths that were open to other users, with their earlier mode, like `0755`; empty if none was. */
export interface Mended {
  path: string;
  mode: string;
}

export interface DataFolderReport {
  mended: Mended[];
  /** Paths that stay open because another user owns them. */
  open: Mended[];
}

/** Closes the folder and reports once which files other users could read until now, because they may have read them. */
export function guardDataFolder(dataDir: string, logger: Logger): void {
  const { mended, open } = closeDataFolder(dataDir);
  if (mended.length > 0) {
    const { path, mode } = mended[0]!;
    logger.warn(
      { count: mended.length, path, mode },
      'files of the data folder were open to others; they are closed now',
    );
  }
  if (open.length > 0) {
    const { path, mode } = open[0]!;
    logger.warn({ count: open.length, path, mode }, 'the data folder is open to others and belongs to another user');
  }
}

/** Creates the folder when it is missing. Throws StoreRefused for a folder that all users share. */
export function closeDataFolder(dataDir: string): DataFolderReport {
  makeFolder(dataDir);
  const report: DataFolderReport = { mended: [], open: [] };
  if (process.platform === 'win32') return report;
  const path = resolve(dataDir);
  if (path === parse(path).root || (lstatSync(path).mode & sticky) !== 0) {
    throw new StoreRefused(
      `${path} belongs to everybody. Choose a folder of its own: HELIO_DATA=./data ${startCommand}`,
    );
  }
  close(dataDir, report);
  for (const name of readdirSync(dataDir)) {
    const inner = join(dataDir, name);
    if (ourFolders.test(name)) closeAll(inner, report);
    else if (ourFiles.test(name) || name === mediaFolder) close(inner, report);
  }
  for (const { path, mode } of report.open) {
    if ((Number.parseInt(mode, 8) & writableByAll) !== 0) {
      throw new StoreRefused(
        `${path} can be changed by everybody (mode ${mode}), and is not ours. Run: chmod o-w ${path}`,
      );
    }
  }
  return report;
}

function closeAll(path: string, report: DataFolderReport): void {
  if (!close(path, report)) return;
  for (const name of readdirSync(path)) closeAll(join(path, name), report);
}

/** True for a folder. */
function close(path: string, report: DataFolderReport): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  // The target of a link is not ours to change.
  if (stat === undefined || stat.isSymbolicLink()) return false;
  if ((stat.mode & othersMask) === 0) return stat.isDirectory();
  const entry = { path, mode: `0${(stat.mode & 0o777).toString(8)}` };
  try {
    chmodSync(path, stat.mode & 0o777 & ~othersMask);
    report.mended.push(entry);
  } catch {
    report.open.push(entry);
  }
  return stat.isDirectory();
}
