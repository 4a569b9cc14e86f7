/**
 * Shared by the tests of the portal: the server with the portal over a real SQLite store in its own folder, two
 * companies with a user of each role, a movable clock, instant hashing, and a browser with cookies.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { movedClock, t0 } from '../../../../../test/props/clock.ts';
import { openStore } from '../../app/open-store.ts';
import { passkeyCeremonies } from '../../app/passkey-ceremonies.ts';
import { totpCodes } from '../../app/people.ts';
import type { Store } from '../../app/store.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import type { Clock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { machineRandom } from '../../kernel/machine.ts';
import type { Acceptor } from '../../messaging/accept/accept.ts';
import type { Directory } from '../../model/directory.ts';
import type { User } from '../../model/people.ts';
import type { Records } from '../../model/records.ts';
import { type Role, roles } from '../../model/roles.ts';
import { account, accounts } from '../../model/world-fixture.ts';
import { createAuditLog } from '../../subjects/audit/audit-log.ts';
import { auditRoutes } from '../../subjects/audit/audit-routes.ts';
import { createAttempts } from '../../subjects/people/attempts.ts';
import { createPasswords, type PasswordHashing } from '../../subjects/people/passwords.ts';
import { createPeople, type People } from '../../subjects/people/people.ts';
import type { PeopleMail } from '../../subjects/people/people-mail.ts';
import type { Sso } from '../../subjects/people/people-parts.ts';
import { peopleRoutes } from '../../subjects/people/people-routes.ts';
import { answerFault } from '../answer-fixture.ts';
import type { RouteModule } from '../server.ts';
import {
  type Answered,
  keptLog,
  type LogLine,
  openTestServer,
  recordsOf,
  type Speak,
  scriptedApi,
  speak,
  type TestServer,
  type TestServerOptions,
} from '../server-fixture.ts';
import { createPortal, type Portal, type PortalModule } from './portal.ts';
import type { PortalRoute } from './portal-guard.ts';

export const good = 'violins under the pear tree';
/** Valid in form, but among the first that a guesser tries. */
export const guessable = 'mailcreated5240';

/** Compares correctly, and costs nothing. */
export const plainHashing: PasswordHashing = {
  hash: async (password) => `plain:${password}`,
  verify: async (hashed, password) => hashed === `plain:${password}`,
  isGuessable: async (password) => password === guessable,
};

export interface Browser {
  cookie: string | null;
  csrf: string;
  /** Sends no headers about its origin, as programs do. */
  silent: boolean;
  /** JSON below `/api/portal/v1`; keeps the cookie, and sends the cross-site headers of our own page. */
  call(method: string, path: string, body?: unknown, how?: Speak): Promise<Answered>;
  signIn(email: string, password?: string): Promise<Answered>;
}

export interface PortalWorld {
  testServer: TestServer;
  store: Store;
  people: People;
  /** What sign-ins and sign-outs wrote into the log. */
  peopleLog: LogLine[];
  portal: Portal;
  clock: ReturnType<typeof movedClock>;
  records: Records;
  browser(): Browser;
  /** A browser in which the user with this role of this company is signed in. */
  as(role: Role, accountId?: string): Promise<Browser>;
  user(role: Role, accountId?: string): User;
  setRecords(records: Records): void;
  close(): Promise<void>;
}

export interface WorldParts {
  store: Store;
  people: People;
  acceptor: Acceptor;
  directory: () => Directory;
  clock: ReturnType<typeof movedClock>;
}

export interface WorldOptions {
  hashing?: PasswordHashing;
  mirrored?: RouteModule[];
  /** Modules, or a function that makes them from the parts of this world. */
  modules?: PortalModule[] | ((parts: WorldParts) => PortalModule[]);
  routes?: RouteModule[];
  testServer?: TestServerOptions;
  /** Creates no users. */
  empty?: boolean;
  sandbox?: boolean;
  /** The identity provider; none by default. */
  sso?: Sso;
  /** Mails to people; none by default. */
  mail?: (clock: Clock) => PeopleMail;
}

export async function openPortalWorld(options: WorldOptions = {}): Promise<PortalWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'h8-portal-'));
  const clock = movedClock();
  const store = await openStore({ dataDir: folder, role: 'node', clock });
  const ids = createIds(clock, machineRandom);
  const { sandbox = true } = options;
  const world = { records: recordsOf([], accounts) };
  let directory = buildDirectory(world.records);
  const peopleLog: LogLine[] = [];
  const people = createPeople({
    clock,
    random: machineRandom,
    ids,
    logger: keptLog(peopleLog),
    store,
    codes: totpCodes,
    ceremonies: passkeyCeremonies,
    sso: options.sso ?? null,
    directory: () => directory,
    passwords: createPasswords(options.hashing ?? plainHashing),
    sealer: {
      seal: (text) => `sealed:${[...text].reverse().join('')}`,
      open: (text) => [...text.slice(7)].reverse().join(''),
    },
    attempts: createAttempts({ clock }),
    mail: options.mail?.(clock) ?? null,
    firstAccount: async (company) => {
      if (company !== null)
        setRecords({
          ...world.records,
          accounts: accounts.map((one) => (one === account ? { ...one, name: company } : one)),
        });
      return account.accountId;
    },
  });
  const setRecords = (records: Records): void => {
    world.records = { ...records, version: world.records.version + 1 };
    directory = buildDirectory(world.records);
  };
  const users = options.empty === true ? [] : allUsers();
  await store.changePeople(users.map((user) => ({ rules: [], writes: [{ write: 'user', user }], audit: [] })));
  const api = options.testServer?.api ?? scriptedApi();
  const portal = createPortal({
    sessions: people.sessions,
    writeAudit: (entry) => store.changePeople([{ rules: [], writes: [], audit: [entry] }]),
    sandbox,
    mirrored: [...api.routes, ...(options.mirrored ?? [])],
    modules: [
      peopleRoutes({ people, sandbox }),
      auditRoutes(createAuditLog({ store, clock })),
      ...modulesOf(options, { store, people, acceptor: api.acceptor, directory: () => directory, clock }),
    ],
  });
  const testServer = await openTestServer({
    ...options.testServer,
    api,
    clock: options.testServer?.clock ?? { ...clock, after: (ms, run) => machineAfter(ms, run) },
    directory: () => directory,
    routes: [...(options.routes ?? []), portal.module],
  });
  const browser = (): Browser => createBrowser(testServer, portal.registry);
  return {
    testServer,
    store,
    people,
    peopleLog,
    portal,
    clock,
    browser,
    setRecords,
    get records() {
      return world.records;
    },
    user: (role, accountId = account.accountId) =>
      users.find((one) => one.role === role && one.accountId === accountId)!,
    as: async (role, accountId = account.accountId) => {
      const made = browser();
      // Two sign-ins of one person must not share a timestamp: the newest fifty sessions are kept.
      clock.pass(1);
      const answer = await made.signIn(emailOf(role, accountId));
      if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.text}`);
      return made;
    },
    close: async () => {
      await testServer.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function modulesOf({ modules = [] }: WorldOptions, parts: WorldParts): PortalModule[] {
  return typeof modules === 'function' ? modules(parts) : modules;
}

/** Closing waits for real time, whatever the test clock shows. */
function machineAfter(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

export function emailOf(role: Role, accountId = account.accountId): string {
  return `${role.toLowerCase()}@${accountId.replace('_', '-')}.example`;
}

/** Checks that each success fits the schema of its route and has no other field. */
function holdToRecord(registry: readonly PortalRoute[], method: string, url: string, answer: Answered): void {
  const found = registry.filter((one) => one.method === method && patternOf(one.url).test(url));
  // If several match, takes the one with the fewest parameters, as the router does.
  const [route] = found.sort((one, other) => one.url.split(':').length - other.url.split(':').length);
  if (route?.record === undefined || answer.status !== 200 || answer.json === undefined) return;
  const fault = answerFault(route.record, answer.json);
  if (fault !== null) throw new Error(`${method} ${route.url} answers what its record does not say: ${fault}`);
}

function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}(?:\\?.*)?$`);
}

function allUsers(): User[] {
  return accounts.flatMap(({ accountId }) => roles.map((role) => userOf(role, accountId)));
}

let serial = 0;
/** A user with the correct password; the Owner of the first company is an operator. */
export function userOf(role: Role, accountId: string, changes: Partial<User> = {}): User {
  serial += 1;
  return {
    userId: `usr_${String(serial).padStart(26, '0')}`,
    accountId,
    email: emailOf(role, accountId),
    name: `${role} of ${accountId}`,
    role,
    operator: role === 'Owner' && accountId === account.accountId,
    passwordHash: `plain:${good}`,
    totp: null,
    passkeys: [],
    identity: null,
    recoveryHashes: [],
    timeZone: null,
    language: null,
    singleKeys: true,
    createdAt: t0,
    disabledAt: null,
    lastSignInAt: null,
    version: 0,
    ...changes,
  };
}

function createBrowser(testServer: TestServer, registry: readonly PortalRoute[]): Browser {
  const browser: Browser = {
    cookie: null,
    csrf: '',
    silent: false,
    async call(method, path, body, how = {}) {
      const headers: Record<string, string | string[]> = {
        ...(!browser.silent && { 'sec-fetch-site': 'same-origin' }),
        ...(browser.cookie !== null && { cookie: browser.cookie }),
        ...(method !== 'GET' && { 'x-helio-csrf': browser.csrf }),
        ...how.headers,
      };
      // A POST without a body sends no bytes; by default `speak` would send a text message.
      const sent = body ?? (method === 'POST' ? Buffer.alloc(0) : undefined);
      const url = path.startsWith('/api/') || how.path !== undefined ? path : `/api/portal/v1${path}`;
      const answer = await speak(testServer, {
        method,
        path: url,
        body: sent,
        bearer: null,
        apikey: null,
        ...how,
        headers,
      });
      holdToRecord(registry, method, url, answer);
      const set = answer.headers['set-cookie']?.[0];
      if (set !== undefined) {
        const [pair] = set.split(';');
        browser.cookie = pair!.endsWith('=') ? null : pair!;
      }
      const csrf = answer.json?.data?.me?.csrf ?? answer.json?.data?.csrf;
      if (typeof csrf === 'string') browser.csrf = csrf;
      return answer;
    },
    signIn: (email, password = good) => browser.call('POST', '/sign-in', { email, password }),
  };
  return browser;
}
