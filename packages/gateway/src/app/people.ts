/**
 * People, wired: hashing, one-time codes, sealing, and the company of the first administrator. For the gateway and for the
 * commands that make administrators. It opens no door.
 */

import type { Clock, Random } from '../domain/clock.ts';
import type { Directory } from '../domain/directory.ts';
import type { Ids } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';
import type { Account } from '../domain/records.ts';
import { createAttempts } from '../flow/people/attempts.ts';
import { createPasswords } from '../flow/people/passwords.ts';
import { createPeople, type People } from '../flow/people/people.ts';
import type { Sealer } from '../kernel/sealing.ts';
import { noRecords } from '../records/kinds.ts';
import { sandboxAccount, sandboxAccountId } from '../records/sandbox-records.ts';
import type { Store } from '../store/store.ts';
import type { Config } from './config.ts';
import { totpCodes } from './one-time-codes.ts';
import { argon2 } from './password-hashing.ts';

export interface PeopleWiring {
  config: Pick<Config, 'sandbox'>;
  clock: Clock;
  random: Random;
  ids: Ids;
  logger: Logger;
  store: Store;
  sealer: Sealer;
  directory: () => Directory;
  /** Makes the directory follow the records at once. */
  refreshDirectory: () => Promise<unknown>;
}

export function openPeople(parts: PeopleWiring): People {
  return createPeople({
    ...parts,
    passwords: createPasswords(argon2),
    codes: totpCodes,
    attempts: createAttempts(parts),
    firstAccount: (company) => firstAccount(parts, company),
  });
}

/** The company of the first administrator: the sandbox's, the only one there is, or a new one. */
async function firstAccount(
  { config, store, ids, refreshDirectory }: PeopleWiring,
  company: string | null,
): Promise<string> {
  const { accounts } = await store.records();
  const real = accounts.filter(({ accountId }) => accountId !== sandboxAccountId);
  const sandbox = accounts.find(({ accountId }) => accountId === sandboxAccountId);
  const known = config.sandbox ? sandbox : real.length === 1 ? real[0] : undefined;
  if (known !== undefined && (company ?? known.name) === known.name) return known.accountId;
  const fresh: Account = {
    ...sandboxAccount,
    accountId: ids.next('acc_').toLowerCase(),
    name: 'My company',
    supportContact: '',
  };
  const account = known ?? (config.sandbox ? sandboxAccount : fresh);
  await store.putRecords({ ...noRecords(), accounts: [{ ...account, name: company ?? account.name }] });
  await refreshDirectory();
  return account.accountId;
}
