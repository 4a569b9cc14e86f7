/** What the portal's door is given besides what every route module gets. */

import type { People } from '../../flow/people/people.ts';
import type { PeopleStore } from '../../store/modules/people.ts';
import type { RouteModule } from '../server.ts';

export interface PortalParts {
  people: People;
  store: Pick<PeopleStore, 'changePeople'>;
  /** Whether the simulated carrier runs. */
  sandbox: boolean;
  /** Modules of `/api/v1` that exist in the portal too, with the session instead of the two credentials. */
  mirrored: readonly RouteModule[];
}

/** For the audit log: what somebody did. */
export interface AuditNote {
  /** Dotted words, such as `campaign.submitted`. */
  what: string;
  target: string;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}
