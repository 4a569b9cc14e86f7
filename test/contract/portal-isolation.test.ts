/**
 * Two companies, all roles and the operator, on every route of the running server: nothing of one company is ever read,
 * used or changed by the other. New routes are tested automatically, or fail here with a sentence that says what to
 * add.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Role, roles } from '../../packages/gateway/src/model/roles.ts';
import type { Answer } from '../props/sandbox.ts';
import { fill, recordsOf, sharedHandset, type Things, until } from './isolation-company.ts';
import { type Company, companyOf, leaksIn, readsOf, rowsOf, settled } from './isolation-picture.ts';
import {
  forAnybody,
  forOperators,
  inPath,
  inQuery,
  isPortal,
  nameOf,
  ofSeeded,
  operatorsSeeToo,
  plainInQuery,
  plainReads,
  urlFor,
  type Write,
  writes,
} from './isolation-routes.ts';
import { type Asker, must, openWorld, pairOf, portalBase, type Route, type World } from './isolation-world.ts';

let world: World;
let ours: Company;
let theirs: Company;
let us: Record<Role, Asker>;
let them: Record<Role, Asker>;
/** The pages of our Owner before the other company had data. */
let alone: Map<string, string>;
/** The other company's rows, and the pages of its Owner, once both companies were complete. */
let rowsThen: string[];
let readsThen: Map<string, string>;

beforeAll(async () => {
  const [one, two] = [recordsOf('amber'), recordsOf('basalt')];
  world = await openWorld(
    Object.fromEntries(Object.entries(one).map(([kind, own]) => [kind, [...own, ...two[kind]!]])),
  );
  us = await world.people('amber');
  them = await world.people('basalt');
  ours = await companyOf(world, await fill(world, 'amber', us));
  await settled(world, ours);
  alone = await readsOf(world, ours, us.Owner);
  theirs = await companyOf(world, await fill(world, 'basalt', them));
  await settled(world, theirs);
  readsThen = await readsOf(world, theirs, them.Owner);
  rowsThen = await settled(world, theirs);
});
afterAll(() => world?.stop());

const portal = (): Route[] => world.routes.filter((one) => isPortal(one) && !forAnybody.includes(nameOf(one)));
const reads = (): Route[] => portal().filter(({ method }) => method === 'GET');
/** In the order of `writes`, so that destructive ones come last. */
const changes = (): [Route, Write][] => {
  const known = new Map(portal().map((route) => [nameOf(route), route]));
  return Object.entries(writes).flatMap(([name, write]) => (known.has(name) ? [[known.get(name)!, write]] : []));
};

interface ForeignRequest {
  route: Route;
  url: string;
  body?: unknown;
  /** The expected statuses; without them, anything but a server error. */
  statuses?: readonly number[] | 'refused';
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...value.split(/[\s,:"]+/)];
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
    ? Object.values(value).flatMap(textsIn)
    : [];
}

/** Requests of our programs, valid or not: the company's own request log shows them again. */
const programTexts: string[] = [];
const isCallLog = ({ url }: Route): boolean => url.startsWith(`${portalBase}/requests`);

/** Sends the request; describes faults in the answer. */
async function wrongIn(
  asker: Asker,
  { route, url, body, statuses }: ForeignRequest,
  hidden: Company[],
): Promise<string[]> {
  const answer = await asker.call(route.method, url, body);
  const texts = textsIn([...url.split(/[/?&=]/).map(decodeURIComponent), body]);
  if (!isPortal(route)) programTexts.push(...texts);
  const known = isCallLog(route) ? [...texts, ...programTexts] : texts;
  const called = `${asker.name}: ${route.method} ${url} ${body instanceof Uint8Array ? '' : (JSON.stringify(body) ?? '')}`;
  const leaks = hidden.flatMap((company) => leaksIn(wholeOf(answer), company, known));
  const { status } = answer;
  const isRight =
    statuses === 'refused' ? status >= 400 && status < 500 : statuses === undefined ? status < 500 : isOneOf(statuses);
  function isOneOf(list: readonly number[]): boolean {
    return list.includes(status);
  }
  return [
    ...(leaks.length === 0 ? [] : [`${called} shows ${leaks.slice(0, 5).join(', ')}: ${answer.text.slice(0, 300)}`]),
    ...(isRight ? [] : [`${called} answers ${status}, not ${statuses}: ${answer.text.slice(0, 300)}`]),
  ];
}

function wholeOf({ headers, text }: Answer): string {
  return `${[...headers].map((pair) => pair.join(': ')).join('\n')}\n${text}`;
}

const away = [403, 404] as const;

/** Requests that name another company's things: in the path, in the body, and in both. */
function foreign(route: Route, write: Write | null, own: Things, other: Things): ForeignRequest[] {
  const [mine, its] = [urlFor(route, own), urlFor(route, other)];
  // A list filtered by another company's things is empty.
  const isAimed = mine.split('?')[0] !== its.split('?')[0];
  if (write === null) return [{ route, url: its, ...(isAimed && { statuses: away }) }];
  const bodies = write.bodies(own);
  return write.bodies(other).flatMap((body, index): ForeignRequest[] => {
    const names = JSON.stringify(body) !== JSON.stringify(bodies[index]);
    return [
      ...(isAimed ? [{ route, url: its, body, statuses: away }] : []),
      ...(isAimed && names ? [{ route, url: its, body: bodies[index], statuses: away }] : []),
      ...(names
        ? [{ route, url: mine, body, statuses: write.foreign ? [403, ...write.foreign] : ('refused' as const) }]
        : []),
      ...(isAimed || names ? [] : [{ route, url: mine, body }]),
    ];
  });
}

/** Rows of the other company that changed since the last look. */
function untouched(what: string): string[] {
  const before = rowsThen;
  const now = rowsOf(world, theirs);
  const gone = before.filter((row) => !now.includes(row));
  const come = now.filter((row) => !before.includes(row));
  rowsThen = now;
  return gone.length + come.length === 0
    ? []
    : [
        `${what} changed the other company: ${[...gone.map((row) => `- ${row}`), ...come.map((row) => `+ ${row}`)].join('\n')}`,
      ];
}

/** Calls every route for the other company's things, and compares that company's rows after each write. */
async function tryAll(asker: Asker, mayChoose: (route: Route) => boolean, hidden: Company[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const route of reads().filter(mayChoose)) {
    for (const request of foreign(route, null, ours.things, theirs.things))
      wrong.push(...(await wrongIn(asker, request, hidden)));
  }
  for (const [route, write] of changes().filter(([one]) => mayChoose(one))) {
    if (write.last) continue;
    for (const request of foreign(route, write, ours.things, theirs.things)) {
      wrong.push(...(await wrongIn(asker, request, hidden)));
    }
    wrong.push(...untouched(`${asker.name}: ${nameOf(route)}`));
  }
  return wrong;
}

/** Leaves out values that change with time. */
const withoutTime = (text: string): string =>
  text
    .replaceAll(/"since":"[^"]*","whole"/g, '')
    // A histogram ends at the present; its count stays.
    .replaceAll(/"until":"[^"]*","stepMs":[0-9]+,"bars":\[[^\]]*\],?/g, '')
    .replaceAll(/"minutes":\[[^\]]*\],?/g, '')
    // The position in the event log, which all companies share.
    .replaceAll(/"next":"pos_[0-9]+"/g, '')
    .replaceAll(/"webhook-(?:timestamp|signature)":"[^"]*",?/g, '')
    .replaceAll(/expires=[0-9]+&signature=[\w-]+/g, '');

/** Reads whose answer contains the request itself. */
const showsRequests = ['GET /audit', 'GET /audit.csv', 'GET /audit.jsonl', 'GET /stream', 'GET /me/sessions'];

function differences(before: Map<string, string>, now: Map<string, string>): string[] {
  return [...before].flatMap(([name, text]) => {
    const same = showsRequests.includes(name) || withoutTime(text) === withoutTime(now.get(name) ?? '');
    return same ? [] : [`${name}: ${whereTheyPart(withoutTime(text), withoutTime(now.get(name) ?? ''))}`];
  });
}

/**
 * Sends every parameter twice: each refusal names one parameter that the route reads. Repeats until no read parameter
 * is left.
 */
async function namesReadBy(asker: Asker, path: string): Promise<string[]> {
  // The route accepts this parameter twice.
  const read = ['waiting'];
  for (;;) {
    const left = Object.keys(inQuery).filter((name) => !read.includes(name));
    const { json } = await asker.call('GET', `${path}?${left.map((name) => `${name}=1&${name}=2`).join('&')}`);
    const name = /parameter (\w+) cannot be read/.exec(json?.detail ?? '')?.[1];
    if (name === undefined) return read;
    read.push(name);
  }
}

function whereTheyPart(one: string, two: string): string {
  let at = 0;
  while (at < one.length && one[at] === two[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 150), at + 150);
  return `…${around(one)}… became …${around(two)}…`;
}

describe('the tables of isolation-routes.ts', () => {
  it('know every route of the running server', () => {
    expect(portal().length).toBeGreaterThan(100);
    const names = new Set(world.routes.map(nameOf));
    const missing = portal().flatMap((route) => [
      ...(route.method === 'GET' || nameOf(route) in writes
        ? []
        : [`"${nameOf(route)}" is new: add it to \`writes\` with bodies that name things of the company it is given.`]),
      ...[...route.url.matchAll(/:(\w+)/g)].flatMap(([, name]) =>
        name! in inPath
          ? []
          : [`":${name}" of "${nameOf(route)}" is new: add to \`inPath\` what of a company stands there.`],
      ),
    ]);
    const gone = [...Object.keys(writes), ...plainReads, ...forAnybody, ...ofSeeded, ...operatorsSeeToo].flatMap(
      (name) => (names.has(name) ? [] : [`No route is "${name}" any more: take it out.`]),
    );
    expect([...missing, ...gone]).toEqual([]);
  });

  it('know every query parameter that the routes read', () => {
    const doors = fileURLToPath(new URL('../../packages/gateway/src/http', import.meta.url));
    const sources = readdirSync(doors, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/test|fixture/.test(name))
      .map((name) => readFileSync(join(doors, name), 'utf8'));
    const ofRecords = world.routes.flatMap(({ needs }) => Object.keys(needs.record?.query ?? {}));
    const read = sources.flatMap((text) => [
      ...[...text.matchAll(/valuesOnce\([^[;]*?\[([^\]]*)\]/g)].flatMap(([, list]) => list!.match(/\w+/g) ?? []),
      ...[...text.matchAll(/valuesOf\([^,]+, '(\w+)'\)/g)].map(([, name]) => name!),
    ]);
    expect(ofRecords.length).toBeGreaterThan(20);
    const missing = [...new Set([...read, ...ofRecords])].filter(
      (name) => !(name in inQuery) && !plainInQuery.includes(name),
    );
    expect(
      missing.map((name) => `"${name}" is new: add it to \`inQuery\`, or to \`plainInQuery\` if it can name nothing.`),
    ).toEqual([]);
  });
});

describe('a company', () => {
  it('sees its own things on every page, and the markers recognise them', async () => {
    const wrong: string[] = [];
    for (const [name, text] of await readsOf(world, ours, us.Owner)) {
      const route = reads().find((one) => nameOf(one) === name);
      if (route === undefined || forOperators(route) || ofSeeded.includes(name)) continue;
      const seen = leaksIn(text, ours, []).length > 0;
      if (seen === plainReads.includes(name)) {
        const todo = seen
          ? 'shows things of its company: take it out of'
          : 'shows nothing of its company: give it something, or add it to';
        wrong.push(`"${name}" ${todo} \`plainReads\`. ${text.slice(0, 200)}`);
      }
      if (!text.startsWith('200')) wrong.push(`"${name}" is refused to its own Owner: ${text.slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
  });

  it('sees the same whatever the other one has', async () => {
    expect(differences(alone, await readsOf(world, ours, us.Owner))).toEqual([]);
  });
});

describe('nothing of the other company is read or changed', () => {
  it.each(roles)(
    'by a %s',
    async (role) => {
      expect(await tryAll(us[role], () => true, [theirs])).toEqual([]);
    },
    60_000,
  );

  it('by a program with a key pair', async () => {
    const inApi = new Map(world.routes.filter((one) => !isPortal(one)).map((route) => [nameOf(route), route]));
    const wrong: string[] = [];
    const program = world.program(pairOf(ours.name));
    for (const [name, route] of inApi) {
      const write = route.method === 'GET' ? null : (writes[name] ?? null);
      if (route.method !== 'GET' && write === null) wrong.push(`"${name}" of the API is in no table: mirror it.`);
      for (const request of foreign(route, write, ours.things, theirs.things)) {
        wrong.push(...(await wrongIn(program, request, [theirs])));
      }
      wrong.push(...untouched(`the API: ${name}`));
    }
    expect(inApi.size).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });

  it('by an operator, but where operators see every company', async () => {
    const isOrdinary = (route: Route) => !forOperators(route) && !operatorsSeeToo.includes(nameOf(route));
    expect(await tryAll(world.operator, isOrdinary, [ours, theirs])).toEqual([]);
  });

  it('by any query parameter of a list', async () => {
    const wrong: string[] = [];
    let requests = 0;
    for (const route of reads().filter((one) => !forOperators(one) && !operatorsSeeToo.includes(nameOf(one)))) {
      const path = urlFor(route, ours.things).split('?')[0]!;
      for (const name of await namesReadBy(us.Owner, path)) {
        for (const value of inQuery[name]!(theirs.things)) {
          const url = `${path}?${name}=${encodeURIComponent(value)}`;
          wrong.push(...(await wrongIn(us.Owner, { route, url }, [theirs])));
          // Operators may see drafts that wait for their review.
          if (name !== 'waiting') wrong.push(...(await wrongIn(world.operator, { route, url }, [ours, theirs])));
          requests += 1;
        }
      }
    }
    expect(requests).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
  });

  it('by open event streams while the other company works', async () => {
    const stream = `${portalBase}/stream`;
    const send = async (asker: Asker, { number }: Things, text: string): Promise<void> => {
      await must(asker.call('POST', `${portalBase}/send`, { from: number, to: [sharedHandset], text }));
      const reply = { to: number, text };
      await must(asker.call('POST', `${portalBase}/sandbox/handsets/${sharedHandset}/reply`, reply));
    };
    const watched = await until(async () => {
      const fromNow = us.Viewer.call('GET', stream);
      const fromStart = us.Viewer.call('GET', stream, undefined, { 'last-event-id': '0' });
      await Promise.all([
        send(them.Admin, theirs.things, 'basalt at work'),
        send(us.Admin, ours.things, 'amber at work'),
      ]);
      const texts = [(await fromNow).text, (await fromStart).text];
      return texts.every((text) => /^event: message$/m.test(text)) && texts;
    }, 'an event on the stream');
    rowsThen = await settled(world, theirs);
    readsThen = await readsOf(world, theirs, them.Owner);
    const now = await companyOf(world, theirs.things);
    for (const text of watched) expect(leaksIn(text, now, [])).toEqual([]);
    rowsThen = await settled(world, theirs);
  });
});

describe('operators', () => {
  it('have routes that only they may use', async () => {
    const wrong: string[] = [];
    for (const route of portal()) {
      const [write] = Object.entries(writes).filter(([name]) => name === nameOf(route));
      if (write?.[1].last === true) continue;
      for (const role of forOperators(route) ? roles : (['Owner'] as const)) {
        const body = write?.[1].bodies(ours.things)[0];
        const isTried = forOperators(route) || route.method === 'GET';
        if (!isTried) continue;
        const { status, json } = await us[role].call(route.method, urlFor(route, ours.things), body);
        const isClosed = status === 403 && json?.data?.permission === 'operator';
        if (isClosed === forOperators(route)) continue;
        wrong.push(
          isClosed
            ? `"${nameOf(route)}" is for operators alone: add it to \`forOperators\`.`
            : `"${nameOf(route)}" lets a ${role} in.`,
        );
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('what was refused for the other company’s things', () => {
  it('works for a company’s own things, and still touches no other company', async () => {
    const wrong: string[] = [];
    const all = changes();
    for (const [route, write] of [...all.filter(([, { last }]) => !last), ...all.filter(([, { last }]) => last)]) {
      const name = nameOf(route);
      const asker = forOperators(route) ? world.operator : us.Owner;
      const url = urlFor(route, ours.things);
      const [body] = write.bodies(ours.things);
      const names =
        url !== urlFor(route, theirs.things) || JSON.stringify(body) !== JSON.stringify(write.bodies(theirs.things)[0]);
      const { status, text } = await asker.call(route.method, url, body);
      const right = ofSeeded.includes(name) ? [404] : (write.own ?? (names ? [200] : null));
      const isRight = right === null ? status < 500 && status !== 403 && status !== 404 : right.includes(status);
      if (!isRight) wrong.push(`${name} answers its own company ${status}, not ${right}: ${text.slice(0, 300)}`);
      wrong.push(...untouched(`${asker.name}: ${name}`));
    }
    expect(wrong).toEqual([]);
  });

  it('left the other company unchanged, on its pages and at its endpoints too', async () => {
    await settled(world, ours);
    expect(untouched('all of it')).toEqual([]);
    expect(differences(readsThen, await readsOf(world, theirs, them.Owner))).toEqual([]);
    for (const [path, texts] of world.webhooks) {
      const other = path.includes(ours.name) ? theirs : ours;
      expect(texts.length).toBeGreaterThan(0);
      expect([path, leaksIn(texts.join('\n'), other, [])]).toEqual([path, []]);
    }
    expect([...world.webhooks.keys()].length).toBeGreaterThan(3);
  });
});
