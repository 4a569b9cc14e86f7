/**
 * The handsets and faults of a sandbox over HTTP and JSON, for people and tests. Without a login: everybody who reaches
 * it may read and change everything. Bodies must have the type application/json, which no page of another origin can
 * send without a preflight, and on loopback the header Host must name this machine.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { testNumbers } from './behaviour.ts';
import { numberForm, readBehaviour, readFaults, readReply, typeForm } from './control-bodies.ts';
import { type HandsetMessage, type HandsetReply, handsetWaitMsMax } from './handsets.ts';
import { silentLogger } from './machine.ts';
import type { Sandbox } from './sandbox.ts';
import { atPort, listenPreferred, readBody } from './servers.ts';

const bodyBytesMax = 8 * 1024 * 1024;
const connectionsMax = 200;
const headersTimeoutMs = 5_000;
const requestTimeoutMs = 30_000;
const cursorCharactersMax = 64;
/** All settings belong to one owner, because this sandbox has no accounts. */
const owner = '';

export interface Control {
  readonly url: string;
  stop(): Promise<void>;
}

interface Call {
  /** The path segments that matched `*`. */
  params: readonly string[];
  query: URLSearchParams;
  body: unknown;
  signal: AbortSignal;
}

interface Answer {
  status: number;
  json?: unknown;
  file?: { contentType: string; bytes: Buffer };
  /** The methods of the path, for a request with another one. */
  allow?: string;
}

type Work = (call: Call) => Answer | Promise<Answer>;

const ok = (json: unknown): Answer => ({ status: 200, json });
const wrong = (status: number, error: string): Answer => ({ status, json: { error } });
const noSuchPath = wrong(404, 'There is no such path. The README lists them.');
const misdirected = wrong(421, 'The sandbox does not go by this name. Use localhost or its IP address.');
const busy = wrong(429, 'The sandbox keeps too much of this already. Try again later.');

/** Rejects when the port cannot be listened on. */
export async function startControl(sandbox: Sandbox, { host, port }: { host: string; port: number }): Promise<Control> {
  const routes = routesOf(sandbox);
  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs },
    (request, response) => receive(routes, request, response),
  );
  server.maxConnections = connectionsMax;
  const listening = { host, preferredPort: port, exact: true, logger: silentLogger, what: 'the control API' };
  const taken = await listenPreferred(server, listening);
  return {
    url: `http://${atPort(host, taken)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** By method and path; `*` matches one segment of the path. */
function routesOf({ handsets, faultInjection }: Sandbox): Readonly<Record<string, Work>> {
  const messages =
    (list: typeof handsets.messages): Work =>
    async ({ params: [number], query, signal }) => {
      const after = query.get('after') ?? undefined;
      const waitMs = Number(query.get('waitMs') ?? 0);
      if (after !== undefined && after.length > cursorCharactersMax)
        return wrong(400, 'after must be the id of a message.');
      if (!Number.isInteger(waitMs) || waitMs < 0 || waitMs > handsetWaitMsMax) {
        return wrong(400, `waitMs must be a whole number from 0 to ${handsetWaitMsMax}.`);
      }
      const found = await list(number!, { waitMs, signal, ...(after !== undefined && { after }) });
      return found === 'full' ? busy : ok(found.map(shown));
    };

  return {
    'GET /handsets': () =>
      ok(handsets.list().map(({ lastReceivedAt, ...one }) => ({ ...one, lastReceivedAt: timeOf(lastReceivedAt) }))),
    'DELETE /handsets': () => {
      handsets.clear();
      faultInjection.reset(owner);
      return { status: 204 };
    },
    'GET /test-numbers': () => ok(testNumbers.map(({ number, does }) => ({ number, does }))),
    'GET /handsets/*/messages': messages(handsets.messages),
    'GET /handsets/*/sent': messages(handsets.sent),
    'GET /handsets/*/media/*': ({ params: [number, mediaId] }) => {
      const medium = handsets.medium(number!, mediaId!);
      return medium === null ? wrong(404, 'This handset holds no such medium.') : { status: 200, file: medium };
    },
    'POST /handsets/*/messages': ({ params: [number], body }) => {
      const reply = readReply(body);
      return typeof reply === 'string' ? wrong(400, reply) : replied(handsets.reply(number!, reply));
    },
    'GET /handsets/*/behaviour': ({ params: [number] }) => ok(faultInjection.settings(owner, number!)),
    'PUT /handsets/*/behaviour': ({ params: [number], body }) => {
      const settings = readBehaviour(body);
      if (typeof settings === 'string') return wrong(400, settings);
      return faultInjection.change(owner, number!, settings) ? ok(settings) : busy;
    },
    'GET /faults': () => ok(faultInjection.faults(owner)),
    'PUT /faults': ({ body }) => {
      const faults = readFaults(body);
      if (typeof faults === 'string') return wrong(400, faults);
      return faultInjection.setFaults(owner, faults) ? ok(faultInjection.faults(owner)) : busy;
    },
    'DELETE /links': () => ok({ dropped: faultInjection.dropLinks() }),
  };
}

function replied(reply: HandsetReply): Answer {
  switch (reply.kind) {
    case 'queued':
      return { status: 202, json: reply };
    case 'no_sender':
      return wrong(409, 'Nobody has written to this handset yet: name the receiver in to.');
    case 'too_long':
      return wrong(400, `The text needs more than ${reply.partsMax} parts.`);
    case 'too_large':
      return wrong(400, `All media of a message have at most ${reply.bytesMax} bytes together.`);
    case 'full':
      return busy;
  }
}

function shown({ receivedAt, ...message }: HandsetMessage) {
  return { ...message, receivedAt: timeOf(receivedAt) };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

interface Found {
  /** By method. */
  works: ReadonlyMap<string, Work>;
  params: readonly string[];
}

function receive(routes: Readonly<Record<string, Work>>, request: IncomingMessage, response: ServerResponse): void {
  const url = URL.parse(request.url ?? '/', 'http://sandbox');
  const found = url === null ? null : find(routes, url.pathname);
  const refusal = found === null ? noSuchPath : isNamedRight(request) ? refusalOf(found, request) : misdirected;
  if (url === null || found === null || refusal !== null) {
    send(response, refusal ?? noSuchPath);
    return;
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const run = async (body: unknown): Promise<void> => {
    const work = found.works.get(request.method!)!;
    send(response, await work({ params: found.params, query: url.searchParams, body, signal: gone.signal }));
  };
  if (!hasBody(request)) {
    void run(undefined);
    return;
  }
  readBody(request, response, bodyBytesMax, (bytes) => {
    const body = parsed(bytes);
    if (body === undefined) send(response, wrong(400, 'The body is no JSON.'));
    else void run(body);
  });
}

/** A malicious web page whose name is made to resolve to this machine (DNS rebinding) sends its own name as Host. */
function isNamedRight({ headers, socket }: IncomingMessage): boolean {
  if (!/^(?:::1$|(?:::ffff:)?127\.)/.test(socket.localAddress ?? '')) return true;
  const name = (headers.host ?? '')
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(name) !== 0;
}

const hasBody = ({ method }: IncomingMessage): boolean => method === 'POST' || method === 'PUT';

/** The refusal of a request before its body is read; null = none. */
function refusalOf({ works, params }: Found, request: IncomingMessage): Answer | null {
  if (!works.has(request.method ?? '')) {
    const allow = [...works.keys()].join(', ');
    return { ...wrong(405, `This path takes ${allow}.`), allow };
  }
  if (params[0] !== undefined && !numberForm.test(params[0])) {
    return wrong(400, 'A handset is a number of 3–15 digits, without a plus sign.');
  }
  if (hasBody(request) && !/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return wrong(415, 'Send JSON, with Content-Type: application/json.');
  }
  return null;
}

function find(routes: Readonly<Record<string, Work>>, pathname: string): Found | null {
  const parts = pathname.split('/');
  const works = new Map<string, Work>();
  let params: string[] = [];
  for (const [route, work] of Object.entries(routes)) {
    const [method, path] = route.split(' ') as [string, string];
    const wanted = path.split('/');
    if (wanted.length !== parts.length || !wanted.every((part, i) => part === '*' || part === parts[i])) continue;
    works.set(method, work);
    params = parts.filter((_, i) => wanted[i] === '*');
  }
  return works.size === 0 ? null : { works, params };
}

/** Undefined for invalid JSON. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, json, file, allow }: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  // Unread bytes would be taken for the next request.
  if (!response.req.complete) response.setHeader('connection', 'close');
  if (allow !== undefined) response.setHeader('allow', allow);
  // Media come from outside: a browser must only download them.
  response.setHeader('x-content-type-options', 'nosniff');
  if (file !== undefined) {
    const contentType = typeForm.test(file.contentType) ? file.contentType : 'application/octet-stream';
    response.writeHead(status, { 'content-type': contentType, 'content-disposition': 'attachment' }).end(file.bytes);
    return;
  }
  const body = json === undefined ? '' : `${JSON.stringify(json)}\n`;
  response.writeHead(status, json === undefined ? {} : { 'content-type': 'application/json' }).end(body);
}
