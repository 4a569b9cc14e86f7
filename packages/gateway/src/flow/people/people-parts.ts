/** What the verbs of people share: their parts, who is asking from where, and how a change is made and told. */

import type { Clock, EpochMs, Random } from '../../domain/clock.ts';
import type { Directory } from '../../domain/directory.ts';
import type { Ids } from '../../domain/ids.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Session, User } from '../../domain/people.ts';
import type { NewAuditEntry } from '../../domain/people-audit.ts';
import { type PasswordOwner, passwordCharacters } from '../../domain/people-password.ts';
import type { Sealing } from '../../domain/sealed-place.ts';
import type { PeopleStore } from '../../store/store.ts';
import type { Attempts } from './attempts.ts';
import type { Passwords } from './passwords.ts';

/** Time-based codes (RFC 6238). */
export interface OneTimeCodes {
  /** Base 32, of 20 random bytes. */
  newSecret(bytes: Uint8Array): string;
  /** What an authenticator app reads: `otpauth://totp/…`. */
  uri(secret: string, name: { issuer: string; label: string }): string;
  /** The step a code belongs to, one before and one after the present included; null when it is none of them. */
  stepOf(secret: string, code: string, now: EpochMs): number | null;
}

export interface PeopleParts {
  clock: Clock;
  random: Random;
  ids: Ids;
  logger: Logger;
  store: PeopleStore;
  directory: () => Directory;
  passwords: Passwords;
  codes: OneTimeCodes;
  sealer: Sealing;
  attempts: Attempts;
}

/** Where a request comes from, for the audit log and the list of sessions. */
export interface Origin {
  address: string;
  agent: string;
  requestId: string | null;
}

/** Somebody who is signed in, from where. */
export interface Person {
  user: User;
  session: Session;
  origin: Origin;
}

/** A field of a form and what is wrong with it. */
export type FieldFaults = Readonly<Record<string, string>>;

/** What did not work, in words that may be shown. */
export type Refusal =
  | { kind: 'fields'; fields: FieldFaults }
  /** The record has changed since it was read, or a rule does not hold any more. */
  | { kind: 'conflict'; detail: string }
  | { kind: 'forbidden'; detail: string }
  | { kind: 'missing'; detail: string }
  | { kind: 'slow'; retryAfterSeconds: number }
  /** Too much to hash at this moment. */
  | { kind: 'busy' };

export function fault(name: string, sentence: string): Refusal {
  return { kind: 'fields', fields: { [name]: sentence } };
}

type Told = Pick<NewAuditEntry, 'what' | 'target'> & Partial<Pick<NewAuditEntry, 'before' | 'after'>>;

/** An audit row of somebody who is signed in. */
export function toldBy({ user, origin }: Pick<Person, 'user' | 'origin'>, at: number, told: Told): NewAuditEntry {
  return {
    at,
    accountId: user.accountId,
    userId: user.userId,
    who: user.email,
    before: null,
    after: null,
    ...told,
    address: origin.address,
    requestId: origin.requestId,
  };
}

/** The name of a user's company. */
export function companyOf(directory: Directory, accountId: string): string {
  return directory.account(accountId)?.name ?? '';
}

export type PasswordRule = Required<Pick<PasswordOwner, 'company' | 'charactersMin'>>;

/** What a user's company asks of passwords, and may not be one. */
export function passwordRuleOf(directory: Directory, accountId: string): PasswordRule {
  const charactersMin = directory.account(accountId)?.passwordCharactersMin ?? passwordCharacters.min;
  return { company: companyOf(directory, accountId), charactersMin };
}
