/**
 * Parameters and results for users, sessions and one-time keys. A change is a list of rules and writes that apply
 * together or not at all, with its audit entries.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId, KeyId } from '../../../kernel/ids.ts';
import type { Identity, OneTimeKey, Session, User } from '../../../model/people.ts';
import type { NewAuditEntry } from '../../../model/people-audit.ts';
import type { Role } from '../../../model/roles.ts';

/** Conditions at the moment of the commit. */
export type PeopleRule =
  /** No enabled user is an operator. */
  | { rule: 'no operator' }
  /** The one-time key exists and has not expired. */
  | { rule: 'key'; keyHash: string; now: EpochMs }
  /** No user has this identity at the provider. */
  | { rule: 'identity free'; identity: Pick<Identity, 'issuer' | 'subject'> }
  /** No user of any company has this address. */
  | { rule: 'email free'; email: string }
  /** The user is unchanged since the read. */
  | { rule: 'unchanged'; userId: string; version: number }
  /** Another enabled user of the company is an Owner. */
  | { rule: 'other owner'; accountId: AccountId; userId: string }
  /** Another enabled user is an operator. */
  | { rule: 'other operator'; userId: string };

export type PeopleWrite =
  /** Inserts, or replaces the user with this id; increases `version` by itself, and keeps `lastSignInAt`. */
  | { write: 'user'; user: User }
  | { write: 'signed in'; userId: string; at: EpochMs }
  /** Inserts, and deletes sessions that ended before `createdAt` and the user's oldest above 50. */
  | { write: 'session'; session: Session }
  | { write: 'seen'; idHash: string; at: EpochMs }
  | { write: 'confirmed'; idHash: string; at: EpochMs }
  /** The role as which the session views the portal; null = its user's own. */
  | { write: 'view as'; idHash: string; role: Role | null }
  | { write: 'end session'; userId: string; sessionId: string }
  | { write: 'end sessions'; userId: string; exceptIdHash: string | null }
  /** Inserts, and deletes keys that expired before `createdAt`. */
  | { write: 'key'; key: OneTimeKey }
  | { write: 'drop key'; keyId: KeyId }
  /** All keys of a purpose. */
  | { write: 'drop keys'; purpose: OneTimeKey['purpose'] };

export interface PeopleChange {
  rules: PeopleRule[];
  writes: PeopleWrite[];
  audit: NewAuditEntry[];
}

export type UserQuery =
  | { userId: string }
  | { identity: Pick<Identity, 'issuer' | 'subject'> }
  | { email: string }
  | { accountId: AccountId }
  | { operators: true };

export interface OneTimeKeysQuery {
  accountId: AccountId;
  purpose: OneTimeKey['purpose'];
}
