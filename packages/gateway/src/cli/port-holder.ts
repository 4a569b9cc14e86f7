/**
 * Who listens on a TCP port of this machine, as far as Linux tells: `/proc/net/tcp` knows the socket, `/proc/PID/fd` whose it
 * is. Elsewhere, and for processes of other users, nobody. It reads, and never fails.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

export interface PortHolder {
  name: string;
  pid: number;
}

/** proc(5): the state of a socket that listens. */
const listening = '0A';

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
