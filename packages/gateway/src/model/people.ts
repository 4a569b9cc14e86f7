/**
 * Portal users, roles and their permissions, sessions, one-time keys. Plain data. A user belongs to one company with
 * one role.
 */
import { dayMs, type EpochMs } from '../kernel/clock.ts';
import type { AccountId, KeyId } from '../kernel/ids.ts';
import type { ApiKey, KeyScope } from './records.ts';
import { type Role, roles } from './roles.ts';

/**
 * Which roles have which permission within their company. `operator` is not a role but a separate flag, valid for all
 * companies.
 */
const holders = {
  read: roles,
  readBody: ['Owner', 'Admin', 'Developer', 'Support'],
  send: ['Owner', 'Admin', 'Developer', 'Support'],
  manageNumbers: ['Owner', 'Admin'],
  manageCampaigns: ['Owner', 'Admin'],
  manageCompany: ['Owner', 'Admin'],
  readAudit: ['Owner', 'Admin'],
  manageUsers: ['Owner', 'Admin'],
  manageKeys: ['Owner', 'Admin', 'Developer'],
  manageWebhooks: ['Owner', 'Admin', 'Developer'],
  manageOptOuts: ['Owner', 'Admin', 'Support'],
  readUsage: ['Owner', 'Admin', 'Viewer', 'Developer'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof holders | 'operator';
export const permissions: readonly Permission[] = [...(Object.keys(holders) as (keyof typeof holders)[]), 'operator'];

/** Whether a person with this role (and flag) has the permission. */
export function may(who: Pick<User, 'role' | 'operator'>, permission: Permission): boolean {
  if (permission === 'operator') return who.operator;
  return (holders[permission] as readonly Role[]).includes(who.role);
}

export function permissionsOf(who: Pick<User, 'role' | 'operator'>): Permission[] {
  return permissions.filter((permission) => may(who, permission));
}

/** The roles as which a person may view the portal: those without any permission that the person lacks. */
export function viewableRoles(who: Pick<User, 'role' | 'operator'>): Role[] {
  if (!may(who, 'manageUsers')) return [];
  const own = permissionsOf({ ...who, operator: false });
  // Their order counts too: an Admin has every permission of an Owner, and still may not do everything that an Owner
  // may.
  return roles
    .slice(roles.indexOf(who.role) + 1)
    .filter((role) => permissionsOf({ role, operator: false }).every((one) => own.includes(one)));
}

/** The user with the permissions of their session: viewing the portal as another role can only remove permissions. */
export function actingUser(user: User, { viewAs }: Pick<Session, 'viewAs'>): User {
  return viewAs !== null && viewableRoles(user).includes(viewAs) ? { ...user, role: viewAs, operator: false } : user;
}

/** The roles with a permission, in words: `Owner, Admin`. */
export function holdersOf(permission: Permission): string {
  return permission === 'operator' ? 'Operator' : holders[permission].join(', ');
}

export interface User {
  /** `usr_` + 26 characters. */
  userId: string;
  accountId: AccountId;
  /** As typed; addresses that differ only in case count as one. */
  email: string;
  name: string;
  role: Role;
  /** May manage accounts, carriers, routes and PDU logs of all companies, in addition to the role. */
  operator: boolean;
  /** argon2id in PHC form; null = no password: they sign in through their identity provider. */
  passwordHash: string | null;
  /** Their identity at the identity provider; null = they have never signed in there. */
  identity: Identity | null;
  /** Time-based one-time codes (RFC 6238); the secret is sealed. `lastStep` is the newest step used. */
  totp: null | { secret: string; lastStep: number; since: EpochMs };
  /** Public keys of their authenticators (WebAuthn). Each counts as both factors, because it verifies the person. */
  passkeys: readonly Passkey[];
  /** SHA-256 of the unused recovery codes, lower-case hex. A code replaces any second factor. */
  recoveryHashes: string[];
  /** IANA name; null = the company's or the browser's. */
  timeZone: string | null;
  /** BCP 47; null = the browser's. */
  language: string | null;
  /** Whether single letters are shortcuts (WCAG 2.1.4). */
  singleKeys: boolean;
  createdAt: EpochMs;
  /** Set: sign-in is refused and sessions are void. */
  disabledAt: EpochMs | null;
  lastSignInAt: EpochMs | null;
  /** Increases with each change. */
  version: number;
}

/** A person at an identity provider (OpenID Connect); issuer and subject together never change. */
export interface Identity {
  issuer: string;
  subject: string;
  since: EpochMs;
}

export interface Passkey {
  /** `pky_…`: identifies it to people. */
  passkeyId: string;
  /** The authenticator's id for it; base64url. */
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** Number of signatures by the authenticator's count; 0 = it does not count. */
  counter: number;
  transports: readonly string[];
  /** Whether it is synced to other devices of the person. */
  backedUp: boolean;
  name: string;
  createdAt: EpochMs;
  lastUsedAt: EpochMs | null;
}

/** A signed-in browser. The token is only in its cookie; the store has its SHA-256. */
export interface Session {
  idHash: string;
  /** `ses_…`: identifies it to people; gives no access. */
  sessionId: string;
  userId: string;
  createdAt: EpochMs;
  /** When it was last used, to the minute. */
  seenAt: EpochMs;
  /** When the person last proved who they are. */
  confirmedAt: EpochMs;
  /** When it ends at the latest. */
  endsAt: EpochMs;
  address: string;
  /** The browser's User-Agent, cut. */
  agent: string;
  /** The sign-in at the identity provider counted as two factors. */
  strong: boolean;
  /** The role as which the person views the portal; null = their own. */
  viewAs: Role | null;
}

interface KeyCommon {
  /** SHA-256 of the key, lower-case hex. */
  keyHash: string;
  /** `otk_…`: identifies it to people; gives no access. */
  keyId: KeyId;
  createdAt: EpochMs;
  expiresAt: EpochMs;
}

/**
 * A key that works once. `setup`: creates the first administrator; `user`: signs a user in with a new password;
 * `reset`: was mailed to a user who forgot their password, and becomes void once they have another one.
 */
export type OneTimeKey =
  | (KeyCommon & { purpose: 'setup'; accountId: '' })
  | (KeyCommon & { purpose: 'user'; accountId: AccountId; userId: string })
  | (KeyCommon & {
      purpose: 'reset';
      accountId: AccountId;
      userId: string;
      /** SHA-256 of the hash of the password to be replaced. */
      replaces: string;
    })
  | (KeyCommon & {
      purpose: 'invitation';
      accountId: AccountId;
      email: string;
      name: string;
      role: Role;
      invitedBy: string;
    });

export type ResetKey = Extract<OneTimeKey, { purpose: 'reset' }>;
export type Invitation = Extract<OneTimeKey, { purpose: 'invitation' }>;

/** Times of the portal. */
export const peopleTimes = {
  sessionIdleMs: 30 * 60_000,
  sessionMs: 12 * 3_600_000,
  /** A use is stored only when the last stored one is older than this. */
  seenEveryMs: 60_000,
  recentMs: 10 * 60_000,
  setupKeyMs: 30 * 60_000,
  resetKeyMs: 30 * 60_000,
  invitationMs: 7 * dayMs,
  challengeMs: 5 * 60_000,
  /** Time for a sign-in at the identity provider. */
  ssoMs: 10 * 60_000,
} as const;

/** Why a session has ended; null while it is valid. */
export function sessionEnd(session: Session, now: EpochMs): 'idle' | 'over' | null {
  if (now >= session.endsAt) return 'over';
  return now - session.seenAt >= peopleTimes.sessionIdleMs ? 'idle' : null;
}

/** The API scopes that a role stands for: those of the session's pseudo key. */
export function scopesOf(who: Pick<User, 'role' | 'operator'>): KeyScope[] {
  const scopes: [KeyScope, Permission][] = [
    ['send', 'send'],
    ['read', 'read'],
    ['admin', 'manageCompany'],
  ];
  return scopes.filter(([, permission]) => may(who, permission)).map(([scope]) => scope);
}

/** The key id of messages sent from the portal. */
export function portalKeyId(userId: string): ApiKey['keyId'] {
  return `${portalKeyMark}${userId}`;
}

/** No key pair can have such an id: ids of records cannot contain a colon. In a search it stands for all of them. */
export const portalKeyMark = 'portal:';

export function isPortalKey(keyId: KeyId): boolean {
  return keyId.startsWith(portalKeyMark);
}
