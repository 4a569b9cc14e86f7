/** SQL over contacts, limited to one account. */
import { statement } from '../../../store/query.ts';

export interface ContactRow {
  contact: string;
  name: string;
  note: string;
  tags: string;
  updated_at: number;
}

const key = { account_id: 'text', contact: 'text' } as const;
const columns = 'k.contact, k.name, k.note, k.tags, k.updated_at';
const ofKey = 'k.account_id = r.account_id and k.contact = r.contact';

export const selectContacts = statement<ContactRow>()(
  'select_contacts',
  key,
  `select ${columns} from {rows} r, contacts k where ${ofKey}`,
);

/** `pattern`: for `like`; '%' = all. Scans at most `contactLimits.contacts` rows of a company. */
export const selectContactPage = statement<ContactRow>()(
  'select_contact_page',
  { account_id: 'text', pattern: 'text', after: 'text', limit: 'int' },
  `select ${columns} from contacts k where k.account_id = r.account_id and k.contact > r.after
     and (r.pattern = '%' or k.words like r.pattern escape '\\' or k.contact like r.pattern escape '\\')
   order by k.contact limit r.limit`,
);

export const countContacts = statement<{ count: number }>()(
  'count_contacts',
  { account_id: 'text' },
  'select count(*) as count from contacts k where k.account_id = r.account_id',
);

export const putContact = statement()(
  'put_contact',
  { ...key, name: 'text', note: 'text', tags: 'text', words: 'text', updated_at: 'int' },
  `insert into contacts (account_id, contact, name, note, tags, words, updated_at)
   select r.account_id, r.contact, r.name, r.note, r.tags, r.words, r.updated_at from {rows} r where true
   on conflict (account_id, contact) do update set name = excluded.name, note = excluded.note, tags = excluded.tags,
     words = excluded.words, updated_at = excluded.updated_at`,
);

export const deleteContacts = statement()(
  'delete_contacts',
  key,
  `delete from contacts using {rows} r where contacts.account_id = r.account_id and contacts.contact = r.contact`,
);

/** Not changed since `before`; `alone` is 1 when the telephone has no conversation. */
export const selectOldContacts = statement<{ contact: string; alone: number }>()(
  'select_old_contacts',
  { account_id: 'text', before: 'int', after: 'text', limit: 'int' },
  `select k.contact, case when exists (select 1 from threads t where t.account_id = k.account_id and t.peer = k.contact)
     then 0 else 1 end as alone
   from contacts k where k.account_id = r.account_id and k.updated_at < r.before and k.contact > r.after
   order by k.contact limit r.limit`,
);
