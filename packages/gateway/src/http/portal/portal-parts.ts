/** The ports of the portal's guard. */
import type { NewAuditEntry } from '../../model/people-audit.ts';
import type { OpenSession } from '../../model/person.ts';
import type { RouteModule } from '../server.ts';

export interface PortalParts {
  sessions: {
    /** The session of a cookie's value; null when it is unknown or has ended. */
    find(token: string): Promise<OpenSession | null>;
    /** Whether its person signed in or confirmed who they are a short while ago. */
    isRecent(session: OpenSession['session']): boolean;
  };
  /** Writes a row of the audit log. */
  writeAudit(entry: NewAuditEntry): Promise<unknown>;
  /** Whether the simulated carrier runs. */
  sandbox: boolean;
  /** Modules of `/api/v1` that the portal serves too, with the session instead of the two credentials. */
  mirrored: readonly RouteModule[];
}

/** What a person did, for the audit log. */
export interface AuditNote {
  /** Dotted words, such as `campaign.submitted`. */
  what: string;
  target: string;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}
