/**
 * `helio admin …`: a person with access to this machine creates administrators of the portal or restores their access,
 * beside a running gateway or without one. Reads a password from stdin or the terminal, never from the command line,
 * and never shows it.
 */
import { bindSecrets } from '../app/bound-secrets.ts';
import { type Config, localUrl } from '../app/config.ts';
import { openPeople } from '../app/people.ts';
import type { Store } from '../app/store.ts';
import { buildDirectory } from '../carriers/directory.ts';
import { createIds } from '../kernel/ids.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock as clock, machineRandom as random } from '../kernel/machine.ts';
import { createSealer, loadSecretKey } from '../kernel/sealing.ts';
import type { FieldFaults } from '../model/person.ts';
import type { People } from '../subjects/people/people.ts';
import { readFirstSteps } from '../subjects/records/first-steps.ts';
import { type PasswordInput, readPassword } from './admin-password.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { runWithStore } from './tool-store.ts';

export interface CreateFlags {
  email: string;
  name?: string;
  passwordStdin?: boolean;
}

/** An error in the input, with a text for the user. */
class AdminRefused extends Error {}

export async function createAdmin(flags: CreateFlags, terminal: Terminal, input: PasswordInput): Promise<number> {
  const password = await readPassword(input, flags.passwordStdin === true, (text) => terminal.error(text));
  if (password === null) {
    terminal.error('There is no password. Next: npx helio admin create --email a@b.c --password-stdin < FILE\n');
    return exitCodes.usage;
  }
  return refusing(terminal, () =>
    runWithStore(
      terminal,
      (config, withStore) =>
        withStore(async (store) => {
          const { email, name = email.split('@')[0]! } = flags;
          const made = await (await peopleOf(store, config)).setUp.create({ email, name, password });
          if (made.kind === 'fields') throw new AdminRefused(faultLines(made.fields));
          if (made.kind !== 'done') throw new AdminRefused('The administrator could not be made now. Try again.\n');
          return `${email} is an administrator (${made.userId}). Sign in: ${baseUrl(config)}/login\n`;
        }),
      { begins: true },
    ),
  );
}

export function loginLink(flags: { email?: string }, terminal: Terminal): Promise<number> {
  return refusing(terminal, () =>
    runWithStore(terminal, (config, withStore) =>
      withStore(async (store) => {
        const { setUp } = await peopleOf(store, config);
        const first = flags.email === undefined ? await setUp.newKey() : null;
        if (first !== null)
          return `${setupLink(baseUrl(config), first)}\nFor the first administrator. One use, 30 minutes.\n`;
        const made = await setUp.newUserKey(flags.email ?? null);
        if (made === null) throw new AdminRefused(`There is no user ${flags.email} who may sign in.\n`);
        return `${setupLink(baseUrl(config), made.key)}\nFor ${made.email}, with a new password. One use, 30 minutes.\n`;
      }),
    ),
  );
}

/** The key is after `#`: a browser never sends it. */
export function setupLink(base: string, key: string): string {
  return `${base}/setup#k=${key}`;
}

async function refusing(terminal: Terminal, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    terminal.error(error.message);
    return exitCodes.refused;
  }
}

async function peopleOf(store: Store, config: Config): Promise<People> {
  const { dataDir, secretKeyFile: keyFile } = config;
  const directory = buildDirectory(await store.records());
  const sealer = createSealer(loadSecretKey({ dataDir, keyFile, random }));
  const context = { clock, random, logger: silentLogger, ids: createIds(clock, random) };
  return openPeople(context, {
    config,
    sealer,
    store: bindSecrets(store, sealer),
    directory: { current: () => directory, refresh: async () => {} },
  });
}

/** The address at which the last gateway started here was reached, if known. */
function baseUrl(config: Config): string {
  return config.publicUrl ?? readFirstSteps(config.dataDir)?.baseUrl ?? localUrl(config, config.port);
}

function faultLines(fields: FieldFaults): string {
  return Object.entries(fields)
    .map(([name, sentence]) => `${name}: ${sentence}\n`)
    .join('');
}
