/**
 * Portal users, roles and their permissions, sessions, one-time keys. Plain data. A user belongs to one company with
 * one role.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId, KeyId } from '../kernel/ids.ts';
import type { ApiKey, KeyScope } from './records.ts';
import { type Role, roles } from './roles.ts';

/** Who may do what within their company. `operator` is no role: it is a flag beside it, over all companies. */
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

/** Whether somebody with this role (and flag) may. */
export function may(who: Pick<User, 'role' | 'operator'>, permission: Permission): boolean {
  if (permission === 'operator') return who.operator;
  return (holders[permission] as readonly Role[]).includes(who.role);
}

export function permissionsOf(who: Pick<User, 'role' | 'operator'>): Permission[] {
  return permissions.filter((permission) => may(who, permission));
}

/** As which roles somebody may look at the portal: those that may nothing that they may not. */
export function viewableRoles(who: Pick<User, 'role' | 'operator'>): Role[] {
  if (!may(who, 'manageUsers')) return [];
  const own = permissionsOf({ ...who, operator: false });
  // Their order counts too: an Admin has every permission of an Owner, and still may not do everything.
  return roles
    .slice(roles.indexOf(who.role) + 1)
    .filter((role) => permissionsOf({ role, operator: false }).every((one) => own.includes(one)));
}

/** The user as far as their session may act: what it views the portal as takes away, and never gives. */
export function actingUser(user: User, { viewAs }: Pick<Session, 'viewAs'>): User {
  return viewAs !== null && viewableRoles(user).includes(viewAs) ? { ...user, role: viewAs, operator: false } : user;
}

/** The roles that have a permission, in words: `Owner, Admin`. */
export function holdersOf(permission: Permission): string {
  return permission === 'operator' ? 'Operator' : holders[permission].join(', ');
}

export interface User {
  /** `usr_` + 26 characters. */
  userId: string;
  accountId: AccountId;
  /** As it was typed; two addresses that differ in case only are one. */
  email: string;
  name: string;
  role: Role;
  /** Has accounts, carriers, routes and PDU logs of all companies, besides what the role gives. */
  operator: boolean;
  /** argon2id in PHC form; null = they have none, and come by their identity provider. */
  passwordHash: string | null;
  /** Who they are at the identity provider; null = they have not come from there. */
  identity: Identity | null;
  /** Time-based one-time codes (RFC 6238); the secret is sealed. `lastStep` is the newest step that was used. */
  totp: null | { secret: string; lastStep: number; since: EpochMs };
  /** Public keys of their authenticators (WebAuthn). Each counts as both factors, as it verifies its person. */
  passkeys: readonly Passkey[];
  /** SHA-256 of the codes that are left, lower-case hex. They stand in for any second factor. */
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
  /** Grows with each change. */
  version: number;
}

/** Of a person at an identity provider (OpenID Connect); both together never change. */
export interface Identity {
  issuer: string;
  subject: string;
  since: EpochMs;
}

export interface Passkey {
  /** `pky_…`: names it to people. */
  passkeyId: string;
  /** As the authenticator calls it; base64url. */
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** Of signatures, as the authenticator counts them; 0 = it does not. */
  counter: number;
  transports: readonly string[];
  /** Whether it is synced to other devices of its person. */
  backedUp: boolean;
  name: string;
  createdAt: EpochMs;
  lastUsedAt: EpochMs | null;
}

/** A browser that is signed in. What it holds is in its cookie alone; here is the SHA-256 of it. */
export interface Session {
  idHash: string;
  /** `ses_…`: names it to people; opens nothing. */
  sessionId: string;
  userId: string;
  createdAt: EpochMs;
  /** When it was last used, to the minute. */
  seenAt: EpochMs;
  /** When its person last proved who they are. */
  confirmedAt: EpochMs;
  /** When it ends whatever happens. */
  endsAt: EpochMs;
  address: string;
  /** What the browser calls itself, cut. */
  agent: string;
  /** Its sign-in counted as two factors at the identity provider. */
  strong: boolean;
  /** It is shown the portal as this role; null = as the one its user has. */
  viewAs: Role | null;
}

interface KeyCommon {
  /** SHA-256 of the key, lower-case hex. */
  keyHash: string;
  /** `otk_…`: names it to people; opens nothing. */
  keyId: KeyId;
  createdAt: EpochMs;
  expiresAt: EpochMs;
}

/**
 * A key that works once. `setup`: makes the first administrator; `user`: signs a user in with a new password; `reset`: was
 * mailed to a user who forgot theirs, and ends once they have another one.
 */
export type OneTimeKey =
  | (KeyCommon & { purpose: 'setup'; accountId: '' })
  | (KeyCommon & { purpose: 'user'; accountId: AccountId; userId: string })
  | (KeyCommon & {
      purpose: 'reset';
      accountId: AccountId;
      userId: string;
      /** SHA-256 of the hash of the password that it replaces. */
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
  /** A use is written down only when the one before is older than this. */
  seenEveryMs: 60_000,
  recentMs: 10 * 60_000,
  setupKeyMs: 30 * 60_000,
  resetKeyMs: 30 * 60_000,
  invitationMs: 7 * 86_400_000,
  challengeMs: 5 * 60_000,
  /** For a sign-in at the identity provider. */
  ssoMs: 10 * 60_000,
} as const;

/** When a session is over, by what is known of it; null while it counts. */
export function sessionEnd(session: Session, now: EpochMs): 'idle' | 'over' | null {
  if (now >= session.endsAt) return 'over';
  return now - session.seenAt >= peopleTimes.sessionIdleMs ? 'idle' : null;
}

/** What an API route with this scope may be used for by a role: the scopes of the pseudo key of a session. */
export function scopesOf(who: Pick<User, 'role' | 'operator'>): KeyScope[] {
  const scopes: [KeyScope, Permission][] = [
    ['send', 'send'],
    ['read', 'read'],
    ['admin', 'manageCompany'],
  ];
  return scopes.filter(([, permission]) => may(who, permission)).map(([scope]) => scope);
}

/** How a message that was sent from the portal names its key. */
export function portalKeyId(userId: string): ApiKey['keyId'] {
  return `${portalKeyMark}${userId}`;
}

/** No key pair can have such an id: ids of records hold no colon. */
const portalKeyMark = 'portal:';

export function isPortalKey(keyId: KeyId): boolean {
  return keyId.startsWith(portalKeyMark);
}
