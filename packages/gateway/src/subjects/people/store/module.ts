/**
 * Users, sessions and one-time keys. A change checks its rules, writes, and appends its audit entry in one transaction, one
 * change after the other.
 */
import { emailKey, hashToken } from '../../../kernel/written-forms.ts';
import { appendAudit } from '../../../messaging/store/operations/audit.ts';
import type { Identity, OneTimeKey, Session, User } from '../../../model/people.ts';
import { roles } from '../../../model/roles.ts';
import { type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import { raise } from '../../../store/system/statements.ts';
import type { OneTimeKeysQuery, PeopleChange, PeopleRule, PeopleWrite, UserQuery } from './items.ts';
import * as sql from './statements.ts';

/** Increased by every change: on PostgreSQL its row is the lock that serialises changes of two processes. */
const changeCounter = 'people_changes';
/** Sessions of one user; the oldest are deleted. */
const sessionsMax = 50;

/** For each change the first rule that does not hold (then nothing of it was written), or null when it was applied. */
export function* changePeople(changes: readonly PeopleChange[]): Operation<(PeopleRule['rule'] | null)[]> {
  const results: (PeopleRule['rule'] | null)[] = [];
  yield* run(raise, [{ name: changeCounter }]);
  for (const { rules, writes, audit } of changes) {
    const broken = yield* brokenRule(rules);
    results.push(broken);
    if (broken !== null) continue;
    for (const write of writes) yield* make(write);
    for (const entry of audit) yield* appendAudit(entry);
  }
  return results;
}

function* brokenRule(rules: readonly PeopleRule[]): Operation<PeopleRule['rule'] | null> {
  for (const rule of rules) if (!(yield* holds(rule))) return rule.rule;
  return null;
}

function* holds(rule: PeopleRule): Operation<boolean> {
  switch (rule.rule) {
    case 'no operator':
      return (yield* run(sql.selectOtherOperator, [{ user_id: '' }])).length === 0;
    case 'key': {
      const [key] = yield* run(sql.selectKey, [{ key_hash: rule.keyHash }]);
      return key !== undefined && key.expires_at > rule.now;
    }
    case 'email free':
      return (yield* run(sql.selectUserByEmail, [{ email_key: emailKey(rule.email) }])).length === 0;
    case 'identity free':
      return (yield* run(sql.selectUserByIdentity, [{ identity_key: identityKey(rule.identity) }])).length === 0;
    case 'unchanged': {
      const [user] = yield* run(sql.selectUser, [{ user_id: rule.userId }]);
      return user?.version === rule.version;
    }
    case 'other owner':
      return (yield* run(sql.selectOtherOwner, [{ account_id: rule.accountId, user_id: rule.userId }])).length > 0;
    case 'other operator':
      return (yield* run(sql.selectOtherOperator, [{ user_id: rule.userId }])).length > 0;
  }
}

function* make(write: PeopleWrite): Operation<unknown> {
  switch (write.write) {
    case 'user':
      yield* run(sql.deleteIdentities, [{ user_id: write.user.userId }]);
      if (write.user.identity !== null) {
        const { userId, identity } = write.user;
        yield* run(sql.insertIdentity, [{ identity_key: identityKey(identity), user_id: userId }]);
      }
      return yield* run(sql.putUser, [userRow(write.user)]);
    case 'signed in':
      return yield* run(sql.markSignIn, [{ user_id: write.userId, at: write.at }]);
    case 'session':
      yield* run(sql.deleteOldSessions, [{ now: write.session.createdAt }]);
      yield* run(sql.deleteOldestSessions, [{ user_id: write.session.userId, keep: sessionsMax - 1 }]);
      return yield* run(sql.insertSession, [sessionRow(write.session)]);
    case 'seen':
      return yield* run(sql.markSeen, [{ id_hash: write.idHash, at: write.at }]);
    case 'confirmed':
      return yield* run(sql.markConfirmed, [{ id_hash: write.idHash, at: write.at }]);
    case 'view as':
      return yield* run(sql.markViewAs, [{ id_hash: write.idHash, view_as: write.role ?? '' }]);
    case 'end session':
      return yield* run(sql.deleteSession, [{ user_id: write.userId, session_id: write.sessionId }]);
    case 'end sessions':
      return yield* run(sql.deleteSessions, [{ user_id: write.userId, except: write.exceptIdHash }]);
    case 'key':
      yield* run(sql.deleteOldKeys, [{ now: write.key.createdAt }]);
      return yield* run(sql.insertKey, [keyRow(write.key)]);
    case 'drop key':
      return yield* run(sql.deleteKey, [{ key_id: write.keyId }]);
    case 'drop keys':
      return yield* run(sql.deleteKeysFor, [{ purpose: write.purpose }]);
  }
}

/** Neither part contains a line break: an issuer is a URL, and a subject with one is refused. */
function identityKey({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string {
  return hashToken(`${issuer}\n${subject}`);
}

function userRow(user: User) {
  const { version: _, lastSignInAt: __, ...body } = user;
  return {
    user_id: user.userId,
    email_key: emailKey(user.email),
    account_id: user.accountId,
    role: user.role,
    operator: user.operator ? 1 : 0,
    disabled: user.disabledAt === null ? 0 : 1,
    body: JSON.stringify(body),
  };
}

function asUser({ version, last_sign_in_at, body }: sql.UserRow): User {
  // Rows of earlier versions lack both.
  return { passkeys: [], identity: null, ...JSON.parse(body), version, lastSignInAt: last_sign_in_at };
}

function sessionRow(session: Session): Omit<sql.SessionRow, 'view_as'> {
  const { idHash, sessionId, userId, createdAt, seenAt, confirmedAt, endsAt, address, agent, strong } = session;
  return {
    id_hash: idHash,
    session_id: sessionId,
    user_id: userId,
    created_at: createdAt,
    seen_at: seenAt,
    confirmed_at: confirmedAt,
    ends_at: endsAt,
    address,
    agent,
    strong: strong ? 1 : 0,
  };
}

function asSession(row: sql.SessionRow): Session {
  return {
    idHash: row.id_hash,
    sessionId: row.session_id,
    userId: row.user_id,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    confirmedAt: row.confirmed_at,
    endsAt: row.ends_at,
    address: row.address,
    agent: row.agent,
    strong: row.strong === 1,
    viewAs: roles.find((one) => one === row.view_as) ?? null,
  };
}

function keyRow(key: OneTimeKey) {
  return {
    key_hash: key.keyHash,
    key_id: key.keyId,
    purpose: key.purpose,
    account_id: key.accountId,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    body: JSON.stringify(key),
  };
}

/** Including disabled ones; at most 1,000, by e-mail address. An address is found in any case of letters. */
export function* users(query: UserQuery): Operation<User[]> {
  return (yield* userRows(query)).map(asUser);
}

function* userRows(query: UserQuery): Operation<sql.UserRow[]> {
  if ('userId' in query) return yield* run(sql.selectUser, [{ user_id: query.userId }]);
  if ('identity' in query) {
    return yield* run(sql.selectUserByIdentity, [{ identity_key: identityKey(query.identity) }]);
  }
  if ('email' in query) return yield* run(sql.selectUserByEmail, [{ email_key: emailKey(query.email) }]);
  if ('accountId' in query) return yield* run(sql.selectUsersOfAccount, [{ account_id: query.accountId }]);
  return yield* run(sql.selectOperators, [{}]);
}

/** The session with this hash and its user; null when absent. The caller checks whether it has ended. */
export function* session(idHash: string): Operation<{ session: Session; user: User } | null> {
  const [row] = yield* run(sql.selectSession, [{ id_hash: idHash }]);
  return row === undefined ? null : { session: asSession(row), user: asUser(row) };
}

/** Newest first, at most 100. */
export function* sessions(userId: string): Operation<Session[]> {
  return (yield* run(sql.selectSessions, [{ user_id: userId }])).map(asSession);
}

export function* oneTimeKey(keyHash: string): Operation<OneTimeKey | null> {
  const [row] = yield* run(sql.selectKey, [{ key_hash: keyHash }]);
  return row === undefined ? null : (JSON.parse(row.body) as OneTimeKey);
}

/** Keys of a company for one purpose, newest first, at most 1,000, including expired ones. */
export function* oneTimeKeys({ accountId, purpose }: OneTimeKeysQuery): Operation<OneTimeKey[]> {
  const rows = yield* run(sql.selectKeys, [{ account_id: accountId, purpose }]);
  return rows.map(({ body }) => JSON.parse(body) as OneTimeKey);
}

export const peopleStore = storeModule({
  name: 'people',
  writes: { changePeople: { run: changePeople, journal: 'apart', tool: true } },
  reads: {
    users: { run: users, needs: 'nothing' },
    session: { run: session, needs: 'nothing' },
    sessions: { run: sessions, needs: 'nothing' },
    oneTimeKey: { run: oneTimeKey, needs: 'nothing' },
    oneTimeKeys: { run: oneTimeKeys, needs: 'nothing' },
  },
});

export interface PeopleStore extends StoreOf<typeof peopleStore> {}
