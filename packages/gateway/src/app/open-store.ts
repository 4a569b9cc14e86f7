/** Opens the configured store: PostgreSQL with a database URL, else SQLite in the data folder. */
import type { Clock } from '../kernel/clock.ts';
import { type Logger, silentLogger } from '../kernel/logger.ts';
import { messagesHandedOut } from '../messaging/store/journaled/handed-out.ts';
import { type CommitWatch, createStore, failStop, watchCommits } from '../store/create-store.ts';
import type { StoreBroken } from '../store/faults.ts';
import type { BroughtIn } from '../store/hook.ts';
import { openSqlite } from '../store/sqlite.ts';
import { catalogue } from './modules.ts';
import type { Store } from './store.ts';

export interface OpenOptions {
  /** `postgres://…`; absent = SQLite. */
  databaseUrl?: string;
  /** Where SQLite keeps its files; created when missing. */
  dataDir: string;
  /**
   * `node`: the one process that moves messages; refused while another one lives.
   * `tool`: a command beside it; may use records, settings and look-ups only.
   */
  role: 'node' | 'tool';
  /** With PostgreSQL: a node that finds another one acting waits until it can take over. */
  standby?: boolean;
  /** With PostgreSQL: the node is one of several. */
  cluster?: boolean;
  clock: Clock;
  /** Hears of what the store mends by itself. */
  logger?: Logger;
  /** Called once, before it is open, when a node that died left something that the store did not have yet. */
  recovered?: (found: BroughtIn) => void;
  /** Called when the disk has failed; must end the process at once, before anybody is answered. */
  broken?: (error: StoreBroken) => void;
  /** Is shown what is committed. */
  watch?: CommitWatch | undefined;
}

/** The same extension as this file: .ts from the sources, .js once built. */
export const storeThread = new URL(import.meta.url.replace(/open-store(\.\w+)$/, 'store-thread$1'));

/** Throws StoreRefused when the store must not be used and StoreUnavailable when it cannot be reached now. */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { databaseUrl, role, standby, cluster, clock, logger = silentLogger, broken, watch } = options;
  const opened =
    databaseUrl === undefined
      ? await openSqlite({ ...options, catalogue, thread: storeThread })
      : await (await postgres()).openPostgres({
          catalogue,
          handOut: messagesHandedOut,
          databaseUrl,
          role,
          standby,
          cluster,
          clock,
          logger,
        });
  const engine = watch === undefined ? opened : watchCommits(opened, watch, clock);
  return createStore(broken === undefined ? engine : failStop(engine, broken), catalogue, role);
}

/** Loaded for those who use it: the driver costs every start some megabytes. */
const postgres = () => import('../store/postgres.ts');
