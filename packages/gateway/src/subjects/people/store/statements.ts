/** SQL over users, sessions and one-time keys. */
import { statement } from '../../../store/query.ts';

export interface UserRow {
  version: number;
  last_sign_in_at: number | null;
  body: string;
}

const userColumns = `u.version, u.last_sign_in_at, u.body`;
const listed = `select ${userColumns} from users u where`;
const inOrder = `order by u.email_key limit 1000`;

export const selectUser = statement<UserRow>()('select_user', { user_id: 'text' }, `${listed} u.user_id = r.user_id`);
export const selectUserByEmail = statement<UserRow>()(
  'select_user_by_email',
  { email_key: 'text' },
  `${listed} u.email_key = r.email_key`,
);
export const selectUsersOfAccount = statement<UserRow>()(
  'select_users_of_account',
  { account_id: 'text' },
  `${listed} u.account_id = r.account_id ${inOrder}`,
);
export const selectOperators = statement<UserRow>()('select_operators', {}, `${listed} u.operator = 1 ${inOrder}`);

export const selectUserByIdentity = statement<UserRow>()(
  'select_user_by_identity',
  { identity_key: 'text' },
  `select ${userColumns} from user_identities i join users u on u.user_id = i.user_id
   where i.identity_key = r.identity_key`,
);
export const deleteIdentities = statement()(
  'delete_user_identities',
  { user_id: 'text' },
  `delete from user_identities where user_id = r.user_id`,
);
export const insertIdentity = statement()(
  'insert_user_identity',
  { identity_key: 'text', user_id: 'text' },
  `insert into user_identities (identity_key, user_id) values (r.identity_key, r.user_id)`,
);

/** Enabled operators, except one. */
export const selectOtherOperator = statement<{ user_id: string }>()(
  'select_other_operator',
  { user_id: 'text' },
  `select user_id from users where operator = 1 and disabled = 0 and user_id <> r.user_id limit 1`,
);
export const selectOtherOwner = statement<{ user_id: string }>()(
  'select_other_owner',
  { account_id: 'text', user_id: 'text' },
  `select user_id from users where account_id = r.account_id and role = 'Owner' and disabled = 0
     and user_id <> r.user_id limit 1`,
);

export const putUser = statement()(
  'put_user',
  {
    user_id: 'text',
    email_key: 'text',
    account_id: 'text',
    role: 'text',
    operator: 'int',
    disabled: 'int',
    body: 'text',
  },
  `insert into users (user_id, email_key, account_id, role, operator, disabled, version, last_sign_in_at, body)
   values (r.user_id, r.email_key, r.account_id, r.role, r.operator, r.disabled, 1, null, r.body)
   on conflict (user_id) do update set email_key = excluded.email_key, account_id = excluded.account_id,
     role = excluded.role, operator = excluded.operator, disabled = excluded.disabled,
     version = users.version + 1, body = excluded.body`,
);
export const markSignIn = statement()(
  'mark_sign_in',
  { user_id: 'text', at: 'int' },
  `update users set last_sign_in_at = r.at where user_id = r.user_id`,
);

export interface SessionRow {
  id_hash: string;
  session_id: string;
  user_id: string;
  created_at: number;
  seen_at: number;
  confirmed_at: number;
  ends_at: number;
  address: string;
  agent: string;
  view_as: string;
  strong: number;
}

const sessionColumns = `s.id_hash, s.session_id, s.user_id, s.created_at, s.seen_at, s.confirmed_at, s.ends_at, s.address,
  s.agent, s.view_as, s.strong`;

export const insertSession = statement()(
  'insert_session',
  {
    id_hash: 'text',
    session_id: 'text',
    user_id: 'text',
    created_at: 'int',
    seen_at: 'int',
    confirmed_at: 'int',
    ends_at: 'int',
    address: 'text',
    agent: 'text',
    strong: 'int',
  },
  `insert into sessions
     (id_hash, session_id, user_id, created_at, seen_at, confirmed_at, ends_at, address, agent, strong)
   values (r.id_hash, r.session_id, r.user_id, r.created_at, r.seen_at, r.confirmed_at, r.ends_at, r.address, r.agent,
     r.strong)`,
);
export const selectSession = statement<SessionRow & UserRow>()(
  'select_session',
  { id_hash: 'text' },
  `select ${sessionColumns}, ${userColumns} from sessions s join users u on u.user_id = s.user_id
   where s.id_hash = r.id_hash`,
);
export const selectSessions = statement<SessionRow>()(
  'select_sessions',
  { user_id: 'text' },
  `select ${sessionColumns} from sessions s where s.user_id = r.user_id order by s.created_at desc, s.id_hash limit 100`,
);
export const markSeen = statement()(
  'mark_seen',
  { id_hash: 'text', at: 'int' },
  `update sessions set seen_at = r.at where id_hash = r.id_hash and seen_at < r.at`,
);
export const markConfirmed = statement()(
  'mark_confirmed',
  { id_hash: 'text', at: 'int' },
  `update sessions set confirmed_at = r.at where id_hash = r.id_hash`,
);
export const markViewAs = statement()(
  'mark_view_as',
  { id_hash: 'text', view_as: 'text' },
  `update sessions set view_as = r.view_as where id_hash = r.id_hash`,
);
export const deleteSession = statement()(
  'delete_session',
  { user_id: 'text', session_id: 'text' },
  `delete from sessions where user_id = r.user_id and session_id = r.session_id`,
);
export const deleteSessions = statement()(
  'delete_sessions',
  { user_id: 'text', except: 'text' },
  `delete from sessions where user_id = r.user_id and (r.except is null or id_hash <> r.except)`,
);
export const deleteOldSessions = statement()(
  'delete_old_sessions',
  { now: 'int' },
  `delete from sessions where ends_at <= r.now`,
);

/** Makes room for one more. */
export const deleteOldestSessions = statement()(
  'delete_oldest_sessions',
  { user_id: 'text', keep: 'int' },
  `delete from sessions where user_id = r.user_id and id_hash in (select s.id_hash from sessions s
     where s.user_id = r.user_id order by s.created_at desc, s.id_hash limit 1000 offset r.keep)`,
);

const keyColumns = { key_hash: 'text', key_id: 'text', purpose: 'text', account_id: 'text' } as const;

export const insertKey = statement()(
  'insert_one_time_key',
  { ...keyColumns, created_at: 'int', expires_at: 'int', body: 'text' },
  `insert into one_time_keys (key_hash, key_id, purpose, account_id, created_at, expires_at, body)
   values (r.key_hash, r.key_id, r.purpose, r.account_id, r.created_at, r.expires_at, r.body)`,
);
export const selectKey = statement<{ expires_at: number; body: string }>()(
  'select_one_time_key',
  { key_hash: 'text' },
  `select expires_at, body from one_time_keys where key_hash = r.key_hash`,
);
export const selectKeys = statement<{ body: string }>()(
  'select_one_time_keys',
  { account_id: 'text', purpose: 'text' },
  `select body from one_time_keys where account_id = r.account_id and purpose = r.purpose
   order by created_at desc, key_id desc limit 1000`,
);
export const deleteKey = statement()(
  'delete_one_time_key',
  { key_id: 'text' },
  `delete from one_time_keys where key_id = r.key_id`,
);
export const deleteKeysFor = statement()(
  'delete_one_time_keys_for',
  { purpose: 'text' },
  `delete from one_time_keys where purpose = r.purpose`,
);
export const deleteOldKeys = statement()(
  'delete_old_one_time_keys',
  { now: 'int' },
  `delete from one_time_keys where expires_at < r.now`,
);
