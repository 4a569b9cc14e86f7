/** Opens the configured store: PostgreSQL with a database URL, else SQLite in the data folder. */
import type { Clock } from '../kernel/clock.ts';
import { type Logger, silentLogger } from '../kernel/logger.ts';
import { messagesHandedOut } from '../messaging/store/journaled/handed-out.ts';
import { journaledInPostgres } from '../messaging/store/journaled/recover.ts';
import { type CommitWatch, createStore, failStop, watchCommits } from '../store/create-store.ts';
import type { StoreBroken } from '../store/faults.ts';
import type { BroughtIn } from '../store/hook.ts';
import { openSqlite } from '../store/sqlite.ts';
import { catalogue } from './modules.ts';
import type { Store } from './store.ts';

export interface OpenOptions {
  /** `postgres://…`; absent = SQLite. */
  databaseUrl?: string;
  /** The folder of SQLite's files; created when missing. */
  dataDir: string;
  /**
   * `node`: the one process that moves messages; refused while another one runs. `tool`: a command that runs beside it;
   * may use records, settings and look-ups only.
   */
  role: 'node' | 'tool';
  /** With PostgreSQL: a node that finds another acting node waits until it can take over. */
  standby?: boolean;
  /** With PostgreSQL: the node is one of several. */
  cluster?: boolean;
  clock: Clock;
  /** Logs what the store repairs by itself. */
  logger?: Logger;
  /** Called once, before the store is open, when a node that died left entries that the store did not have yet. */
  recovered?: (found: BroughtIn) => void;
  /** With PostgreSQL: aborted when a stop no longer waits for the server. */
  givenUp?: AbortSignal;
  /** Called when the disk has failed; must end the process at once, before anybody gets an answer. */
  broken?: (error: StoreBroken) => void;
  /** Sees every commit. */
  watch?: CommitWatch | undefined;
}

/** The same extension as this file: .ts from the sources, .js once built. */
export const storeThread = new URL(import.meta.url.replace(/open-store(\.\w+)$/, 'store-thread$1'));

/** Throws StoreRefused when the store must not be used, and StoreUnavailable when it cannot be reached now. */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { databaseUrl, role, standby, cluster, clock, logger = silentLogger, givenUp, broken, watch } = options;
  const opened =
    databaseUrl === undefined
      ? await openSqlite({ ...options, catalogue, thread: storeThread })
      : await (await postgres()).openPostgres({
          catalogue,
          handOut: messagesHandedOut,
          journal: journaledInPostgres,
          databaseUrl,
          role,
          standby,
          cluster,
          clock,
          logger,
          recovered: options.recovered,
          givenUp,
        });
  const engine = watch === undefined ? opened : watchCommits(opened, watch, clock);
  return createStore(broken === undefined ? engine : failStop(engine, broken), catalogue, role);
}

/** Loaded only when used: the driver would cost every start some megabytes. */
const postgres = () => import('../store/postgres.ts');
