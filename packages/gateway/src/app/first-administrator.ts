/**
 * Creates the first administrator at start: from the environment, or by a one-time key on the start card. There is no
 * default password.
 */
import { readFileSync } from 'node:fs';
import { exposedMode } from '../kernel/private-file.ts';
import type { SetUp } from '../subjects/people/set-up.ts';
import type { Config } from './config.ts';

/** The configured administrator cannot be created; reported before the exit with code 78. */
export class AdministratorRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AdministratorRefused';
  }
}

/**
 * At each start without an administrator: creates the configured one, else a fresh one-time key for the start card.
 * Returns the key, or null when there is an administrator.
 */
export async function firstAdministrator(
  setUp: Pick<SetUp, 'needed' | 'newKey' | 'create'>,
  config: Pick<Config, 'adminEmail' | 'adminPasswordFile'>,
): Promise<string | null> {
  const { adminEmail: email, adminPasswordFile: file } = config;
  const mode = file === null ? null : exposedMode(file);
  if (mode !== null) {
    throw new AdministratorRefused(
      `HELIO_ADMIN_PASSWORD_FILE=${file} is open to everybody (mode ${mode}). Run: chmod 640 ${file}`,
    );
  }
  if (!(await setUp.needed())) return null;
  if (email === null || file === null) return setUp.newKey();
  const password = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  const made = await setUp.create({ email, name: email.split('@')[0]!, password });
  if (made.kind === 'done') return null;
  // Another node that started at the same time has created it.
  if (!(await setUp.needed())) return null;
  const why = made.kind === 'fields' ? Object.values(made.fields).join(' ') : 'Try again.';
  throw new AdministratorRefused(`The administrator ${email} (HELIO_ADMIN_EMAIL) cannot be made: ${why}`);
}
