/**
 * The store for a command that works beside a running gateway or without one: opens it as a tool, closes it, and turns
 * failures into a message and its exit code.
 */
import { writeSync } from 'node:fs';
import { badConfigurationExitCode, type Config } from '../app/config.ts';
import { type OpenOptions, openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { brokenExitCode, endAtOnce } from '../kernel/end-at-once.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { StoreRefused } from '../store/faults.ts';
import { hasStore } from '../store/sqlite-files.ts';
import { describeFailure } from './failure.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

/** Opens the store at first use; before that, nothing of it is touched. */
export type WithStore = <T>(work: (store: Store) => Promise<T>) => Promise<T>;

export interface StoreUse {
  role?: OpenOptions['role'];
  /** The command may begin a store where there is none. Others would answer from an empty one after a mistyped HELIO_DATA. */
  begins?: boolean;
}

/** Prints what `command` resolves with; resolves with the exit code. */
export async function runWithStore(
  terminal: Terminal,
  command: (config: Config, withStore: WithStore) => Promise<string>,
  use: StoreUse = {},
): Promise<number> {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  try {
    terminal.out(await command(config, (work) => openedFor(config, use, work)));
    return exitCodes.ok;
  } catch (error) {
    const failure = describeFailure(error, config);
    if (failure === null) throw error;
    terminal.error(failure.text);
    return failure.exitCode;
  }
}

function broken(error: Error): void {
  writeSync(2, `${error.message}\n`);
  endAtOnce(brokenExitCode);
}

async function openedFor<T>(
  { databaseUrl, dataDir }: Config,
  { role = 'tool', begins = false }: StoreUse,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (!begins) await requireStore({ databaseUrl, dataDir });
  const store = await openStore({ databaseUrl: databaseUrl?.reveal(), dataDir, role, clock, broken });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function requireStore({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<void> {
  const run = 'Run the command with the settings of the gateway';
  if (databaseUrl === null) {
    if (hasStore(dataDir)) return;
    throw new StoreRefused(`There is no store in ${dataDir}. ${run}: HELIO_DATA names its data folder.`);
  }
  const { hasPostgresStore } = await import('../store/postgres-look.ts');
  if (await hasPostgresStore(databaseUrl.reveal())) return;
  throw new StoreRefused(
    `There is no store in the database of HELIO_DATABASE_URL. ${run}: that URL names its database.`,
  );
}
