/**
 * The message and exit code when the gateway or a command cannot go on for a reason that is not a bug. Each text ends
 * with the next command. Returns null for a bug, which the caller then throws.
 */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backupFolder, listBackups } from '../app/backups.ts';
import { CellsRefused } from '../app/cells.ts';
import { CertificateRefused } from '../app/certificate.ts';
import { badConfigurationExitCode, type Config } from '../app/config.ts';
import { AdministratorRefused } from '../app/first-administrator.ts';
import { SsoRefused } from '../app/oidc-client.ts';
import { MetricsRefused } from '../app/telemetry.ts';
import { SealingRefused } from '../kernel/sealing.ts';
import { startCommand } from '../kernel/start-command.ts';
import type { Backup } from '../model/upkeep.ts';
import { StoreRefused, StoreUnavailable } from '../store/faults.ts';
import { StoreCorrupt, StoreDamaged } from '../store/store-damaged.ts';
import { ConfirmationNeeded, RecordsRefused } from '../subjects/records/apply.ts';
import { howToConfirm } from './apply-report.ts';
import { fileFault } from './file-fault.ts';

export interface Failure {
  /** One or more lines, each ending in a newline. */
  text: string;
  exitCode: number;
}

/** Their messages say all that there is to say. */
const refusals = [StoreRefused, AdministratorRefused, CertificateRefused, MetricsRefused, CellsRefused, SsoRefused];
/** sysexits.h EX_UNAVAILABLE. */
const unavailableExitCode = 69;

export function describeFailure(error: unknown, config: Pick<Config, 'port' | 'host' | 'dataDir'>): Failure | null {
  if (error instanceof RecordsRefused) {
    return badConfiguration(
      `${error.message}\nNothing was changed. Correct the file, then: npx helio apply FILE --dry-run`,
    );
  }
  if (error instanceof ConfirmationNeeded) {
    return badConfiguration(`${error.message}\nNothing was changed. ${howToConfirm(error.report.unconfirmed)}`);
  }
  if (error instanceof SealingRefused) {
    return badConfiguration(
      `${error.message}\nIf that key is lost, encrypt the carrier passwords with the new one: npx helio apply FILE --reseal`,
    );
  }
  if (error instanceof StoreDamaged || error instanceof StoreCorrupt) {
    return badConfiguration(`${error.message}\n${newestBackup(config.dataDir)}`);
  }
  if (refusals.some((kind) => error instanceof kind)) return badConfiguration((error as Error).message);
  if (error instanceof StoreUnavailable) {
    return unavailable(`${error.message}\nThe store takes no writes now. Try again, or see: npx helio doctor`);
  }
  const { code, syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return unavailable(`The disk of ${path ?? config.dataDir} is full. Free some space first.`);
  if (syscall === 'listen' || syscall === 'getaddrinfo') return cannotListen(code, config);
  const fault = fileFault(error);
  return fault === null ? null : badConfiguration(fault);
}

/** The backup to restore when a file of the store is lost. */
function newestBackup(dataDir: string): string {
  let newest: Backup | undefined;
  try {
    [newest] = listBackups(dataDir);
  } catch (error) {
    const fault = fileFault(error);
    if (fault === null) throw error;
    return fault;
  }
  if (newest === undefined) return `There is no backup in ${backupFolder(dataDir)}.`;
  return `The newest backup is ${join(backupFolder(dataDir), newest.name)}. To go back to it: npx helio backup restore ${newest.name}`;
}

function cannotListen(code: string | undefined, { port, host }: Pick<Config, 'port' | 'host'>): Failure {
  switch (code) {
    case 'EADDRINUSE':
      return badConfiguration(
        `Port ${port} is in use${heldBy(port)}. Start with PORT=${port < 65_535 ? port + 1 : 8088} ${startCommand}.`,
      );
    case 'EACCES':
      return badConfiguration(`Port ${port} is not allowed for this user. Start with PORT=8088 ${startCommand}.`);
    default:
      return badConfiguration(
        `${host} is not an address of this machine (${code}). Start with HELIO_HOST=127.0.0.1 ${startCommand}.`,
      );
  }
}

function heldBy(port: number): string {
  const holder = portHolder(port);
  return holder === null ? '' : ` (${holder.name}, pid ${holder.pid})`;
}

function unavailable(text: string): Failure {
  return { text: `${text}\n`, exitCode: unavailableExitCode };
}

function badConfiguration(text: string): Failure {
  return { text: `${text}\n`, exitCode: badConfigurationExitCode };
}

/** The process that listens on a port. */
export interface PortHolder {
  name: string;
  pid: number;
}

/** proc(5): the state of a listening socket. */
const listening = '0A';

/**
 * On Linux, `/proc/net/tcp` lists the socket and `/proc/PID/fd` its process. Null elsewhere, and for processes of other
 * users. Never fails.
 */
export function portHolder(port: number): PortHolder | null {
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => socketsOn(port, table)));
    if (sockets.size === 0) return null;
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holdsOne(name, sockets));
    return pid === undefined ? null : { name: basename(readlinkSync(`/proc/${pid}/exe`)), pid: Number(pid) };
  } catch {
    return null;
  }
}

/** The links under which processes hold the sockets that listen on a port. */
function socketsOn(port: number, table: string): string[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return linesOf(`/proc/net/${table}`)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(ending) === true && state === listening)
    .map((fields) => `socket:[${fields[9]}]`);
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function holdsOne(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)));
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
