/** A signed-in person who makes a request: origin, refusals, audit entries. Pure. */
import type { RequestId } from '../kernel/ids.ts';
import type { Session, User } from './people.ts';
import type { NewAuditEntry } from './people-audit.ts';

/** Where a request comes from, for the audit log and the list of sessions. */
export interface Origin {
  address: string;
  agent: string;
  requestId: RequestId | null;
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

/** A session that counts, and what goes to the browser. */
export interface OpenSession {
  /** For the cookie alone. */
  token: string;
  csrf: string;
  session: Session;
  user: User;
}

/** Refused sign-in: unknown, wrong, disabled, used up. One kind for all, so that nothing leaks. */
export type NotRight = { kind: 'not right' } | Extract<Refusal, { kind: 'slow' | 'busy' }>;
