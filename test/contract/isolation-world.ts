/**
 * For portal-isolation.test.ts: a whole gateway in this process, with the routes of its server, an operator, and
 * companies with a user of every role. It uses only the public HTTP interface.
 */
import diagnostics from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '../../packages/gateway/src/app/config.ts';
import { startGateway } from '../../packages/gateway/src/app/main.ts';
import type { Needs, PortalRoute } from '../../packages/gateway/src/http/portal/portal-guard.ts';
import { silentLogger } from '../../packages/gateway/src/kernel/logger.ts';
import type { KeyScope } from '../../packages/gateway/src/model/records.ts';
import { type Role, roles } from '../../packages/gateway/src/model/roles.ts';
import { type Answer, answerOf, type Credentials } from '../props/sandbox.ts';

export interface Route {
  method: string;
  /** As registered, such as `/api/portal/v1/numbers/:number`. */
  url: string;
  /** The access data registered by its guard: the scope of an API route, the access of a portal route. */
  needs: Readonly<Partial<{ scope: KeyScope; record: PortalRoute['record'] } & Needs>>;
}

/** A caller: a person with a session, or a program with a key pair. */
export interface Asker {
  name: string;
  /** Sends bytes as a picture, a string as a table, all else as JSON. Reads a stream of events only for a moment. */
  call(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface World {
  url: string;
  dataDir: string;
  /** Every route of the portal and of the API, from the running server itself. */
  routes: readonly Route[];
  operator: Asker;
  /** Bodies that arrived at the endpoint with this path. */
  webhooks: Map<string, string[]>;
  /** The address for webhook endpoints; below `/fails` it answers 500. */
  sink: string;
  people(company: string): Promise<Record<Role, Asker>>;
  signIn(email: string): Promise<Asker>;
  program(credentials: Credentials): Asker;
  /** A browser without a signed-in user. */
  stranger(): Asker;
  stop(): Promise<void>;
}

export const portalBase = '/api/portal/v1';
export const password = 'violins under the pear tree';
const operatorEmail = 'operator@gateway.example';
const streamReadMs = 250;

export const emailOf = (role: Role, company: string): string => `${role.toLowerCase()}@${company}.example`;
export const pairOf = (company: string): Credentials => ({
  bearerToken: `bearer-of-${company}-0123456789`,
  authToken: `auth-of-${company}-0123456789`,
});

export async function openWorld(records: object): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-isolation-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const dataDir = join(folder, 'data');
  const read = readConfig({
    PORT: '0',
    HELIO_DATA: dataDir,
    HELIO_CONFIG: file('records.json', JSON.stringify(records)),
    HELIO_SMPP_PORT: '0',
    HELIO_MM7_PORT: '0',
    HELIO_MM4_PORT: '0',
    HELIO_INBOX_PORT: '0',
    HELIO_ADMIN_EMAIL: operatorEmail,
    HELIO_ADMIN_PASSWORD_FILE: file('password', password),
    HELIO_ALLOW_PRIVATE_URLS: '1',
  });
  if (!read.ok) throw new Error(read.problems.join(' '));
  const broken = (error: unknown): never => {
    throw error;
  };
  const { sink, webhooks } = await openSink();
  const { result: gateway, routes } = await watchingRoutes(() =>
    startGateway({ config: read.config, logger: silentLogger, broken }),
  );
  const url = `http://127.0.0.1:${gateway.port}`;
  const operator = await signIn(url, operatorEmail);
  return {
    url,
    dataDir,
    routes,
    operator,
    webhooks,
    sink: `http://127.0.0.1:${(sink.address() as AddressInfo).port}`,
    people: (company) => invitePeople(url, operator, company),
    signIn: (email) => signIn(url, email),
    program: (credentials) => programWith(url, credentials),
    stranger: () => visitor(url, 'signed out'),
    stop: async () => {
      await gateway.stop();
      sink.closeAllConnections();
      sink.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Fastify publishes each server it makes (docs/Reference/Hooks: diagnostics channel), so the product needs no list of
 * routes for this test.
 */
async function watchingRoutes<T>(start: () => Promise<T>): Promise<{ result: T; routes: Route[] }> {
  const routes: Route[] = [];
  const watch = (message: unknown): void => {
    const { fastify } = message as { fastify: { addHook(name: string, listener: (route: unknown) => void): void } };
    fastify.addHook('onRoute', (route) => {
      const { method, url, config } = route as { method: string | string[]; url: string; config?: Route['needs'] };
      // A list of methods is a 405 route; HEAD comes with GET.
      if (typeof method === 'string' && method !== 'HEAD' && /^\/(api\/|SendSMS$)/.test(url))
        routes.push({ method, url, needs: config ?? {} });
    });
  };
  diagnostics.subscribe('fastify.initialization', watch);
  try {
    return { result: await start(), routes };
  } finally {
    diagnostics.unsubscribe('fastify.initialization', watch);
  }
}

async function openSink(): Promise<{ sink: Server; webhooks: Map<string, string[]> }> {
  const webhooks = new Map<string, string[]>();
  const sink = createServer(async (request, response) => {
    let text = JSON.stringify(request.headers);
    for await (const chunk of request) text += chunk;
    const path = request.url ?? '';
    webhooks.set(path, [...(webhooks.get(path) ?? []), text]);
    response.writeHead(path.startsWith('/fails') ? 500 : 204).end();
  });
  await new Promise<void>((done) => sink.listen(0, '127.0.0.1', done));
  return { sink, webhooks };
}

/** The operator invites the Owner, and the Owner invites the others. */
async function invitePeople(url: string, operator: Asker, company: string): Promise<Record<Role, Asker>> {
  const accept = async (role: Role, by: Asker, path: string, more: object): Promise<Asker> => {
    const form = { email: emailOf(role, company), name: `${role} of ${company}` };
    const { link } = (await must(by.call('POST', `${portalBase}${path}`, { ...form, ...more }))).json.data;
    const person = visitor(url, form.name);
    const key = link.split('#k=')[1];
    await must(person.call('POST', `${portalBase}/invitation`, { key, name: form.name, password }));
    return person;
  };
  const Owner = await accept('Owner', operator, `/accounts/${company}/owner`, {});
  const people: [Role, Asker][] = [['Owner', Owner]];
  for (const role of roles)
    if (role !== 'Owner') people.push([role, await accept(role, Owner, '/users/invitations', { role })]);
  return Object.fromEntries(people) as Record<Role, Asker>;
}

async function signIn(url: string, email: string): Promise<Asker> {
  const person = visitor(url, email);
  await must(person.call('POST', `${portalBase}/sign-in`, { email, password }));
  return person;
}

export async function must(call: Promise<Answer>): Promise<Answer> {
  const answer = await call;
  if (answer.status >= 300) throw new Error(`refused: ${answer.status} ${answer.text}`);
  return answer;
}

/** A browser: keeps its cookie and its token. */
function visitor(url: string, name: string): Asker {
  let cookie = '';
  let csrf = '';
  return {
    name,
    call: async (method, path, body, headers) => {
      const own = { cookie, origin: url, 'sec-fetch-site': 'same-origin', 'x-helio-environment': 'sandbox' };
      const given = { ...own, ...(csrf !== '' && { 'x-helio-csrf': csrf }), ...headers };
      const answer = await ask(`${url}${path}`, method, body, given);
      const [set] = answer.headers.getSetCookie();
      if (set !== undefined) [cookie = ''] = set.split(';');
      csrf = answer.json?.data?.me?.csrf ?? answer.json?.data?.csrf ?? csrf;
      return answer;
    },
  };
}

function programWith(url: string, { bearerToken, authToken }: Credentials): Asker {
  return {
    name: 'a key pair',
    call: (method, path, body, headers) => {
      const address = `${url}${path}${path.includes('?') ? '&' : '?'}apikey=${authToken}`;
      return ask(address, method, body, { authorization: `Bearer ${bearerToken}`, ...headers });
    },
  };
}

/** Waits and tries again when the caller exceeds its rate. */
async function ask(url: string, method: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
  const [type, sent] = bodyOf(body);
  for (let tries = 0; ; tries++) {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
      body: sent,
    });
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return beginningOf(response);
    const answer = await answerOf(response);
    const again = Number(answer.headers.get('retry-after'));
    if (answer.status !== 429 || again > 2 || tries > 30) return answer;
    await wait(again * 1_000);
  }
}

function bodyOf(body: unknown): [type: string, sent: Buffer<ArrayBuffer> | string | null] {
  if (body instanceof Uint8Array) return ['image/png', Buffer.from(body)];
  if (typeof body === 'string') return ['text/csv', body];
  return ['application/json', body === undefined ? null : JSON.stringify(body)];
}

async function beginningOf(response: Response): Promise<Answer> {
  const reader = response.body!.getReader();
  const read: Uint8Array[] = [];
  const timer = setTimeout(() => void reader.cancel(), streamReadMs);
  for (let part = await reader.read(); !part.done; part = await reader.read()) read.push(part.value);
  clearTimeout(timer);
  const { status, headers } = response;
  return { status, headers, text: Buffer.concat(read).toString(), json: null };
}
