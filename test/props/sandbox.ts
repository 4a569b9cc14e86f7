/**
 * A gateway with its sandbox on, and a newcomer's few calls against it. Everything goes over HTTP with the credentials
 * of the start card.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Gateway, startGateway } from './gateway.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; null when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  json: any;
}

export interface Credentials {
  bearerToken: string;
  authToken: string;
}

export interface SendOptions {
  credentials?: Credentials;
  headers?: Record<string, string>;
  query?: Record<string, string>;
}

export interface SandboxGateway {
  readonly gateway: Gateway;
  readonly url: string;
  readonly credentials: Credentials;
  readonly from: string;
  readonly dataDir: string;
  /** `POST /SendSMS` with both credentials; a string or bytes go as they are. */
  send(body: unknown, options?: SendOptions): Promise<Answer>;
  get(path: string, options?: SendOptions): Promise<Answer>;
  post(path: string, body: unknown, options?: SendOptions): Promise<Answer>;
  /** Sends one text; resolves with its message id; fails when it was not accepted. */
  text(to: string, text: string): Promise<string>;
  /** Polls the message until it is in one of the states. */
  // biome-ignore lint/suspicious/noExplicitAny: the message as the API shows it
  until(messageId: string, states: string[], withinMs?: number): Promise<any>;
  stop(): Promise<void>;
}

/** `records` are applied at start, beside the seeded sandbox; `fill` may put files into the data folder first. */
export async function startSandbox(
  options: {
    records?: object;
    env?: Record<string, string>;
    port?: number;
    databaseUrl?: string;
    fill?: (dataDir: string) => void | Promise<void>;
  } = {},
): Promise<SandboxGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-sandbox-'));
  const recordsFile = join(folder, 'records.json');
  if (options.records !== undefined) writeFileSync(recordsFile, JSON.stringify(options.records));
  const dataDir = join(folder, 'data');
  await options.fill?.(dataDir);
  const gateway = await startGateway({
    folder,
    port: options.port,
    recordsFile: options.records === undefined ? undefined : recordsFile,
    ...(options.databaseUrl !== undefined && { databaseUrl: options.databaseUrl }),
    env: { HELIO_SANDBOX: '1', HELIO_SMPP_PORT: '0', ...options.env },
  });
  const first = JSON.parse(readFileSync(join(dataDir, 'first-steps.json'), 'utf8'));
  const credentials = { bearerToken: first.bearerToken, authToken: first.authToken };
  const url = `http://127.0.0.1:${gateway.port}`;

  const call = async (method: string, path: string, body: unknown, given: SendOptions = {}): Promise<Answer> => {
    const { bearerToken, authToken } = given.credentials ?? credentials;
    const query = new URLSearchParams({ apikey: authToken, ...given.query });
    const response = await fetch(`${url}${path}${path.includes('?') ? '&' : '?'}${query}`, {
      method,
      headers: {
        authorization: `Bearer ${bearerToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...given.headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    return answerOf(response);
  };

  const sandbox: SandboxGateway = {
    gateway,
    url,
    credentials,
    from: first.from,
    dataDir,
    send: (body, given) => call('POST', '/SendSMS', body, given),
    get: (path, given) => call('GET', path, undefined, given),
    post: (path, body, given) => call('POST', path, body, given),
    text: async (to, text) => {
      const answer = await sandbox.send({ from: first.from, to: [to], text });
      const result = answer.json?.schema?.resultResponses?.[0];
      if (result?.status !== 'SUCCESS') throw new Error(`not accepted: ${answer.text}`);
      return result.messageId;
    },
    until: async (messageId, states, withinMs = 60_000) => {
      const end = performance.now() + withinMs;
      for (;;) {
        const answer = await sandbox.get(`/api/v1/messages/${messageId}`);
        const message = answer.json?.data;
        if (states.includes(message?.state)) return message;
        if (performance.now() > end) throw new Error(`still ${message?.state}, not ${states}: ${answer.text}`);
        await wait(50);
      }
    },
    stop: async () => {
      await gateway.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return sandbox;
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  let json = null;
  try {
    json = JSON.parse(text);
  } catch {}
  return { status: response.status, headers: response.headers, text, json };
}
