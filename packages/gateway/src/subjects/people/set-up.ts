/**
 * How people get access for the first time: the one-time key of the start card, a link from the command line, an
 * administrator from the environment, an invitation. Each key works once and for a limited time; the commit that uses
 * it up also stores its result. There is no default password.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { emailKey, hashToken, isEmail, newSetupKey, readCode, readName } from '../../kernel/written-forms.ts';
import { type OneTimeKey, peopleTimes, type User } from '../../model/people.ts';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import { passwordForm } from '../../model/people-password.ts';
import type { OpenSession } from '../../model/person.ts';
import { auditEntryOf, type FieldFaults, fault, type Origin, type Refusal } from '../../model/person.ts';
import type { Role } from '../../model/roles.ts';
import { type PasswordRule, type PeopleParts, passwordRuleOf } from './people-parts.ts';
import type { Sessions } from './sessions.ts';
import type { PeopleRule, PeopleWrite } from './store/items.ts';

/** The key is unknown, used or expired: one kind for all. */
export type KeyOver = { kind: 'key over' };

export interface SetUpForm {
  key: string;
  name: string;
  email: string;
  password: string;
  company: string | null;
}

/** The purpose of a key, shown to its holder. */
export type KeyPurpose =
  | { purpose: 'setup' }
  | ({ purpose: 'user' } & Invited)
  | ({ purpose: 'invitation'; role: Role } & Invited);

/** Details of the invited user, shown before they set a password. */
export interface Invited {
  email: string;
  name: string;
  company: string;
  passwordCharactersMin: number;
}

export interface SetUp {
  needed(): Promise<boolean>;
  /** A new key for the first administrator; earlier ones become invalid. Null when there is one already. */
  newKey(): Promise<string | null>;
  /**
   * A new key that signs a user in with a new password; null for an unknown user. Without an address: for the only
   * operator.
   */
  newUserKey(email: string | null): Promise<{ key: string; email: string } | null>;
  look(key: string, origin: Origin): Promise<{ kind: 'found'; key: KeyPurpose } | KeyOver | Refusal>;
  /** Creates the first administrator, or gives the key's user a new password; signs in. */
  setUp(
    form: SetUpForm,
    origin: Origin,
  ): Promise<{ kind: 'done'; open: OpenSession; company: string | null } | KeyOver | Refusal>;
  acceptInvitation(
    form: { key: string; name: string; password: string },
    origin: Origin,
  ): Promise<{ kind: 'done'; open: OpenSession } | KeyOver | Refusal>;
  /** Creates an administrator from the command line, without a key. */
  create(form: { email: string; name: string; password: string }): Promise<{ kind: 'done'; userId: string } | Refusal>;
}

const commandLine: Origin = { address: '', agent: '', requestId: null };

export type SetUpParts = Pick<
  PeopleParts,
  'clock' | 'random' | 'ids' | 'store' | 'directory' | 'passwords' | 'attempts'
> & {
  sessions: Sessions;
  /** The company of the first administrator; created when there is none. */
  firstAccount: (company: string | null) => Promise<string>;
};

export function createSetUp(parts: SetUpParts): SetUp {
  const { clock, random, ids, store, directory, passwords, attempts, sessions, firstAccount } = parts;

  const keyOf = (secret: string, lifeMs: number) => {
    const now = clock.now();
    return { keyHash: hashToken(secret), keyId: ids.next('otk_'), createdAt: now, expiresAt: now + lifeMs };
  };

  /** A valid key; guesses are limited. */
  async function keyFor(typed: string, origin: Origin): Promise<OneTimeKey | KeyOver | Refusal> {
    const verdict = attempts.begin('one-time keys', origin.address);
    if (!verdict.allowed) return { kind: 'slow', retryAfterSeconds: verdict.retryAfterSeconds };
    const now = clock.now();
    for (const secret of [typed.trim(), readCode(typed)]) {
      const key = await store.oneTimeKey(hashToken(secret));
      if (key === null || key.expiresAt <= now) continue;
      attempts.right('one-time keys', origin.address);
      return key;
    }
    return { kind: 'key over' };
  }

  async function hashed(password: string): Promise<string | Refusal> {
    const hash = await passwords.hash(passwordForm(password));
    return hash === 'busy' ? { kind: 'busy' } : hash;
  }

  /** Creates a user, uses up the key and signs in, in one commit. */
  async function enter(
    made: { user: User; rules: PeopleRule[]; writes: PeopleWrite[]; audit: NewAuditEntry[] },
    origin: Origin,
  ): Promise<{ kind: 'done'; open: OpenSession } | KeyOver | Refusal> {
    const { user, rules, writes, audit } = made;
    const { open, write } = sessions.create(user, origin);
    const signedIn: PeopleWrite = { write: 'signed in', userId: user.userId, at: clock.now() };
    const [broken] = await store.changePeople([
      { rules, writes: [{ write: 'user', user }, ...writes, write, signedIn], audit },
    ]);
    if (broken === null) return { kind: 'done', open };
    return broken === 'email free' ? emailTaken : { kind: 'key over' };
  }

  function newUser(form: {
    email: string;
    name: string;
    accountId: AccountId;
    role: Role;
    operator: boolean;
    passwordHash: string;
  }): User {
    return {
      userId: ids.next('usr_'),
      ...form,
      totp: null,
      passkeys: [],
      identity: null,
      recoveryHashes: [],
      timeZone: null,
      language: null,
      singleKeys: true,
      createdAt: clock.now(),
      disabledAt: null,
      lastSignInAt: null,
      version: 0,
    };
  }

  /** The first administrator; no operator may exist yet. */
  async function first(form: SetUpForm, key: OneTimeKey, origin: Origin) {
    const company = form.company === null || form.company.trim() === '' ? null : readName(form.company);
    const read = await readPerson(passwords, form, { company: company ?? '' });
    const companyFault = form.company !== null && form.company.trim() !== '' && company === null;
    if (read.kind === 'fields' || companyFault) {
      const fields = read.kind === 'fields' ? read.fields : {};
      return { kind: 'fields' as const, fields: companyFault ? { ...fields, company: nameFault } : fields };
    }
    const passwordHash = await hashed(form.password);
    if (typeof passwordHash !== 'string') return passwordHash;
    const accountId = await firstAccount(company);
    const user = newUser({ ...read.person, accountId, role: 'Owner', operator: true, passwordHash });
    const note = { what: 'setup', target: user.userId, after: { email: user.email, role: 'Owner', operator: true } };
    const done = await enter(
      {
        user,
        rules: [
          { rule: 'key', keyHash: key.keyHash, now: clock.now() },
          { rule: 'no operator' },
          { rule: 'email free', email: user.email },
        ],
        writes: [{ write: 'drop keys', purpose: 'setup' }],
        audit: [auditEntryOf({ user, origin }, clock.now(), note)],
      },
      origin,
    );
    return done.kind === 'done' ? { ...done, company } : done;
  }

  /** A new password for the key's user; all earlier sessions end. */
  async function again(key: Extract<OneTimeKey, { purpose: 'user' }>, password: string, origin: Origin) {
    const [user] = await store.users({ userId: key.userId });
    if (user === undefined || user.disabledAt !== null) return { kind: 'key over' as const };
    const problem = await passwords.problem(password, { ...user, ...passwordRuleOf(directory(), user.accountId) });
    if (problem !== null) return fault('password', problem);
    const passwordHash = await hashed(password);
    if (typeof passwordHash !== 'string') return passwordHash;
    const done = await enter(
      {
        user: { ...user, passwordHash },
        rules: [
          { rule: 'key', keyHash: key.keyHash, now: clock.now() },
          { rule: 'unchanged', userId: user.userId, version: user.version },
        ],
        writes: [
          { write: 'drop key', keyId: key.keyId },
          { write: 'end sessions', userId: user.userId, exceptIdHash: null },
        ],
        audit: [auditEntryOf({ user, origin }, clock.now(), { what: 'password.reset_by_link', target: user.userId })],
      },
      origin,
    );
    return done.kind === 'done' ? { ...done, company: null } : done;
  }

  async function purposeOf(key: OneTimeKey): Promise<KeyPurpose | null> {
    // A mailed link must not bypass the second factor.
    if (key.purpose === 'reset') return null;
    if (key.purpose === 'setup') return { purpose: 'setup' };
    const { company, charactersMin: passwordCharactersMin } = passwordRuleOf(directory(), key.accountId);
    if (key.purpose === 'invitation') {
      const { email, name, role } = key;
      return { purpose: 'invitation', email, name, role, company, passwordCharactersMin };
    }
    const [user] = await store.users({ userId: key.userId });
    if (user === undefined) return null;
    return { purpose: 'user', email: user.email, name: user.name, company, passwordCharactersMin };
  }

  const isNeeded = async (): Promise<boolean> =>
    !(await store.users({ operators: true })).some(({ disabledAt }) => disabledAt === null);

  async function storeKey(key: OneTimeKey, rules: PeopleRule[], before: PeopleWrite[]): Promise<boolean> {
    const [broken] = await store.changePeople([{ rules, writes: [...before, { write: 'key', key }], audit: [] }]);
    return broken === null;
  }

  return {
    needed: isNeeded,
    async newKey() {
      const secret = newSetupKey(random);
      const key: OneTimeKey = { ...keyOf(secret, peopleTimes.setupKeyMs), purpose: 'setup', accountId: '' };
      const stored = await storeKey(key, [{ rule: 'no operator' }], [{ write: 'drop keys', purpose: 'setup' }]);
      return stored ? secret : null;
    },
    async newUserKey(email) {
      const found =
        email === null ? await store.users({ operators: true }) : isEmail(email) ? await store.users({ email }) : [];
      const user = found.find(({ disabledAt }) => disabledAt === null);
      if (user === undefined) return null;
      const secret = newSetupKey(random);
      const { userId, accountId } = user;
      await storeKey({ ...keyOf(secret, peopleTimes.setupKeyMs), purpose: 'user', accountId, userId }, [], []);
      return { key: secret, email: user.email };
    },
    async look(typed, origin) {
      const key = await keyFor(typed, origin);
      if ('kind' in key) return key;
      const purpose = await purposeOf(key);
      return purpose === null ? { kind: 'key over' } : { kind: 'found', key: purpose };
    },
    async setUp(form, origin) {
      const key = await keyFor(form.key, origin);
      if ('kind' in key) return key;
      if (key.purpose === 'setup') return (await isNeeded()) ? first(form, key, origin) : { kind: 'key over' };
      return key.purpose === 'user' ? again(key, form.password, origin) : { kind: 'key over' };
    },
    async acceptInvitation({ key: typed, name, password }, origin) {
      const key = await keyFor(typed, origin);
      if ('kind' in key) return key;
      if (key.purpose !== 'invitation') return { kind: 'key over' };
      const { email, role, accountId } = key;
      const read = await readPerson(passwords, { name, email, password }, passwordRuleOf(directory(), accountId));
      if (read.kind === 'fields') return read;
      const passwordHash = await hashed(password);
      if (typeof passwordHash !== 'string') return passwordHash;
      const user = newUser({ ...read.person, accountId, role, operator: false, passwordHash });
      const note = { what: 'invitation.accepted', target: user.userId, after: { email, role, name: user.name } };
      const entered = await enter(
        {
          user,
          rules: [
            { rule: 'key', keyHash: key.keyHash, now: clock.now() },
            { rule: 'email free', email },
          ],
          writes: [{ write: 'drop key', keyId: key.keyId }],
          audit: [auditEntryOf({ user, origin }, clock.now(), note)],
        },
        origin,
      );
      // The maker of the link may be using it, and must not learn who is a user in another company.
      return entered === emailTaken ? { kind: 'key over' } : entered;
    },
    async create(form) {
      const read = await readPerson(passwords, form, {});
      if (read.kind === 'fields') return read;
      const passwordHash = await hashed(form.password);
      if (typeof passwordHash !== 'string') return passwordHash;
      const accountId = await firstAccount(null);
      const user = newUser({ ...read.person, accountId, role: 'Owner', operator: true, passwordHash });
      const now = clock.now();
      const [broken] = await store.changePeople([
        {
          rules: [{ rule: 'email free', email: user.email }],
          writes: [
            { write: 'user', user },
            { write: 'drop keys', purpose: 'setup' },
          ],
          audit: [byMachine(user, now, 'administrator.created')],
        },
      ]);
      return broken === null ? { kind: 'done', userId: user.userId } : emailTaken;
    },
  };
}

const emailTaken = fault('email', 'Somebody with this e-mail address has a user already.');
const nameFault = 'Write a name of 1 to 100 characters.';

/** The person's input, or the faults by field. */
async function readPerson(
  passwords: Pick<PeopleParts['passwords'], 'problem'>,
  form: { name: string; email: string; password: string },
  rule: Partial<PasswordRule>,
): Promise<{ kind: 'person'; person: { name: string; email: string } } | { kind: 'fields'; fields: FieldFaults }> {
  const email = form.email.trim();
  const name = readName(form.name);
  const fields: Record<string, string> = {};
  if (name === null) fields.name = nameFault;
  if (!isEmail(email)) fields.email = 'This is no e-mail address. Write it like ada@example.com.';
  const owner = { email: emailKey(email), name: name ?? '', company: '', ...rule };
  const problem = await passwords.problem(form.password, owner);
  if (problem !== null) fields.password = problem;
  return name === null || Object.keys(fields).length > 0
    ? { kind: 'fields', fields }
    : { kind: 'person', person: { name, email } };
}

function byMachine(user: User, at: EpochMs, what: string): NewAuditEntry {
  const note = { what, target: user.userId, after: { email: user.email, role: user.role, operator: user.operator } };
  return { ...auditEntryOf({ user, origin: commandLine }, at, note), userId: null, who: 'command line', address: null };
}
