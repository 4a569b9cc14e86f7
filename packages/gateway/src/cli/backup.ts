/**
 * `helio backup …`: copies the store beside a running gateway or without one, and restores a copy while no gateway
 * runs. For PostgreSQL it only names the database's own tools; messages that waited in a dump are handled after the
 * restore.
 */
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { backupFolder, backupName, listBackups, makeBackupFolder } from '../app/backups.ts';
import type { Config } from '../app/config.ts';
import { copySqlite, restoreSqlite } from '../app/store-backup.ts';
import { treatAllWaiting } from '../app/waiting-messages.ts';
import { counted } from '../kernel/counted.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { startCommand } from '../kernel/start-command.ts';
import type { WaitingWay } from '../messaging/store/operations/restored.ts';
import { StoreRefused } from '../store/faults.ts';
import type { Terminal } from './terminal.ts';
import { runWithStore } from './tool-store.ts';

const ofPostgres = {
  create:
    'The store is PostgreSQL: nothing was copied. Copy it with: pg_dump --format=custom --file=heliograph.dump "$HELIO_DATABASE_URL"',
  restore: `The store is PostgreSQL: nothing was put back. Stop all gateways; then (docs/backup.md)
as an administrator of the server, in the gateway's database, with the name of its schema and of its role:
  drop schema gateway cascade;
  create schema gateway authorization gateway;
and with the settings of the gateway:
  pg_restore --schema=gateway --exit-on-error --single-transaction --dbname="$HELIO_DATABASE_URL" heliograph.dump &&
    helio backup restored --waiting hold`,
};
const restoredSqlite =
  'The store is SQLite, where helio backup restore FILE does this itself. For PostgreSQL set HELIO_DATABASE_URL.';

/** What happened to waiting messages, after their number. */
const waitingWords: Record<WaitingWay, string> = {
  flag: 'At the next start they are sent, marked as possibly sent twice (dupRisk), unless their validity is over. To choose otherwise: --waiting hold|send',
  hold: 'They are held: they may have been sent since, so a person decides on each in the portal.',
  send: 'At the next start they are sent as if for the first time, unless their validity is over.',
};

export function createBackup(flags: { to?: string }, terminal: Terminal): Promise<number> {
  return runWithStore(terminal, async ({ databaseUrl, dataDir }, withStore) => {
    if (databaseUrl !== null) throw new StoreRefused(ofPostgres.create);
    if (flags.to !== undefined) requireNewFile(flags.to, dataDir);
    // Opens the store first: that recovers what a kill left behind, and reports when there is none.
    const to = await withStore(async (store) => {
      await store.healthy();
      const file =
        flags.to === undefined ? join(makeBackupFolder(dataDir), backupName(clock.now())) : resolve(flags.to);
      await copySqlite(dataDir, file).catch((error: Error) => {
        throw new StoreRefused(`The backup ${file} could not be written: ${error.message}`);
      });
      return file;
    });
    return `${to}\nKeep it on another machine, with ${keyFile({ dataDir, terminal })}: without that key nobody can decrypt the passwords in it.\n`;
  });
}

/**
 * A copy takes the place of what has its name: it must not be the key, the store itself or an earlier backup. Throws
 * StoreRefused.
 */
function requireNewFile(to: string, dataDir: string): void {
  if (to === '') throw new StoreRefused('--to names no file.');
  const file = resolve(to);
  const folder = dirname(file);
  const place = statSync(folder, { throwIfNoEntry: false });
  if (place === undefined) throw new StoreRefused(`The folder ${folder} is not there. Make it first.`);
  if (!place.isDirectory()) throw new StoreRefused(`${folder} is no folder.`);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined) {
    const what = found.isDirectory() ? 'is a folder' : 'exists already';
    throw new StoreRefused(`${file} ${what}. Name a new file.`);
  }
  if (isWithin(folder, dataDir) && !isWithin(folder, backupFolder(dataDir))) {
    throw new StoreRefused(
      `${file} is among the files of the gateway. Inside ${dataDir} backups go into ${backupFolder(dataDir)}.`,
    );
  }
}

/** By their real paths: a link may lead from one to the other. */
function isWithin(folder: string, outer: string): boolean {
  if (!existsSync(outer)) return false;
  const path = relative(realpathSync(outer), realpathSync(folder));
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

function keyFile({ dataDir, terminal }: { dataDir: string; terminal: Terminal }): string {
  return terminal.env.HELIO_SECRET_KEY_FILE || join(dataDir, 'secret.key');
}

export function restoreBackup(file: string, flags: { waiting: WaitingWay }, terminal: Terminal): Promise<number> {
  return runWithStore(terminal, async ({ databaseUrl, dataDir }: Config) => {
    if (databaseUrl !== null) throw new StoreRefused(ofPostgres.restore);
    const aside = `before-restore-${new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
    const known = listBackups(dataDir).find(({ name }) => name === file);
    const from = known === undefined ? resolve(file) : join(makeBackupFolder(dataDir), file);
    const { waiting } = flags;
    const waited = restoreSqlite({ dataDir, from, aside, waiting, now: clock.now() });
    const kept = join(dataDir, aside);
    return [
      `The store is that of ${from}.${existsSync(kept) ? ` The old store is in ${kept}.` : ''}`,
      `${counted(waited, 'message')} waited at the time of the backup.${waited === 0 ? '' : ` ${waitingWords[waiting]}`}`,
      'Opt-outs made since then are missing.',
      `Next: ${startCommand}\n`,
    ].join('\n');
  });
}

/** After `pg_restore`: messages that waited when the dump was made may have been sent since. */
export function afterRestore({ waiting }: { waiting: WaitingWay }, terminal: Terminal): Promise<number> {
  return runWithStore(
    terminal,
    async ({ databaseUrl }, withStore) => {
      if (databaseUrl === null) throw new StoreRefused(restoredSqlite);
      const waited = await withStore((store) => treatAllWaiting(store, waiting, 'backup'));
      return [
        `${counted(waited, 'message')} waited at the time of the backup.${waited === 0 ? '' : ` ${waitingWords[waiting]}`}`,
        'Opt-outs made since then are missing.',
        `Next: ${startCommand}\n`,
      ].join('\n');
    },
    // Refused while a gateway runs, because it would send them meanwhile.
    { role: 'node' },
  );
}
