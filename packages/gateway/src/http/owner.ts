/** The account and environment whose data a caller may see. */
import type { AccountId } from '../kernel/ids.ts';
import type { Environment } from '../model/records.ts';
import type { Call } from './guard.ts';

export function ownerOf({ caller: { account, key } }: Call): { accountId: AccountId; environment: Environment } {
  return { accountId: account.accountId, environment: key.environment };
}
