/** Opens the store that the settings name: PostgreSQL when there is a database URL, else SQLite in the data folder. */
import type { Clock } from '../domain/clock.ts';
import { createStore } from './engine-store.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
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
  clock: Clock;
}

/** Throws StoreRefused when the store must not be used and StoreUnavailable when it cannot be reached now. */
export async function openStore({ databaseUrl, dataDir, role, clock }: OpenOptions): Promise<Store> {
  const engine =
    databaseUrl === undefined
      ? await openSqlite({ dataDir, role, clock })
      : await openPostgres({ databaseUrl, role, clock });
  return createStore(engine, role);
}
