/** The account and environment whose data a caller may see. */
import type { AccountId } from '../kernel/ids.ts';
import type { Environment } from '../model/records.ts';
import type { Call } from './guard.ts';

export interface Owner {
  accountId: AccountId;
  environment: Environment;
}

export function ownerOf({ caller: { account, key } }: Call): Owner {
  return { accountId: account.accountId, environment: key.environment };
}
