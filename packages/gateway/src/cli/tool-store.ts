/**
 * The store for a command that works beside a running gateway or without one: opened as a tool, closed again, and what
 * goes wrong told in words with the exit code that belongs to it.
 */
import { badConfigurationExitCode, type Config } from '../config.ts';
import { machineClock as clock } from '../machine.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { describeFailure } from './failure.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

/** Opens the store when it is wanted for the first time: before that, nothing of it is touched. */
export type WithStore = <T>(work: (store: Store) => Promise<T>) => Promise<T>;

/** Prints what `command` resolves with; resolves with the exit code. */
export async function runWithStore(
  terminal: Terminal,
  command: (config: Config, withStore: WithStore) => Promise<string>,
): Promise<number> {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  try {
    terminal.out(await command(config, (work) => openedFor(config, work)));
    return exitCodes.ok;
  } catch (error) {
    const failure = describeFailure(error, config);
    if (failure === null) throw error;
    terminal.error(failure.text);
    return failure.exitCode;
  }
}

async function openedFor<T>({ databaseUrl, dataDir }: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ databaseUrl: databaseUrl?.reveal(), dataDir, role: 'tool', clock });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
