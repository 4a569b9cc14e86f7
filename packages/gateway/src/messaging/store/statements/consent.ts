/** SQL over the opt-out list and the times of keyword confirmations. */
import { statement } from '../../../store/query.ts';
import type { OptOut } from '../items.ts';

export interface OptOutRow {
  scope: string;
  contact: string;
  account_id: string;
  state: 'out' | 'in';
  since: number;
  how: OptOut['how'];
  reason: string;
  evidence_message_id: string | null;
}

const columns = `o.scope, o.contact, o.account_id, o.state, o.since, o.how, o.reason, o.evidence_message_id`;
const key = { scope: 'text', contact: 'text' } as const;

export const selectOptOutRows = statement<OptOutRow>()(
  'select_opt_out_rows',
  key,
  `select ${columns} from {rows} r, opt_outs o where o.scope = r.scope and o.contact = r.contact`,
);

export const putOptOuts = statement()(
  'put_opt_outs',
  {
    ...key,
    account_id: 'text',
    state: 'text',
    since: 'int',
    how: 'text',
    reason: 'text',
    evidence_message_id: 'text',
  },
  `insert into opt_outs (scope, contact, account_id, state, since, how, reason, evidence_message_id)
   select r.scope, r.contact, r.account_id, r.state, r.since, r.how, r.reason, r.evidence_message_id
   from {rows} r where true
   on conflict (scope, contact) do update set account_id = excluded.account_id, state = excluded.state,
     since = excluded.since, how = excluded.how, reason = excluded.reason,
     evidence_message_id = excluded.evidence_message_id`,
);

export const selectOptOutPage = statement<{ scope: string; contact: string }>()(
  'select_opt_out_page',
  { ...key, limit: 'int' },
  `select scope, contact from opt_outs where state = 'out' and (scope, contact) > (r.scope, r.contact)
   order by scope, contact limit r.limit`,
);

/** Entries of an account by contact and scope, after a contact; limited to one scope if given. */
export const selectOptOuts = statement<OptOutRow>()(
  'select_opt_outs',
  { account_id: 'text', ...key, last_contact: 'text', only_scope: 'text', limit: 'int' },
  `select ${columns} from opt_outs o
   where o.account_id = r.account_id and o.state = 'out' and (o.contact, o.scope) > (r.contact, r.scope)
     and o.contact <= r.last_contact and (r.only_scope is null or o.scope = r.only_scope)
   order by o.contact, o.scope limit r.limit`,
);

/** The same for one scope, however many entries the account has in others. */
export const selectOptOutsOfScope = statement<OptOutRow>()(
  'select_opt_outs_of_scope',
  { account_id: 'text', ...key, limit: 'int' },
  `select ${columns} from opt_outs o
   where o.scope = r.scope and o.contact > r.contact and o.account_id = r.account_id and o.state = 'out'
   order by o.contact limit r.limit`,
);

export interface ConfirmationRow {
  scope: string;
  contact: string;
  keyword: 'out' | 'in' | 'help';
  at: number;
}

export const selectConfirmations = statement<ConfirmationRow>()(
  'select_confirmations',
  key,
  `select c.scope, c.contact, c.keyword, c.at from {rows} r, confirmations c
   where c.scope = r.scope and c.contact = r.contact`,
);

export const putConfirmations = statement()(
  'put_confirmations',
  { ...key, keyword: 'text', at: 'int' },
  `insert into confirmations (scope, contact, keyword, at)
   select r.scope, r.contact, r.keyword, r.at from {rows} r where true
   on conflict (scope, contact, keyword) do update set at = excluded.at`,
);
