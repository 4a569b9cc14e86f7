/**
 * Routes of the portal: public, signed in, or with a permission; some require a recent sign-in. Each call passes, in
 * this order: session, cross-site check, permission, recent sign-in, rate, body. Every route is listed in `registry`,
 * so a test can try them all.
 */

import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { hashToken } from '../../kernel/written-forms.ts';
import { actingUser, may, type Permission, portalKeyId, scopesOf, type User } from '../../model/people.ts';
import { auditEntryOf, type OpenSession, type Origin, type Person } from '../../model/person.ts';
import type { Account, ApiKey, Environment } from '../../model/records.ts';
import { secondFactorDue } from '../../model/second-factor-rule.ts';
import type { Caller } from '../../model/send.ts';
import { cookieHeaders, isHttps, isOwnPage, type Site, sessionCookie } from '../browser.ts';
import { type Answer, type Exchange, exchangeOf, rejection, retryAfter } from '../exchange.ts';
import { type Call, createRoutes, type JsonCall, type Register, type RoutesFor } from '../guard.ts';
import { dataHeaders } from '../portal-headers.ts';
import type { QueryFields } from '../query-fields.ts';
import { createRates } from '../rate.ts';
import type { AnyRoute, Method, RouteRecord } from '../route.ts';
import type { RouteDeps } from '../server.ts';
import { crossSite, forbidden, notSignedIn, recentNeeded, secondFactorNeeded } from './answers.ts';
import { defaultEnvironment, environments } from './environments.ts';
import type { AuditNote, PortalParts } from './portal-parts.ts';

/** At most one note for each person and permission in this time, so that nobody can fill the log. */
const refusalNoteEveryMs = 60_000;

const refusalNotesMax = 5_000;

/**
 * Audit entries that the guard writes itself: actions of a page, and, at a limited rate, attempts without permission.
 */
function createRefusalNotes(
  { clock, logger }: { clock: Clock; logger: Logger },
  { writeAudit }: Pick<PortalParts, 'writeAudit'>,
) {
  const lastMs = new Map<string, number>();

  async function write(person: Person, note: AuditNote): Promise<void> {
    await writeAudit(auditEntryOf(person, clock.now(), note));
  }

  function refused(person: Person, permission: Permission, route: string): void {
    const key = `${person.user.userId} ${permission}`;
    const now = clock.monotonicMs();
    if (now - (lastMs.get(key) ?? Number.NEGATIVE_INFINITY) < refusalNoteEveryMs) return;
    lastMs.delete(key);
    lastMs.set(key, now);
    if (lastMs.size > refusalNotesMax) lastMs.delete(lastMs.keys().next().value!);
    write(person, { what: 'access.refused', target: route, after: { permission, role: person.user.role } }).catch(
      (error: unknown) => logger.warn({ userId: person.user.userId, err: error }, 'a refusal could not be noted'),
    );
  }

  return { write, refused };
}

export const portalBase = '/api/portal/v1';

/** `public`: anyone; `signed in`: any role; else the permission that the role must have. */
export type Access = 'public' | 'signed in' | Permission;

export interface Needs {
  access: Access;
  /** Requires a sign-in or confirmation within the last ten minutes. */
  recent: boolean;
  /** The API route that this one mirrors. */
  mirrors: string | null;
}

/** A call of a signed-in person. `caller` is their company with a pseudo key, for code that also serves key pairs. */
export interface PortalCall extends Call {
  person: Person;
  open: OpenSession;
  account: Account;
  environment: Environment;
  https: boolean;
  may(permission: Permission): boolean;
  /** Writes a row of the audit log. */
  audit(note: AuditNote): Promise<void>;
}

/** A call by anyone; `leaving` is the session that the caller still has. */
export interface PublicCall extends Omit<Call, 'caller'> {
  origin: Origin;
  leaving: OpenSession | null;
  https: boolean;
}

export type JsonPortalCall = PortalCall & JsonCall;

/** What a route requires, in short: a permission or `signed in`; `fresh(…)` requires a recent sign-in too. */
export type PortalAccess = Exclude<Access, 'public'> | { fresh: Exclude<Access, 'public'> };

export function fresh(access: Exclude<Access, 'public'>): PortalAccess {
  return { fresh: access };
}

/** A route of the portal; its path is below `/api/portal/v1`. */
export interface PortalRecord<Base, Q extends QueryFields, Given, T> extends RouteRecord<Base, Q, Given, T> {
  access: PortalAccess;
  /** Words that it may write to the audit log. */
  audit?: readonly string[];
}

/** A route for anyone, signed in or not. */
export type OpenRecord<Q extends QueryFields, Given, T> = Omit<PortalRecord<PublicCall, Q, Given, T>, 'access'>;

/** Paths are below `/api/portal/v1`. */
export interface PortalRoutes {
  add<Q extends QueryFields, Given, T>(route: PortalRecord<PortalCall, Q, Given, T>): void;
  /** Adds a route for anyone. */
  open<Q extends QueryFields, Given, T>(route: OpenRecord<Q, Given, T>): void;
}

export interface PortalRoute extends Needs {
  method: Method;
  url: string;
  record: AnyRoute & { audit?: readonly string[] };
}

export interface PortalGuard {
  routes: PortalRoutes;
  /** For routes of the API that are registered a second time; see mirror.ts. */
  raw: RoutesFor<Needs>;
  registry: PortalRoute[];
}

export function createPortalGuard(app: FastifyInstance, deps: RouteDeps, parts: PortalParts): PortalGuard {
  const { clock, directory, limits, fail, config } = deps;
  const { sessions } = parts;
  const site: Site = { publicUrl: config.publicUrl, tls: config.tls !== undefined };
  const headers = { plain: dataHeaders(false), https: dataHeaders(true) };
  const rates = createRates(deps);
  const notes = createRefusalNotes(deps, parts);
  const registry: PortalRoute[] = [];

  async function admit(
    request: FastifyRequest,
    exchange: Exchange,
    method: Method,
    needs: Needs,
  ): Promise<Call | Answer> {
    const https = isHttps(request, site);
    exchange.fixedHeaders = https ? headers.https : headers.plain;
    const token = sessionCookie(request, https);
    const open = token === null ? null : await sessions.find(token);
    const origin = originOf(request, exchange);
    const unsafe = method !== 'GET';
    if (needs.access === 'public') {
      if (unsafe && !isOwnPage(request, site)) return crossSite;
      const call: PublicCall = { exchange, params: request.params as Call['params'], origin, leaving: open, https };
      return call as unknown as Call;
    }
    const account = open === null ? undefined : directory().account(open.user.accountId);
    if (open === null || account === undefined) {
      return token === null ? notSignedIn : { ...notSignedIn, headers: cookieHeaders(null, https) };
    }
    if (unsafe && !(isOwnPage(request, site) && sameToken(request, open.csrf))) return crossSite;
    const { access } = needs;
    const acting = actingUser(open.user, open.session);
    // Routes for any signed-in person use their real role; all others use the role they view the portal as.
    const person: Person = { user: access === 'signed in' ? open.user : acting, session: open.session, origin };
    if (access !== 'signed in' && !may(acting, access)) {
      notes.refused(person, access, `${method} ${exchange.route ?? exchange.path}`);
      return forbidden(access);
    }
    // Routes of the person's own profile stay open, or they could not set up the second factor.
    const due = secondFactorDue(account.secondFactor, open.user, config.secondFactorFrom);
    if (access !== 'signed in' && due !== null && !open.session.strong && clock.now() >= due) return secondFactorNeeded;
    if (needs.recent && !sessions.isRecent(open.session)) return recentNeeded;
    const call = callOf(request, { exchange, open, account, person, https });
    exchange.admission = {
      clock,
      again: async () => ((await sessions.find(open.token)) === null ? notSignedIn : null),
    };
    const rate = rates.take(call.caller);
    if (rate.allowed) return account.status === 'suspended' && unsafe && changesCompany(needs) ? suspended : call;
    return rejection('RATE_LIMITED', `Too many requests at once. Try again in ${rate.retryAfterSeconds} s.`, {
      headers: retryAfter(rate.retryAfterSeconds),
    });
  }

  /** People can still manage their own sign-in, and operators the gateway. */
  function changesCompany({ access }: Needs): boolean {
    return access !== 'signed in' && access !== 'operator';
  }

  function callOf(
    request: FastifyRequest,
    known: Pick<PortalCall, 'exchange' | 'open' | 'account' | 'person' | 'https'>,
  ): PortalCall {
    const { account, exchange, open, person } = known;
    const acting = actingUser(open.user, open.session);
    const header = request.raw.headers['x-helio-environment'];
    const wanted =
      environments(parts.sandbox).find((one) => one === header) ??
      defaultEnvironment(directory(), account.accountId, parts.sandbox);
    const caller: Caller = { account, key: pseudoKey(acting, wanted, limits) };
    exchange.caller = caller;
    return {
      ...known,
      caller,
      params: request.params as Call['params'],
      environment: wanted,
      may: (permission) => may(acting, permission),
      audit: (note) => notes.write(person, note),
    };
  }

  const register: Register<Needs> = (method, url, needs, handle, record) => {
    registry.push({ method, url, ...needs, record });
    const route = url.includes(':') ? url : null;
    const onRequest: onRequestHookHandler = (request, reply) => {
      (reply as FastifyReply).hijack();
      const exchange = exchangeOf(request.raw);
      exchange.route = route;
      admit(request, exchange, method, needs)
        .then((admitted) => ('status' in admitted ? exchange.send(admitted) : handle(admitted)))
        .catch((error: unknown) => fail(exchange, error));
    };
    app.route({ method, url, onRequest, handler: () => {}, config: { ...needs, record } });
  };
  const raw = createRoutes({ clock, limits, fail }, register);
  return { routes: portalRoutesOn(raw), raw, registry };
}

function portalRoutesOn(raw: RoutesFor<Needs>): PortalRoutes {
  const url = (path: string): string => `${portalBase}${path}`;
  const at = <R extends { path: string }>(route: R): never => ({ ...route, path: url(route.path) }) as never;
  const needs = (access: PortalAccess): Needs =>
    typeof access === 'string'
      ? { access, recent: false, mirrors: null }
      : { access: access.fresh, recent: true, mirrors: null };
  const open: Needs = { access: 'public', recent: false, mirrors: null };
  return {
    add: (route) => raw.add(at(route), needs(route.access)),
    open: (route) => raw.add(at(route), open),
  };
}

function originOf(request: FastifyRequest, exchange: Exchange): Origin {
  const agent = request.raw.headers['user-agent'] ?? '';
  return { address: request.ip, agent, requestId: exchange.requestId };
}

function sameToken(request: FastifyRequest, csrf: string): boolean {
  const sent = request.raw.headers['x-helio-csrf'];
  if (typeof sent !== 'string') return false;
  return timingSafeEqual(Buffer.from(hashToken(sent)), Buffer.from(hashToken(csrf)));
}

const suspended = rejection(
  'ACCOUNT_SUSPENDED',
  'Your company is suspended. Ask the operator of this gateway. Nothing was sent, changed or billed.',
);

function pseudoKey(user: User, environment: Environment, limits: RouteDeps['limits']): ApiKey {
  return {
    keyId: portalKeyId(user.userId),
    accountId: user.accountId,
    environment,
    name: user.email,
    // No credential hashes to this.
    bearerHash: '',
    authHash: '',
    scopes: scopesOf(user),
    allowedIps: [],
    exactShape: false,
    requestsPerSecond: limits.requestsPerSecond,
    burst: limits.burst,
    createdAt: user.createdAt,
    expiresAt: null,
    revokedAt: null,
  };
}
