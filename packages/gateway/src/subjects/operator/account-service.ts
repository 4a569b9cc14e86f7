/** Creates, changes and suspends companies, and invites their first Owner. */
import type { AccountId, Ids } from '../../kernel/ids.ts';
import { recordVersion } from '../../kernel/record-version.ts';
import type { Directory } from '../../model/directory.ts';
import type { Invitation, User } from '../../model/people.ts';
import { fault, type Person, type Refusal } from '../../model/person.ts';
import type { Account, Records } from '../../model/records.ts';
import type { PeopleStore } from '../people/store/module.ts';
import type { Users } from '../people/users.ts';
import {
  type Changed,
  changedSince,
  difference,
  type Form,
  type RecordRules,
  type RecordsService,
} from './records-service.ts';

export interface AccountView extends Account {
  version: string;
  /** Numbers of each company's records; keys without revoked ones. */
  counts: { numbers: number; campaigns: number; keys: number };
}

export interface AccountService {
  list(): AccountView[];
  look(accountId: AccountId): Promise<{ account: AccountView; users: User[] } | null>;
  save(
    person: Person,
    request: { accountId: AccountId | null; version: string; form: Form },
  ): Promise<{ kind: 'done'; result: { accountId: AccountId } } | Refusal | Changed>;
  /** The key is for the link, and is shown only now. */
  inviteOwner(
    person: Person,
    users: Pick<Users, 'invite'>,
    accountId: AccountId,
    form: { email: string; name: string },
  ): Promise<{ kind: 'done'; invitation: Invitation; key: string } | Refusal>;
}

export function createAccountService(parts: {
  service: RecordsService;
  rules: RecordRules;
  ids: Pick<Ids, 'next'>;
  store: Pick<PeopleStore, 'users'>;
  directory(): Directory;
}): AccountService {
  const { service, directory, ids, rules, store } = parts;

  return {
    list: () => directory().records.accounts.map((account) => view(account, directory().records)),
    async look(accountId) {
      const account = directory().account(accountId);
      if (account === undefined) return null;
      return { account: view(account, directory().records), users: await store.users({ accountId }) };
    },
    save: (person, { accountId, version, form }) =>
      service.edit(person, (records) => {
        const id = accountId ?? form.id ?? ids.next('acc_').toLowerCase();
        const earlier = records.accounts.find((one) => one.accountId === id);
        if (accountId === null && earlier !== undefined) return fault('id', 'There is a company with this id already.');
        if (accountId !== null && earlier === undefined) return noAccount;
        const changed = earlier === undefined ? null : changedSince(earlier, version, () => view(earlier, records));
        if (changed !== null) return changed;
        const judged = rules.account({ ...form, id }, records);
        if (!judged.ok) return { kind: 'fields', fields: judged.fields };
        const { record } = judged;
        const note = difference({ ...earlier }, { ...record });
        const what = earlier === undefined ? 'account.added' : whatHappened(earlier, record);
        const before = earlier === undefined ? null : (note?.before ?? null);
        return {
          kind: 'edit',
          put: { accounts: [record] },
          note: note === null ? null : { what, target: record.accountId, before, after: note.after },
          result: { accountId: record.accountId },
        };
      }),
    async inviteOwner(person, users, accountId, { email, name }) {
      if (directory().account(accountId) === undefined) return noAccount;
      // Audited in the log of that company, as done by the operator.
      const user: User = { ...person.user, accountId, role: 'Owner' };
      return users.invite({ ...person, user }, { email, name, role: 'Owner' });
    },
  };
}

function whatHappened(earlier: Account, { status }: Account): string {
  if (earlier.status === status) return 'account.changed';
  return status === 'suspended' ? 'account.suspended' : 'account.activated';
}

function view(account: Account, records: Records): AccountView {
  const own = <T extends { accountId: AccountId }>(list: readonly T[]) =>
    list.filter(({ accountId }) => accountId === account.accountId);
  const keys = own(records.apiKeys).filter(({ revokedAt }) => revokedAt === null);
  return {
    ...account,
    version: recordVersion(account),
    counts: { numbers: own(records.numbers).length, campaigns: own(records.campaigns).length, keys: keys.length },
  };
}

const noAccount: Refusal = { kind: 'missing', detail: 'There is no company with this id.' };
