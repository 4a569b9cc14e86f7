/**
 * The public surface of the gateway, compared with committed files: the API's description, every route with the access
 * it needs, and the shape of its answer to each kind of caller. All of it comes from one running gateway.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Access } from '../../packages/gateway/src/http/portal/portal-guard.ts';
import { may } from '../../packages/gateway/src/model/people.ts';
import { roles } from '../../packages/gateway/src/model/roles.ts';
import { fill, recordsOf, type Things } from '../contract/isolation-company.ts';
import { companyOf, settled } from '../contract/isolation-picture.ts';
import { forAnybody, isPortal, nameOf } from '../contract/isolation-routes.ts';
import {
  type Asker,
  must,
  openWorld,
  pairOf,
  password,
  portalBase,
  type Route,
  type World,
} from '../contract/isolation-world.ts';
import { askAll, type Noted, routeName } from './ask.ts';
import { holdFiles, holdGolden } from './golden.ts';
import { portalDocument } from './portal-document.ts';
import { portalTypes } from './portal-types.ts';
import { answerShape } from './shape.ts';

const reading = vi.hoisted(() => new Set<string>());
// Every query parameter is read by this function, so its mock learns their names.
vi.mock('../../packages/gateway/src/http/input.ts', async (original) => {
  const real = await original<typeof import('../../packages/gateway/src/http/input.ts')>();
  return {
    ...real,
    valuesOf: (...params: Parameters<typeof real.valuesOf>) => {
      reading.add(params[1]);
      return real.valuesOf(...params);
    },
  };
});

const scopes = ['read', 'send', 'admin'] as const;
const keyOf = (scope: string) => pairOf(`amber-${scope}`);
const keys = scopes.map((scope) => ({
  id: `amber-${scope}`,
  account: 'amber',
  environment: 'sandbox',
  name: scope,
  scopes: [scope],
  requestsPerSecond: 0,
  ...keyOf(scope),
}));

let world: World;
let owner: Asker;
let portal: Noted;
let api: Noted;

beforeAll(async () => {
  const [one, two] = [recordsOf('amber'), recordsOf('basalt')];
  const both = Object.fromEntries(Object.entries(one).map(([kind, own]) => [kind, [...own, ...two[kind]!]]));
  world = await openWorld({ ...both, keys: [...both.keys!, ...keys.map((key) => ({ ...key, account: 'basalt' }))] });
  const amber = await world.people('amber');
  const things = await fill(world, 'amber', amber);
  const basalt = await world.people('basalt');
  owner = basalt.Owner;
  const others = await fill(world, 'basalt', basalt);
  await settled(world, await companyOf(world, things));
  await settled(world, await companyOf(world, others));
  // A user to change, so that the changes do not end another user's session.
  const userId = await oneMore(amber.Owner);
  const named = (name: string, asker: Asker): Asker => ({ ...asker, name });
  const stranger = named('signed out', world.stranger());
  const people = [...roles.map((role) => named(role, amber[role])), stranger, named('operator', world.operator)];
  const programs = [...scopes.map((scope) => named(scope, world.program(keyOf(scope)))), stranger];
  api = await askAll(
    world,
    programs,
    { ...others, ...(await receivedBy(owner, others)) },
    { routes: world.routes.filter((one) => !isPortal(one)), reading },
  );
  const isForPeople = (route: Route) => isPortal(route) && !forAnybody.includes(nameOf(route));
  portal = await askAll(
    world,
    people,
    { ...things, ...(await receivedBy(amber.Owner, things)), userId },
    { routes: world.routes.filter(isForPeople), reading },
  );
});
afterAll(() => world?.stop());

/** Invites one more Viewer; returns the key of the invitation. */
async function invited(by: Asker, email: string): Promise<string> {
  const invitation = by.call('POST', `${portalBase}/users/invitations`, { email, role: 'Viewer' });
  return (await must(invitation)).json.data.link.split('#k=')[1];
}

/** A delivery of a known kind: the newest one differs from run to run. */
async function receivedBy(by: Asker, { endpointId }: Things): Promise<Pick<Things, 'deliveryId'>> {
  const query = `?state=delivered&type=message.received&endpoint=${endpointId}`;
  const [{ deliveryId }] = (await must(by.call('GET', `${portalBase}/deliveries${query}`))).json.data;
  return { deliveryId };
}

async function oneMore(by: Asker): Promise<string> {
  const key = await invited(by, 'more@amber.example');
  const form = { key, name: 'One more', password };
  return (await must(world.stranger().call('POST', `${portalBase}/invitation`, form))).json.data.me.user.userId;
}

/** Which figures of a carrier are known, and what is listed of it, depends on the minute in which the test runs. */
function anyFigures(shapes: unknown): unknown {
  const text = JSON.stringify(shapes)
    .replaceAll(/"(?:null|number|null \| number)"/g, '"null | number"')
    .replaceAll(/"(codes|worse)":\{"\[\]":(?:"nothing"|\{[^{}]*\})\}/g, '"$1":"list"');
  return JSON.parse(text);
}

const listed = (names: Iterable<string> | undefined) => [...(names ?? [])].sort();

function letIn(access: Access): readonly string[] {
  if (access === 'public') return ['signed out'];
  if (access === 'signed in') return roles;
  return access === 'operator' ? ['operator'] : roles.filter((role) => may({ role, operator: false }, access));
}

describe('the public surface of the gateway', () => {
  // A new operation takes about 700 bytes. Before a limit is raised: does the document say something twice?
  it.each([
    { path: '/openapi.json', golden: 'openapi', bytesMax: 79_500, operations: 40 },
    { path: '/openapi-sandbox.json', golden: 'openapi-sandbox', bytesMax: 26_500, operations: 17 },
  ])(
    'describes its API at $path as before, in at most $bytesMax bytes',
    async ({ path, golden, bytesMax, operations }) => {
      const { text } = await world.stranger().call('GET', path);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesMax);
      const described = text.replace(/Served by Heliograph [\w.+-]+\./, 'Served by Heliograph VERSION.');
      const { paths, components, webhooks, ...rest } = JSON.parse(
        described.replaceAll(world.url.replace('127.0.0.1', 'localhost'), 'URL'),
      );
      const parts = Object.entries<object>(components).flatMap(([kind, named]) =>
        Object.entries(named).map(([name, one]) => [`components ${kind} ${name}`, one]),
      );
      expect(Object.values<object>(paths).flatMap((methods) => Object.keys(methods)).length).toBeGreaterThanOrEqual(
        operations,
      );
      holdGolden(golden, {
        about: rest,
        ...Object.fromEntries(parts),
        ...Object.fromEntries(Object.entries(paths).map(([name, one]) => [`paths ${name}`, one])),
        ...Object.fromEntries(Object.entries(webhooks).map(([name, one]) => [`webhooks ${name}`, one])),
      });
    },
  );

  it('has the routes of the portal, for the same people', () => {
    const routes = world.routes.filter(isPortal).map((route) => {
      const { access = 'public', recent, mirrors } = route.needs;
      const name = routeName(route);
      const [query, audited] = [portal.queries, portal.audited].map((noted) => listed(noted.get(name)));
      return [name, { access, roles: letIn(access), fresh: recent, mirrors, query, audited }];
    });
    expect(routes.length).toBeGreaterThan(100);
    holdGolden('routes-portal', Object.fromEntries(routes));
  });

  it('has the routes of the API, for the same scopes', () => {
    const routes = world.routes
      .filter((route) => !isPortal(route))
      .map((route) => {
        const name = routeName(route);
        const query = listed(api.queries.get(name)).filter((one) => one !== 'apikey');
        return [name, { scope: route.needs.scope ?? 'open', query }];
      });
    expect(routes.length).toBeGreaterThan(40);
    holdGolden('routes-api', Object.fromEntries(routes));
  });

  it('answers with the fields in the records of its routes, and no others', () => {
    expect([...api.faults, ...portal.faults]).toEqual([]);
  });

  it('writes no word into the audit log that its record does not name', () => {
    const undeclared = world.routes.filter(isPortal).flatMap((route) => {
      const { record, mirrors } = route.needs;
      if (record === undefined || (mirrors !== null && mirrors !== undefined)) return [];
      const words = [...(portal.audited.get(routeName(route)) ?? [])];
      return words.filter((word) => record.audit?.includes(word) !== true).map((word) => `${routeName(route)} ${word}`);
    });
    expect(undeclared).toEqual([]);
  });

  it('describes the API of its portal as before', () => {
    const document = portalDocument(world.routes.filter(isPortal));
    const { paths, components, ...rest } = document;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    holdGolden('openapi-portal', { about: rest, components, ...paths });
  });

  it('is what the types of the portal say', () => {
    holdFiles('packages/portal/src/api/routes', portalTypes(world.routes.filter(isPortal), portalBase));
  });

  it('answers the API in the same shapes', () => holdGolden('answers-api', api.answers));

  it('answers the portal in the same shapes', () => {
    const steady = Object.entries(portal.answers).map(([route, shapes]) => [
      route,
      route.includes('/carrier-history') ? anyFigures(shapes) : shapes,
    ]);
    holdGolden('answers-portal', Object.fromEntries(steady));
  });

  it('answers a visitor who is not signed in as before', async () => {
    const visitor = world.stranger();
    const key = await invited(owner, 'new@basalt.example');
    const person = { key, name: 'Somebody new', password };
    const requests: [string, unknown?][] = [
      ['GET /setup-state'],
      ['POST /setup/look', { key: 'otk_none' }],
      ['POST /setup', person],
      ['POST /invitation/look', { key }],
      ['POST /invitation', person],
      ['POST /sign-in', { email: 'new@basalt.example', password }],
      ['POST /sign-in/totp', { challenge: 'none', code: '000000' }],
      ['POST /sign-in/sso/begin'],
      ['POST /sign-in/sso/finish', { query: '' }],
      ['POST /sign-in/passkey/begin'],
      ['POST /sign-in/passkey', { response: null }],
      ['POST /password-reset', { email: 'new@basalt.example' }],
      ['POST /password-reset/look', { key: 'none' }],
      ['POST /password-reset/finish', { key: 'none', password }],
    ];
    expect(requests.map(([name]) => name).sort()).toEqual([...forAnybody].sort());
    const answers: Record<string, unknown> = {};
    for (const [name, body] of requests) {
      const [method, path] = name.split(' ');
      answers[name] = answerShape(await visitor.call(method!, `${portalBase}${path}`, body));
    }
    holdGolden('answers-signed-out', answers);
  });
});
