/** Whose things a caller may see: those of its account, in the environment of its key pair. */
import type { Environment } from '../model/records.ts';
import type { Call } from './guard.ts';

export function ownerOf({ caller: { account, key } }: Call): { accountId: string; environment: Environment } {
  return { accountId: account.accountId, environment: key.environment };
}
