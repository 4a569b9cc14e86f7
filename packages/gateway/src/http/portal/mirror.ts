/**
 * Serves the API's routes to people under `/api/portal/v1`: a session replaces the credentials, and permissions replace
 * scopes. Removes texts for people who may not read them.
 */
import { maskNumber } from '../../model/number.ts';
import type { Permission } from '../../model/people.ts';
import type { KeyScope } from '../../model/records.ts';
import type { Answer } from '../exchange.ts';
import type { Call, GuardedRoutes, Work } from '../guard.ts';
import { forbidden } from './answers.ts';
import { withoutTexts } from './hidden-texts.ts';
import { type PortalCall, type PortalGuard, portalBase } from './portal-guard.ts';

const fieldsMax = 2_000;

type Fields = Record<string, unknown>;

/**
 * The fields of a small JSON body, for the audit log: they name what was changed. The writer of the log removes
 * secrets.
 */
function fieldsOf(call: Call): Fields | null {
  const { body } = call as { body?: unknown };
  const isForm = typeof body === 'object' && body !== null && !Array.isArray(body) && !('kind' in body);
  if (!isForm || Object.keys(body).length === 0 || JSON.stringify(body).length > fieldsMax) return null;
  return { ...body };
}

/** The part of the answer that identifies the new record. */
function madeOf({ body }: Answer): Fields {
  const { data } = JSON.parse(body.toString()) as { data?: unknown };
  return typeof data === 'object' && data !== null ? (data as Fields) : {};
}

/** The audited target: the id in the path, else the id of the new record, else the name in the request. */
function targetOf(what: string, call: Call, fields: Fields | null, answer: Answer): string {
  const named = Object.values(call.params).join(' ');
  if (named !== '') return named;
  if (what === 'endpoint.added') return String(madeOf(answer).endpointId ?? fields?.url ?? '');
  if (what.startsWith('sandbox.') || what.startsWith('demo.')) return 'sandbox';
  const { contact, type } = fields ?? {};
  if (typeof contact === 'string') return maskNumber(contact);
  return typeof type === 'string' ? type : '';
}

/** Wraps the work so that each change also writes `what` to the audit log. */
function audited<C extends Call>(what: string, work: Work<C>): Work<C> {
  return async (call) => {
    const answer = await work(call);
    const fields = fieldsOf(call);
    if (answer.status === 200 && fields?.dryRun !== true) {
      const { before = null, after = fields } = answer.changed ?? {};
      const target = targetOf(what, call, fields, answer);
      await (call as unknown as PortalCall).audit({ what, target, before, after });
    }
    return answer;
  };
}

/** The permission that a scope stands for, unless the route names another. */
const byScope: Record<KeyScope, Permission> = { read: 'read', send: 'send', admin: 'manageCompany' };

/** Path of an API route in the portal. */
export function mirroredUrl(path: string): string {
  return path === '/SendSMS' ? `${portalBase}/send` : path.replace(/^\/api\/v1\//, `${portalBase}/`);
}

/** Only from JSON can texts be removed: people who may not read texts get no other answers. */
function isJson({ contentType }: Answer): boolean {
  return contentType === undefined || contentType.startsWith('application/json');
}

/** Registers the API's routes for the portal, except those that the portal replaces with its own. */
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
