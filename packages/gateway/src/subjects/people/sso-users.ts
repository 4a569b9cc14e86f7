/** Finds, links, creates and changes the user that the identity provider's claims describe. */
import type { AccountId } from '../../kernel/ids.ts';
import type { User } from '../../model/people.ts';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import { auditEntryOf, type Origin } from '../../model/person.ts';
import type { Role } from '../../model/roles.ts';
import type { PeopleParts, Sso } from './people-parts.ts';
import { type Claims, type SsoRefusal, wantedOf } from './sso-claims.ts';
import type { PeopleRule, PeopleWrite } from './store/items.ts';

export interface SsoUsers {
  /** The user who signed in with this subject before; null = none. */
  known(claims: Claims): Promise<User | null>;
  /** The user as the claims describe them; stored. */
  settle(claims: Claims, origin: Origin): Promise<User | SsoRefusal>;
}

type Parts = Pick<PeopleParts, 'clock' | 'ids' | 'logger' | 'store' | 'directory'> & { sso: Sso };

export function createSsoUsers({ clock, ids, logger, store, directory, sso }: Parts): SsoUsers {
  const { settings } = sso;

  async function known({ issuer, subject }: Claims): Promise<User | null> {
    const [user] = await store.users({ identity: { issuer, subject } });
    return user ?? null;
  }

  const identityOf = ({ issuer, subject }: Claims) => ({ issuer, subject, since: clock.now() });

  /** Stores a user, which increases the version. */
  async function put(user: User, rules: PeopleRule[], writes: PeopleWrite[], audit: NewAuditEntry[]) {
    const [broken = null] = await store.changePeople([{ rules, writes: [{ write: 'user', user }, ...writes], audit }]);
    return broken === null ? { ...user, version: user.version + 1 } : broken;
  }

  /** Creates a user in the company that the claims or the settings name. */
  async function make(claims: Claims, email: string, role: Role, accountId: AccountId | undefined, origin: Origin) {
    const company = accountId ?? settings.account;
    if (company === null || directory().account(company) === undefined) return 'company' as const;
    const user: User = {
      userId: ids.next('usr_'),
      accountId: company,
      email,
      name: claims.name ?? email.split('@')[0]!,
      ...{ role, operator: false, passwordHash: null, identity: identityOf(claims), totp: null, passkeys: [] },
      ...{ recoveryHashes: [], timeZone: null, language: null, singleKeys: true, createdAt: clock.now() },
      ...{ disabledAt: null, lastSignInAt: null, version: 0 },
    };
    const note = { what: 'user.made_by_sso', target: user.userId, after: { email, role, subject: claims.subject } };
    const made = await put(
      user,
      [
        { rule: 'email free', email },
        { rule: 'identity free', identity: claims },
      ],
      [],
      [auditEntryOf({ user, origin }, clock.now(), note)],
    );
    return typeof made === 'string' ? ('changed' as const) : made;
  }

  /** The first sign-in: by an address that the provider has verified, or as a new user. */
  async function first(claims: Claims, wanted: Wanted, origin: Origin): Promise<User | SsoRefusal> {
    const { email } = claims;
    if (email === null) return 'no address';
    // Otherwise anyone who can set an unverified address at the provider could sign in as anybody here.
    if (!claims.emailVerified) return 'unverified';
    const [user] = await store.users({ email });
    if (user === undefined) {
      if (!settings.creates) return 'unknown';
      const role = wanted.role ?? settings.roleElse;
      return role === null ? 'role' : make(claims, email, role, wanted.accountId, origin);
    }
    // The address has been linked to another person since.
    if (user.identity !== null) return 'linked';
    const fault = faultOf(user, wanted);
    if (fault !== null) return fault;
    const note = {
      what: 'sign_in.linked',
      target: user.userId,
      after: { issuer: claims.issuer, subject: claims.subject },
    };
    const linked = await put(
      { ...user, identity: identityOf(claims) },
      [
        { rule: 'unchanged', userId: user.userId, version: user.version },
        { rule: 'identity free', identity: claims },
      ],
      [],
      [auditEntryOf({ user, origin }, clock.now(), note)],
    );
    return typeof linked === 'string' ? 'changed' : linked;
  }

  /** The role from the claims applies from now on, in every browser. */
  async function withRole(user: User, role: Role | undefined, origin: Origin): Promise<User | SsoRefusal> {
    if (role === undefined || role === user.role) return user;
    const next: User = { ...user, role };
    const note = {
      ...{ what: 'user.changed_by_sso', target: user.userId },
      ...{ before: { role: user.role }, after: { role } },
    };
    const rules: PeopleRule[] = [{ rule: 'unchanged', userId: user.userId, version: user.version }];
    if (user.role === 'Owner') rules.push({ rule: 'other owner', accountId: user.accountId, userId: user.userId });
    const writes: PeopleWrite[] = [{ write: 'end sessions', userId: user.userId, exceptIdHash: null }];
    const changed = await put(next, rules, writes, [auditEntryOf({ user, origin }, clock.now(), note)]);
    if (typeof changed !== 'string') return changed;
    if (changed !== 'other owner') return 'changed';
    logger.warn({ userId: user.userId, role }, 'the identity provider would leave a company without an Owner');
    return user;
  }

  return {
    known,
    async settle(claims, origin) {
      const wanted = wantedOf(claims, settings);
      if (typeof wanted === 'string') return wanted;
      const found = await known(claims);
      const fault = found === null ? null : faultOf(found, wanted);
      if (fault !== null) return fault;
      const user = found ?? (await first(claims, wanted, origin));
      return typeof user === 'string' ? user : withRole(user, wanted.role, origin);
    },
  };
}

type Wanted = Exclude<ReturnType<typeof wantedOf>, string>;

/** A claim never moves a user to another company, because they would see that company's data. */
function faultOf(user: User, { accountId }: Wanted): SsoRefusal | null {
  if (user.disabledAt !== null) return 'disabled';
  return accountId !== undefined && accountId !== user.accountId ? 'other company' : null;
}
