/** A signed-in person who makes a request: origin, refusals, audit entries. Pure. */
import type { RequestId } from '../kernel/ids.ts';
import type { Session, User } from './people.ts';
import type { NewAuditEntry } from './people-audit.ts';

/** The origin of a request, for the audit log and the list of sessions. */
export interface Origin {
  address: string;
  agent: string;
  requestId: RequestId | null;
}

/** A signed-in person and the request's origin. */
export interface Person {
  user: User;
  session: Session;
  origin: Origin;
}

/** A form's fields, each with its fault. */
export type FieldFaults = Readonly<Record<string, string>>;

/** What did not work, in words that may be shown. */
export type Refusal =
  | { kind: 'fields'; fields: FieldFaults }
  /** The record has changed since it was read, or a rule no longer holds. */
  | { kind: 'conflict'; detail: string }
  | { kind: 'forbidden'; detail: string }
  | { kind: 'missing'; detail: string }
  | { kind: 'slow'; retryAfterSeconds: number }
  /** Too many passwords are being hashed at this moment. */
  | { kind: 'busy' };

export function fault(name: string, sentence: string): Refusal {
  return { kind: 'fields', fields: { [name]: sentence } };
}

type AuditNote = Pick<NewAuditEntry, 'what' | 'target'> & Partial<Pick<NewAuditEntry, 'before' | 'after'>>;

/** An audit entry of a signed-in person. */
export function auditEntryOf(
  { user, origin }: Pick<Person, 'user' | 'origin'>,
  at: number,
  note: AuditNote,
): NewAuditEntry {
  return {
    at,
    accountId: user.accountId,
    userId: user.userId,
    who: user.email,
    before: null,
    after: null,
    ...note,
    address: origin.address,
    requestId: origin.requestId,
  };
}

/** A valid session, and what the browser gets. */
export interface OpenSession {
  /** Only for the cookie. */
  token: string;
  csrf: string;
  session: Session;
  user: User;
}

/** Refused sign-in: unknown, wrong, disabled, used up. One kind for all, so that nothing leaks. */
export type NotRight = { kind: 'not right' } | Extract<Refusal, { kind: 'slow' | 'busy' }>;
