/**
 * Shared by the tests of this folder: the server on a free port of 127.0.0.1 with a fake flow and a fake store, a
 * captured log, and two clients: proper HTTP and raw bytes. No test opens another port.
 */
import { type IncomingHttpHeaders, request } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { buildDirectory } from '../carriers/directory.ts';
import { createIds } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import type { Acceptor } from '../messaging/accept/accept.ts';
import type { CredentialPair } from '../model/credential.ts';
import { defaultLimits, type Limits } from '../model/limits.ts';
import type { MessageView } from '../model/message-view.ts';
import type { ApiKey, Records } from '../model/records.ts';
import type { Caller, SendContext, SendOutcome, SendRequest } from '../model/send.ts';
import { account, keyOf, newPair, recordsWith } from '../model/world-fixture.ts';
import { type MessageParts, messageRoutes } from '../subjects/message-log/messages.ts';
import { sendSmsRoute } from '../subjects/send/send-sms.ts';
import type { RouteModule } from './server.ts';
import { createServer, type Server, type ServerDeps } from './server.ts';

export const recordsOf = (apiKeys: ApiKey[], more = [account]): Records => recordsWith({ apiKeys, accounts: more });

/** One request that reached the flow. */
export interface SeenSend {
  request: SendRequest;
  caller: Caller;
  context: SendContext;
}

export interface LogLine {
  level: string;
  fields: Record<string, unknown>;
  message: string;
}

export interface TestServer {
  server: Server;
  port: number;
  /** The pair that requests use by default. */
  pair: CredentialPair;
  /** What reached the acceptor. */
  sends: SeenSend[];
  log: LogLine[];
  /** Replaces the flow for the next requests. */
  flow: { accept: Acceptor['accept']; refusesUnread?: ReturnType<Acceptor['refusesUnread']> };
  /** Replaces the records. */
  use(records: Records): void;
  messages: Map<string, MessageView>;
  close(): Promise<void>;
}

export type TestServerOptions = Partial<Omit<ServerDeps, 'config' | 'limits'>> & {
  config?: Partial<ServerDeps['config']>;
  limits?: Partial<Limits>;
  api?: ScriptedApi;
};

/** The API for sending and reading messages, scripted, without a gateway behind it. */
export interface ScriptedApi extends Pick<TestServer, 'sends' | 'flow' | 'messages'> {
  acceptor: Acceptor;
  routes: RouteModule[];
}

export function scriptedApi(parts: Partial<MessageParts> = {}): ScriptedApi {
  const sends: SeenSend[] = [];
  const messages = new Map<string, MessageView>();
  const flow: TestServer['flow'] = { accept: acceptAll };
  const acceptor: Acceptor = {
    refusesUnread: () => flow.refusesUnread ?? null,
    accept: (request, caller, context, render) => {
      sends.push({ request, caller, context });
      return flow.accept(request, caller, context, render);
    },
  };
  const store: MessageParts['store'] = {
    message: async (accountId, messageId) => messages.get(`${accountId} ${messageId}`) ?? null,
    messages: async ({ limit }) => [...messages.values()].slice(0, limit),
    searchMessages: async () => ({ messages: [], next: null, searchedTo: null }),
    messagesReach: async () => null,
  };
  return { sends, messages, flow, acceptor, routes: [sendSmsRoute(acceptor), messageRoutes({ store, ...parts })] };
}

export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const pair = newPair();
  const log: LogLine[] = [];
  const { api = scriptedApi() } = options;
  const { sends, messages, flow } = api;
  const limits = { ...defaultLimits, ...options.limits };
  const clock = options.clock ?? machineClock;
  let directory = buildDirectory(recordsOf([keyOf(pair)]));
  const server = await createServer({
    clock,
    ids: createIds(clock, machineRandom),
    directory: () => directory,
    logger: keptLog(log),
    ready: () => ({ ready: true, detail: 'ready' }),
    version: '9.9.9',
    ...options,
    routes: [...api.routes, ...(options.routes ?? [])],
    config: { host: '127.0.0.1', port: 0, tls: undefined, trustedProxies: [], publicUrl: null, ...options.config },
    limits,
  });
  const { port } = await server.listen();
  return {
    server,
    port,
    pair,
    sends,
    log,
    flow,
    messages,
    use: (records) => {
      directory = buildDirectory({ ...records, version: directory.version + 1 });
    },
    close: () => server.close(),
  };
}

/** Accepts every recipient, as the flow would. */
export const acceptAll: Acceptor['accept'] = async (request, caller, context, render): Promise<SendOutcome> => ({
  kind: 'accepted',
  replayed: false,
  body: render(
    {
      referenceId: request.referenceId ?? '0192f1c2-7a51-7c3e-9b57-3f0b6a1d2c44',
      from: request.from,
      text: request.text,
      messageType: request.mediaUrls.length > 0 ? 'MMS' : 'SMS',
      encoding: request.mediaUrls.length > 0 ? null : 'GSM-7',
      segments: 1,
      dryRun: context.dryRun,
      results: request.to.map((to) =>
        context.dryRun
          ? { to, status: 'SUCCESS' }
          : { to, status: 'SUCCESS', messageId: 'msg_01JD8Z6QF2X5T9V3B7N1KMHGCA' },
      ),
    },
    caller,
  ),
});

export function keptLog(lines: LogLine[]): Logger {
  const level =
    (name: string) =>
    (fields: object, message = ''): void => {
      lines.push({ level: name, fields: fields as Record<string, unknown>, message });
    };
  return {
    trace: level('trace'),
    debug: level('debug'),
    info: level('info'),
    warn: level('warn'),
    error: level('error'),
  };
}

export const goodBody = { from: '12025550199', to: ['12025550100'], text: 'Hello' };

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed; undefined when the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  json: any;
}

export interface Speak {
  method?: string;
  path?: string;
  /** Added to the path after the credential. */
  query?: string;
  headers?: Record<string, string | string[]>;
  body?: unknown;
  /** `null` leaves the credential out. */
  bearer?: string | null;
  apikey?: string | null;
  tls?: boolean;
}

/** Sends one request on a connection of its own; by default a good `POST /SendSMS`. */
export function speak(testServer: TestServer, how: Speak = {}): Promise<Answered> {
  const { method = 'POST', path = '/SendSMS', body = method === 'POST' ? goodBody : undefined } = how;
  const bearer = how.bearer === undefined ? testServer.pair.bearerToken : how.bearer;
  const apikey = how.apikey === undefined ? testServer.pair.authToken : how.apikey;
  const query = [apikey === null ? '' : `apikey=${apikey}`, how.query ?? ''].filter((part) => part !== '').join('&');
  const bytes = body === undefined ? null : asBytes(body);
  const headers: Record<string, string | string[]> = {
    ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    ...(bytes === null ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    ...how.headers,
  };
  return new Promise((resolve, reject) => {
    const ask = how.tls ? tlsRequest : request;
    const sent = ask(
      {
        host: '127.0.0.1',
        port: testServer.port,
        method,
        path: query === '' ? path : `${path}?${query}`,
        headers,
        agent: false,
        ...(how.tls && { rejectUnauthorized: false }),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode!, headers: answer.headers, text, json: parsed(text) });
        });
      },
    );
    sent.on('error', reject);
    sent.end(bytes ?? undefined);
  });
}

function asBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All bytes of a raw connection until the server ended it. */
export interface RawAnswers {
  text: string;
  /** Status lines, in order. */
  statuses: number[];
}

/** Writes bytes and collects the answers until the server closes. `pieces` are written one after the other. */
export function speakRaw(testServer: TestServer, ...pieces: (string | Buffer)[]): Promise<RawAnswers> {
  return new Promise((resolve) => {
    const socket = rawSocket(testServer);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', () => resolve({ text, statuses: statusesIn(text) }));
    for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  });
}

export function rawSocket(testServer: TestServer): Socket {
  const socket = connect({ host: '127.0.0.1', port: testServer.port, allowHalfOpen: true });
  socket.on('error', () => {});
  // The server has ended its side; close ours, as any client would.
  socket.on('end', () => socket.destroy());
  return socket;
}

export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

/** The head of a valid request as text, for tests that write bytes; ends with an empty line. */
export function rawHead(
  testServer: TestServer,
  headers: readonly string[],
  path = '/SendSMS',
  method = 'POST',
): string {
  return [
    `${method} ${path}?apikey=${testServer.pair.authToken} HTTP/1.1`,
    'Host: gateway.example',
    `Authorization: Bearer ${testServer.pair.bearerToken}`,
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');
}
