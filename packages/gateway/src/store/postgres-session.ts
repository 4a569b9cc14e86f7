/**
 * A PostgreSQL session: its safety settings, checked before the first write. `verifyServer` must pass before it is
 * used for writing.
 */
import { Socket } from 'node:net';
import type { ClientBase, ClientConfig } from 'pg';
import { StoreRefused, StoreUnavailable } from './faults.ts';
import { wholeNumbers } from './postgres-batch.ts';

/** The oldest supported server, in the form of server_version_num. */
const serverVersionMin = 140_000;

/**
 * These speak the protocol and much of the SQL. PostgreSQL itself can have no setting of such a name, because it has no
 * dot.
 */
const otherServers = [
  { name: 'CockroachDB', version: /cockroach/i, setting: /^crdb_/ },
  { name: 'YugabyteDB', version: /-YB-|yugabyte/i, setting: /^yb_/ },
];

/** A server that sends nothing for this long counts as lost. */
const silenceMs = 15_000;
const connectTimeoutMs = 5_000;
const keepAliveAfterMs = 5_000;
/** A live server ends a session within this time. */
const goodByeMs = 1_000;

/**
 * Every statement finds its rows by an index, and its batch is an array whose size the planner cannot know: it must not
 * choose a plan by how small a table was when the session began. A scan of an index alone may read it whole, like a
 * sequential one; a bitmap scan reads all messages of an account and sorts them for the newest fifty. Statements read too
 * few rows for parallel workers or JIT to help: on a large table starting those takes longer. A vanished client is
 * detected within seconds, so that its locks are released.
 */
const sessionSettings = [
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  'set enable_indexonlyscan = off',
  'set enable_bitmapscan = off',
  'set plan_cache_mode = force_generic_plan',
  'set max_parallel_workers_per_gather = 0',
  'set jit = off',
  "set lock_timeout = '2s'",
  "set statement_timeout = '10s'",
  "set idle_in_transaction_session_timeout = '10s'",
  'set tcp_keepalives_idle = 5',
  'set tcp_keepalives_interval = 2',
  'set tcp_keepalives_count = 3',
].join('; ');

/** Those of the driver, which takes any other word for TLS. */
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

function refuseUnknownSslMode(databaseUrl: string): void {
  const mode = new URLSearchParams(databaseUrl.split('?')[1]).getAll('sslmode').at(-1) ?? '';
  if (mode === '' || sslModes.includes(mode)) return;
  const known = sslModes.join(', ');
  throw new StoreRefused(`The URL of PostgreSQL has sslmode=${mode}, which is none. There are: ${known}.`);
}

/**
 * `sockets` has the open sessions' sockets: a frozen server does not answer a close, so they may have to be destroyed.
 * Once `givenUp` is aborted every session ends at once, later ones too. Throws StoreRefused for an unknown `sslmode`.
 */
export function clientConfig(
  databaseUrl: string,
  name: string,
  sockets: Set<Socket>,
  givenUp?: AbortSignal,
): ClientConfig {
  refuseUnknownSslMode(databaseUrl);
  return {
    connectionString: databaseUrl,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    stream: () => {
      const socket = new Socket();
      const end = () => void socket.destroy();
      sockets.add(socket);
      givenUp?.addEventListener('abort', end);
      socket.once('close', () => {
        sockets.delete(socket);
        givenUp?.removeEventListener('abort', end);
      });
      // Not in this tick: the driver opens the connection first, and notices its end only then.
      if (givenUp?.aborted) setImmediate(end);
      return socket;
    },
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: silenceMs,
    types: { getTypeParser: ((oid: number) => (wholeNumbers.includes(oid) ? Number : String)) as never },
  };
}

/**
 * Waits until `ending` has closed all sessions, but destroys their sockets if the server does not answer. A pool's
 * promise does not show that: it resolves while sockets are still open, and one open socket keeps the process alive.
 */
export async function endWithin(ending: Promise<unknown>, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, goodByeMs);
  await ending.catch(() => {});
  await Promise.all(closed);
  clearTimeout(timer);
}

interface ServerRow {
  name: string;
  setting: string;
}

/**
 * Prepares a session for the store and refuses a server that could lose confirmed commits: `synchronous_commit` is read
 * before it is set, because a weak value set for the role or the database would affect other programs too.
 */
export async function prepareSession(client: ClientBase): Promise<void> {
  const found = await client.query<ServerRow>(
    `select name, setting from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'server_version_num', 'transaction_read_only')
       or name like 'crdb%' or name like 'yb%'
     union all select 'version', version()`,
  );
  const settings = new Map(found.rows.map((row) => [row.name, row.setting]));
  verifyServer(settings);
  const commit = settings.get('synchronous_commit') === 'remote_apply' ? 'remote_apply' : 'on';
  await client.query(`${sessionSettings}; set synchronous_commit = ${commit}`);
  const { rows } = await client.query<{ synchronous_commit: string }>('show synchronous_commit');
  if (rows[0]?.synchronous_commit !== commit) throw weak('synchronous_commit', rows[0]?.synchronous_commit, 'on');
}

/** Throws StoreRefused for a setting that may lose confirmed data, StoreUnavailable for a server that takes no writes now. */
export function verifyServer(settings: ReadonlyMap<string, string>): void {
  refuseOtherServer(settings);
  if (Number(settings.get('server_version_num')) < serverVersionMin) {
    throw weak('server_version', settings.get('server_version_num'), `${serverVersionMin} (PostgreSQL 14) or newer`);
  }
  for (const name of ['fsync', 'full_page_writes']) {
    if (settings.get(name) !== 'on') throw weak(name, settings.get(name), 'on');
  }
  const commit = settings.get('synchronous_commit');
  if (commit !== 'on' && commit !== 'remote_apply' && commit !== 'remote_write') {
    throw weak('synchronous_commit', commit, 'on for this role and database');
  }
  if (settings.get('transaction_read_only') === 'on') {
    throw new StoreUnavailable('down', 'the PostgreSQL server takes no writes (a standby, or read-only by setting)');
  }
}

/** Checked first, because these servers also report some version of PostgreSQL. */
function refuseOtherServer(settings: ReadonlyMap<string, string>): void {
  const version = settings.get('version') ?? '';
  const other = otherServers.find(
    (server) => server.version.test(version) || [...settings.keys()].some((name) => server.setting.test(name)),
  );
  if (other === undefined && version.startsWith('PostgreSQL ')) return;
  const name = other?.name ?? `"${version.slice(0, 60)}"`;
  throw new StoreRefused(
    `The server is ${name}, which only speaks PostgreSQL's protocol: its locks are others, so that two nodes could send one message. Use PostgreSQL 14 or newer.`,
  );
}

function weak(name: string, value: string | undefined, wanted: string): StoreRefused {
  return new StoreRefused(`PostgreSQL setting ${name} is ${value}, it must be ${wanted}: messages could be lost.`);
}
