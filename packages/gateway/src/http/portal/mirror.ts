/**
 * The API's own routes a second time, for people: the same handlers under `/api/portal/v1`, with the session in place of
 * the two credentials, and permissions in place of scopes. What a permission does not cover is refused; texts are taken
 * out of answers for those who may not read them.
 */
import type { Permission } from '../../domain/people.ts';
import type { KeyScope } from '../../domain/records.ts';
import type { Answer } from '../exchange.ts';
import type { Call, GuardedRoutes, Work } from '../guard.ts';
import type { Method } from '../route.ts';
import { forbidden } from './answers.ts';
import { withoutTexts } from './hidden-texts.ts';
import { audited } from './mirror-audit.ts';
import { type Needs, type PortalCall, type PortalGuard, portalBase } from './portal-guard.ts';

interface Rule {
  method: Method | null;
  /** Of the API's path, with parameters as they are declared. */
  path: RegExp;
  permission: Permission;
}

/** The first that fits counts. */
const rules: readonly Rule[] = [
  { method: 'POST', path: /^\/SendSMS$/, permission: 'send' },
  { method: 'POST', path: /^\/api\/v1\/endpoints\b/, permission: 'manageWebhooks' },
  { method: 'PATCH', path: /^\/api\/v1\/endpoints\b/, permission: 'manageWebhooks' },
  { method: 'DELETE', path: /^\/api\/v1\/endpoints\b/, permission: 'manageWebhooks' },
  { method: 'POST', path: /^\/api\/v1\/deliveries\b/, permission: 'manageWebhooks' },
  { method: 'POST', path: /^\/api\/v1\/events\b/, permission: 'manageWebhooks' },
  { method: 'POST', path: /^\/api\/v1\/opt-outs\b/, permission: 'manageOptOuts' },
  { method: 'POST', path: /^\/api\/v1\/sandbox\/webhooks\b/, permission: 'manageWebhooks' },
  { method: null, path: /^\/api\/v1\/usage\b/, permission: 'readUsage' },
];

/** What a scope of a key pair comes to for people, where no rule says more. */
const byScope: Record<KeyScope, Permission> = { read: 'read', send: 'send', admin: 'manageCompany' };

export function permissionFor(method: Method, path: string, scope: KeyScope): Permission {
  const rule = rules.find((one) => (one.method === null || one.method === method) && one.path.test(path));
  return rule?.permission ?? byScope[scope];
}

/** Whose answer holds a signing secret: people prove once more who they are before they see it. */
function showsSecret(method: Method, path: string): boolean {
  return method === 'POST' && /^\/api\/v1\/endpoints(?:\/:endpointId\/rotate-secret)?$/.test(path);
}

/** Where a route of the API stands in the portal. */
export function mirroredUrl(path: string): string {
  return path === '/SendSMS' ? `${portalBase}/send` : path.replace(/^\/api\/v1\//, `${portalBase}/`);
}

/** Files and tables cannot be looked through for texts: whoever may not read texts does not get them. */
function isJson({ contentType }: Answer): boolean {
  return contentType === undefined || contentType.startsWith('application/json');
}

/** Tables that hold numbers, counts, reasons and ids, and no text of anybody. */
const tables = /^\/api\/v1\/(?:opt-outs\/export|usage\b.*)$/;

/** Takes registrations of the API's modules. A route that the portal has of its own is left alone. */
export function createMirror({ raw, registry }: PortalGuard): GuardedRoutes {
  function shownTo<C extends Call>(work: Work<C>, path: string): Work<C> {
    return async (call) => {
      const answer = await work(call);
      const person = call as unknown as PortalCall;
      if (person.may('readBody') || answer.status !== 200) return answer;
      if (isJson(answer)) return withoutTexts(answer);
      return tables.test(path) ? answer : forbidden('readBody');
    };
  }

  function place(method: Method, path: string, scope: KeyScope): { url: string; needs: Needs } | null {
    const url = mirroredUrl(path);
    const own = registry.some((route) => route.method === method && route.url === url);
    if (own) return null;
    return {
      url,
      needs: { access: permissionFor(method, path, scope), recent: showsSecret(method, path), mirrors: path },
    };
  }

  const mirror =
    <C extends Call>(method: Method, add: (url: string, needs: Needs, work: Work<C>) => void) =>
    (path: string, scope: KeyScope, work: Work<C>): void => {
      const at = place(method, path, scope);
      if (at !== null) add(at.url, at.needs, audited(method, path, shownTo(work, path)));
    };
  const add: GuardedRoutes['add'] = (route) => {
    const { method, path, scope, people = {} } = route;
    const at = place(method, path, scope);
    if (at === null) return;
    const needs: Needs = {
      ...at.needs,
      access: people.permission ?? at.needs.access,
      recent: people.fresh ?? at.needs.recent,
    };
    // What is audited is the work behind the reading of the body: its fields are told as they were sent.
    const work = audited(method, path, shownTo(route.work as Work<Call>, path), people.audit) as typeof route.work;
    raw.add({ ...route, path: at.url, work }, needs);
  };
  return {
    add,
    get: mirror('GET', raw.get),
    delete: mirror('DELETE', raw.delete),
    post: mirror('POST', raw.post),
    patch: mirror('PATCH', raw.patch),
    act: mirror('POST', raw.act),
    upload: mirror('POST', raw.upload),
    file: (path, scope, room, work) => {
      const at = place('POST', path, scope);
      if (at !== null) raw.file(at.url, at.needs, room, audited('POST', path, shownTo(work, path)));
    },
  };
}
