/**
 * A PostgreSQL that fails over: Patroni, etcd, haproxy and PostgreSQL from Debian's packages (patroni, etcd-server, haproxy,
 * postgresql). Each member is a Patroni with its PostgreSQL; haproxy leads to the member whose Patroni says that it leads.
 * Loopback only, in a temporary folder, as an unprivileged user, ended by process id.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { parse } from 'yaml';
import { freePort } from '../packages/gateway/src/cli/prove/free-port.ts';
import { debianPrograms } from './postgres.ts';
import { bareEnv } from './props/bare-env.ts';
import { docBlocks } from './props/doc-blocks.ts';

/** `nobody`: PostgreSQL refuses to run as root. */
const unprivilegedId = 65_534;
/** A first start, or the way back of a member that was killed, on a busy machine. */
const readyMs = 240_000;
const lookEveryMs = 100;
const connectMs = 1_000;

export interface PatroniOptions {
  members: number;
  /** Whether a commit waits for a standby, and only such a one is promoted. */
  synchronous: boolean;
  /** Settings of PostgreSQL. */
  parameters?: Record<string, string | number>;
}

export interface TestPatroni {
  readonly members: readonly string[];
  /** A new, empty database of the role `gateway`, which is no superuser, at the address of haproxy. */
  createDatabase(): Promise<string>;
  /** The same database at the member itself, as superuser. */
  urlAt(member: string, databaseUrl: string): string;
  query(url: string, sql: string): Promise<Record<string, unknown>[]>;
  /** The member that leads by its own word; null while none does. */
  leader(): Promise<string | null>;
  /** Resolves with the leader once it can be lost: a standby streams, and has every commit if `synchronous` is set. */
  whole(): Promise<string>;
  /** Pauses or resumes the member's Patroni alone. */
  signalPatroni(member: string, signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** `kill -9` of the member's Patroni and of its PostgreSQL. */
  kill(member: string): Promise<void>;
  start(member: string): Promise<void>;
  /** Stops everything and removes its folder. */
  remove(): Promise<void>;
}

interface Member {
  name: string;
  folder: string;
  port: number;
  restPort: number;
  /** Its Patroni; null while it is not started. */
  program: Program | null;
}

interface Program {
  /** The shell that watches it. */
  child: ChildProcess;
  /** Of the program itself; 0 until it runs. */
  pid: number;
}

/**
 * Runs a program until it ends or the pipe from the test process breaks, so that a killed test leaves nothing behind; the
 * server of a Patroni, which it would leave running, neither.
 */
const watchOver = `log=$0; file=$1; shift; exec 3<&0; "$@" >>"$log" 2>&1 3<&- & program=$!
  (cat <&3; kill -KILL $program; [ -n "$file" ] && kill -KILL "$(head -n 1 "$file")") >/dev/null 2>&1 & echo $program; exec >&-; wait $program`;

/** As `GET /cluster` of Patroni shows them. */
interface Seen {
  name: string;
  role: string;
  state: string;
}

/** Short, so that a lost leader is replaced within seconds; Patroni's own are 30, 10 and 10. */
const times = { ttl: 10, loop_wait: 1, retry_timeout: 4 };

export async function startPatroni(options: PatroniOptions): Promise<TestPatroni> {
  const as = process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : {};
  const root = mkdtempSync(join(tmpdir(), 'heliograph-patroni-'));
  const bin = debianPrograms();
  const own = (path: string) => as.uid !== undefined && chownSync(path, as.uid, as.gid);
  own(root);

  function run(name: string, command: string, args: readonly string[], pidFile = ''): Program {
    const env = { ...bareEnv(), HOME: root, ETCD_UNSUPPORTED_ARCH: process.arch };
    const line = [join(root, `${name}.log`), pidFile, command, ...args];
    const child = spawn('sh', ['-c', watchOver, ...line], { ...as, cwd: root, env, stdio: ['pipe', 'pipe', 'ignore'] });
    child.on('error', () => {});
    const program: Program = { child, pid: 0 };
    child.stdout!.once('data', (chunk) => {
      program.pid = Number(chunk);
    });
    return program;
  }
  const logOf = (name: string) => {
    const file = join(root, `${name}.log`);
    return existsSync(file) ? readFileSync(file, 'utf8').slice(-2_000) : '';
  };

  const [etcdPort, peerPort, leaderPort] = [await freePort(), await freePort(), await freePort()];
  const members: Member[] = [];
  for (let place = 0; place < options.members; place += 1) {
    const name = `member${place + 1}`;
    const folder = join(root, name);
    mkdirSync(folder);
    own(folder);
    members.push({ name, folder, port: await freePort(), restPort: await freePort(), program: null });
  }
  for (const member of members) {
    const config = memberConfig(member, { ...options, etcdPort, bin });
    // JSON is YAML.
    writeFileSync(join(root, `${member.name}.yml`), JSON.stringify(config, null, 2), { mode: 0o644 });
  }
  writeFileSync(join(root, 'haproxy.cfg'), balancerConfig(leaderPort, members));
  const etcd = run('etcd', 'etcd', etcdArguments(root, etcdPort, peerPort));
  const balancer = run('haproxy', 'haproxy', ['-f', join(root, 'haproxy.cfg'), '-db']);
  const find = (name: string) => members.find((member) => member.name === name)!;

  async function kill(name: string): Promise<void> {
    const member = find(name);
    const { program } = member;
    const server = serverPid(member);
    member.program = null;
    if (program !== null) signalProcess(program.pid, 'SIGKILL');
    if (server !== null) signalProcess(server, 'SIGKILL');
    if (program !== null) await ended(program);
    while (server !== null && isAlive(server)) await wait(10);
  }

  async function start(name: string): Promise<void> {
    const member = find(name);
    member.program = run(name, 'patroni', [join(root, `${name}.yml`)], join(member.folder, 'data', 'postmaster.pid'));
    await until(
      `the Patroni of ${name} answers`,
      async () => (await ask(member, '/liveness')) !== null,
      () => logOf(name),
    );
  }

  async function leader(): Promise<string | null> {
    const leads = await Promise.all(members.map(async (member) => (await ask(member, '/primary'))?.status === 200));
    return members[leads.indexOf(true)]?.name ?? null;
  }

  async function whole(): Promise<string> {
    let found = '';
    await until(
      'PostgreSQL has a leader and a standby',
      async () => {
        const name = await leader();
        const seen = name === null ? null : await ask(find(name), '/cluster');
        if (name === null || seen === null) return false;
        const others = ((await seen.json()) as { members: Seen[] }).members.filter((one) => one.name !== name);
        const role = options.synchronous ? 'sync_standby' : 'replica';
        found = name;
        return others.some((one) => one.role === role && /running|streaming/.test(one.state));
      },
      () => members.map(({ name }) => `${name}: ${logOf(name)}`).join('\n---\n'),
    );
    return found;
  }

  async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMs, query_timeout: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(sql)).rows;
    } finally {
      void client.end().catch(() => {});
    }
  }

  const urlAt = (member: string, databaseUrl: string) => {
    const url = new URL(databaseUrl);
    url.username = 'postgres';
    url.port = String(find(member).port);
    return url.href;
  };
  let databases = 0;
  const cluster: TestPatroni = {
    members: members.map(({ name }) => name),
    urlAt,
    query,
    leader,
    whole,
    kill,
    start,
    async createDatabase() {
      databases += 1;
      const name = `gateway${databases}`;
      const databaseUrl = `postgres://gateway@127.0.0.1:${leaderPort}/${name}`;
      const maintenance = urlAt(await whole(), `postgres://postgres@127.0.0.1:1/postgres`);
      if (databases === 1) await query(maintenance, 'create role gateway login');
      await query(maintenance, `create database ${name} owner gateway`);
      return databaseUrl;
    },
    signalPatroni: (name, signal) => signalProcess(find(name).program!.pid, signal),
    async remove() {
      for (const { name } of members) await kill(name);
      for (const program of [balancer, etcd]) {
        if (program.pid > 0) signalProcess(program.pid, 'SIGKILL');
        await ended(program);
      }
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    const isUp = () =>
      fetch(`http://127.0.0.1:${etcdPort}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('etcd answers (Debian package etcd-server)', isUp, () => logOf('etcd'));
    for (const { name } of members) await start(name);
    await whole();
    return cluster;
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

function memberConfig(
  { name, folder, port, restPort }: Member,
  { etcdPort, bin, synchronous, parameters }: PatroniOptions & { etcdPort: number; bin: string },
): object {
  const asDocumented = parse(documented('# patroni:')) as DocumentedConfig;
  return {
    scope: 'heliograph',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...asDocumented,
        ...times,
        synchronous_mode: synchronous,
        // A standby that lags is promoted all the same, if it may be at all.
        maximum_lag_on_failover: 1_073_741_824,
        // A leader that died is replaced, not waited for.
        master_start_timeout: 0,
        postgresql: {
          ...asDocumented.postgresql,
          parameters: { ...asDocumented.postgresql.parameters, wal_keep_size: '512MB', ...parameters },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }, 'no-sync', 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      bin_dir: bin,
      pgpass: join(folder, 'pgpass'),
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      authentication: {
        superuser: { username: 'postgres', password: 'none' },
        replication: { username: 'replicator', password: 'none' },
      },
      parameters: { unix_socket_directories: folder },
    },
  };
}

const etcdArguments = (root: string, port: number, peerPort: number): string[] => [
  '--name=one',
  `--data-dir=${join(root, 'etcd')}`,
  `--listen-client-urls=http://127.0.0.1:${port}`,
  `--advertise-client-urls=http://127.0.0.1:${port}`,
  `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
  `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
  `--initial-cluster=one=http://127.0.0.1:${peerPort}`,
];

/** As documented, with its own addresses. */
const balancerConfig = (port: number, members: readonly Member[]): string => {
  const lines = documented('# haproxy:')
    .split('\n')
    .filter((line) => !line.trim().startsWith('server '))
    .map((line) => line.replace(/^(\s+bind) .*/, `$1 127.0.0.1:${port}`));
  const servers = members.map((one) => `  server ${one.name} 127.0.0.1:${one.port} check port ${one.restPort}`);
  return ['global', '  maxconn 400', ...lines, ...servers, ''].join('\n');
};

interface DocumentedConfig {
  synchronous_mode: boolean;
  postgresql: { use_pg_rewind: boolean; parameters: Record<string, string | number> };
}

/** A block of docs/postgresql.md, by its beginning. */
function documented(begins: string): string {
  const found = docBlocks().find(({ file, text }) => file === 'docs/postgresql.md' && text.startsWith(begins));
  if (found === undefined) throw new Error(`docs/postgresql.md has no block that begins with ${begins}`);
  return found.text;
}

async function ask({ restPort }: Member, path: string): Promise<Response | null> {
  try {
    const init = { headers: { connection: 'close' }, signal: AbortSignal.timeout(2_000) };
    return await fetch(`http://127.0.0.1:${restPort}${path}`, init);
  } catch {
    return null;
  }
}

/** Its watcher has nothing more to watch. */
async function ended({ child }: Program): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  child.stdin?.destroy();
}

async function until(what: string, holds: () => Promise<boolean>, output: () => string): Promise<void> {
  for (const end = performance.now() + readyMs; !(await holds()); await wait(lookEveryMs)) {
    if (performance.now() > end) throw new Error(`not within ${readyMs} ms: ${what}\n${output()}`);
  }
}

/** Of the server itself; null while it does not run. */
function serverPid({ folder }: Member): number | null {
  try {
    const pid = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    // The file outlives a killed server, and its number may be another's by now.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
