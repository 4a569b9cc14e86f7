/** The operators, for alerts: their companies and addresses. */
import type { AccountId } from '../../kernel/ids.ts';
import type { PeopleStore } from '../people/store/module.ts';

export interface Operators {
  accountIds(): Promise<AccountId[]>;
  emails(): Promise<string[]>;
}

/** Reads the store each time: alerts are rare. */
export function createOperators(store: Pick<PeopleStore, 'users'>): Operators {
  const enabled = async () => (await store.users({ operators: true })).filter(({ disabledAt }) => disabledAt === null);
  return {
    accountIds: async () => [...new Set((await enabled()).map(({ accountId }) => accountId))],
    emails: async () => (await enabled()).map(({ email }) => email),
  };
}
