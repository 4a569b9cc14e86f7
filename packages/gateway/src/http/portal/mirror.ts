/**
 * Serves the API's routes to people under `/api/portal/v1`: a session instead of credentials, permissions instead of
 * scopes. Texts are removed for people who may not read them.
 */
import type { Permission } from '../../model/people.ts';
import type { KeyScope } from '../../model/records.ts';
import type { Answer } from '../exchange.ts';
import type { Call, GuardedRoutes, Work } from '../guard.ts';
import { forbidden } from './answers.ts';
import { withoutTexts } from './hidden-texts.ts';
import { audited } from './mirror-audit.ts';
import { type PortalCall, type PortalGuard, portalBase } from './portal-guard.ts';

/** What a scope of a key pair comes to for people, where the route says no more. */
const byScope: Record<KeyScope, Permission> = { read: 'read', send: 'send', admin: 'manageCompany' };

/** Where a route of the API stands in the portal. */
export function mirroredUrl(path: string): string {
  return path === '/SendSMS' ? `${portalBase}/send` : path.replace(/^\/api\/v1\//, `${portalBase}/`);
}

/** Texts cannot be removed from files and tables, so people who may not read texts do not get these. */
function isJson({ contentType }: Answer): boolean {
  return contentType === undefined || contentType.startsWith('application/json');
}

/** Takes registrations of the API's modules. A route that the portal has of its own is left alone. */
export function createMirror({ raw, registry }: PortalGuard): GuardedRoutes {
  function shownTo<C extends Call>(work: Work<C>, holdsNoText: boolean): Work<C> {
    return async (call) => {
      const answer = await work(call);
      const person = call as unknown as PortalCall;
      if (person.may('readBody') || answer.status !== 200) return answer;
      if (isJson(answer)) return withoutTexts(answer);
      return holdsNoText ? answer : forbidden('readBody');
    };
  }

  return {
    add: (route) => {
      const { method, path, scope, people = {} } = route;
      const url = mirroredUrl(path);
      if (registry.some((own) => own.method === method && own.url === url)) return;
      const { permission = byScope[scope], fresh = false, audit, holdsNoText = false } = people;
      const shown = shownTo(route.work as Work<Call>, holdsNoText);
      const work = (audit === undefined ? shown : audited(audit, shown)) as typeof route.work;
      raw.add({ ...route, path: url, work }, { access: permission, recent: fresh, mirrors: path });
    },
  };
}
