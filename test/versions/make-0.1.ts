/**
 * Makes the data of version 0.1.0, as its package leaves them when it is killed while messages wait:
 *
 * git worktree add ../earlier v0.1.0 && (cd ../earlier && npm ci && npm run release)
 *   mkdir ../installed && (cd ../installed && npm init -y && npm install ../earlier/dist/heliograph-0.1.0.tgz)
 *   npx node test/versions/make-0.1.ts ../installed test/versions/0.1
 *
 * All of it goes over HTTP. `expected.json` holds that version's answers.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { phoneJpeg } from '../../packages/gateway/src/media/media-fixture.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { startInstalled } from '../release/installed-gateway.ts';
import { createVersions, rowsOf } from './make.ts';

export const administrator = { email: 'ada@example.com', password: 'correct horse battery' };

/** The handset of the waiting texts. */
export const waitingHandset = '12025550104';

/** The answers of one of its gateways. */
export interface Expected01 {
  /** Time of the kill, ms since the epoch. */
  killedAt: number;
  endpoint: { endpointId: string; secret: string };
  /** Final messages by id; the others are in `waiting`. */
  ended: Record<string, { state: string; text: string; mediaUrls: string[] }>;
  waiting: { messageId: string; text: string }[];
  /** The original answer, which a repeat with this key gets again. */
  keyed: { key: string; body: object; answer: unknown };
  replies: string[];
  optOuts: { contact: string; scope: string }[];
  /** From the event log, in order; none of them was delivered yet. */
  events: string[];
}

interface Caller {
  // biome-ignore lint/suspicious/noExplicitAny: whatever that version answers
  call(method: string, path: string, body?: object | Buffer, headers?: Record<string, string>): Promise<any>;
  from: string;
}

function callerOf(url: string, dataDir: string): Caller {
  const { bearerToken, authToken, from } = JSON.parse(readFileSync(join(dataDir, 'first-steps.json'), 'utf8'));
  return {
    from,
    call: async (method, path, body, headers = {}) => {
      const isFile = body instanceof Buffer;
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${bearerToken}`,
          'x-api-key': authToken,
          ...(body !== undefined && { 'content-type': isFile ? 'image/jpeg' : 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : isFile ? new Uint8Array(body) : JSON.stringify(body),
      });
      const json = (await answer.json()) as { success: boolean };
      if (!json.success) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
      return json;
    },
  };
}

/**
 * Everything that a newcomer's gateway has after its first minutes, and then unfinished texts: `queued` for a carrier
 * that is away, or `sending` to one that does not answer.
 */
async function leaveMessages({ call, from }: Caller, end: 'queued' | 'sending'): Promise<Omit<Expected01, 'killedAt'>> {
  const { data: endpoint } = await call('POST', '/api/v1/endpoints', {
    url: 'http://127.0.0.1:9/hook',
    name: 'Orders',
  });
  const send = async (to: string, more: object = {}): Promise<string> => {
    const { schema } = await call('POST', '/SendSMS', { from, to: [to], text: `A text for ${to}: Grüße 😀`, ...more });
    return schema.resultResponses[0].messageId;
  };
  const ended: Expected01['ended'] = {};
  const isEnded = async (messageId: string, direction = 'outbound') => {
    const { data } = await until(
      () => call('GET', `/api/v1/messages/${messageId}`),
      ({ data }) => direction === 'inbound' || ['delivered', 'undelivered'].includes(data.state),
    );
    ended[messageId] = { state: data.state, text: data.text, mediaUrls: data.mediaUrls };
  };

  const keyed = { key: 'order-1', body: { from, to: ['12025550101'], text: 'Your order is on its way' } };
  const answer = await call('POST', '/SendSMS', keyed.body, { 'idempotency-key': keyed.key });
  const uploaded = await call('POST', '/api/v1/media?fileName=photo.jpg', await phoneJpeg(64, 48));
  await isEnded(answer.schema.resultResponses[0].messageId);
  await isEnded(await send('12025550100'));
  await isEnded(await send('12025550111'));
  await isEnded(await send('12025550102', { mediaUrls: [uploaded.data.url] }));
  await isEnded(await send('12025550103'));
  const texts = { '12025550100': 'Thank you', '12025550103': 'STOP' };
  for (const [number, text] of Object.entries(texts)) {
    await call('POST', `/api/v1/sandbox/handsets/${number}/reply`, { text });
  }
  const replies = await until(
    () => call('GET', '/api/v1/messages?direction=inbound'),
    ({ data }) => data.length === 2,
  );
  for (const { messageId } of replies.data) await isEnded(messageId, 'inbound');
  const optOuts = await until(
    () => call('GET', '/api/v1/opt-outs'),
    ({ data }) => data.length === 1,
  );
  // The confirmation of STOP is a message too.
  const sent = await until(
    () => call('GET', '/api/v1/messages?direction=outbound'),
    ({ data }) => data.length === 6 && data.every(({ state }: { state: string }) => /delivered$/.test(state)),
  );
  for (const { messageId } of sent.data) await isEnded(messageId);
  const events = await call('GET', '/api/v1/events?limit=100');
  await until(
    () => call('GET', `/api/v1/deliveries?limit=100&endpoint=${endpoint.endpointId}`),
    ({ data }) => data.length === events.data.length,
  );

  if (end === 'queued') {
    await call('POST', '/api/v1/sandbox/faults', { refuseBind: true, dropLink: true });
    await until(
      () => call('GET', '/readyz'),
      ({ data }) => data.carriersDown.length > 0,
    );
    await wait(2_000);
  } else await call('POST', '/api/v1/sandbox/faults', { answerAfterMs: 60_000 });
  // No look-up follows, so the last texts stay in the journal.
  const waiting: Expected01['waiting'] = [];
  for (let nth = 0; nth < 24; nth++) {
    waiting.push({ messageId: await send(waitingHandset, { text: `Queued ${nth}` }), text: `Queued ${nth}` });
  }
  return {
    endpoint: { endpointId: endpoint.endpointId, secret: endpoint.secret },
    ended,
    waiting,
    keyed: { ...keyed, answer },
    replies: replies.data.map(({ messageId }: { messageId: string }) => messageId),
    optOuts: optOuts.data.map(({ contact, scope }: { contact: string; scope: string }) => ({ contact, scope })),
    events: events.data.map(({ id }: { id: string }) => id),
  };
}

async function until<T>(look: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    const found = await look();
    if (isDone(found)) return found;
    if (tries === 600) throw new Error(`it stays like this: ${JSON.stringify(found)}`);
    await wait(50);
  }
}

/** Writes the data folder as a `.tar.gz`. */
async function leave(installed: string, out: string, name: string, databaseUrl?: string): Promise<Expected01> {
  const root = mkdtempSync(join(tmpdir(), 'heliograph-0.1-'));
  const dataDir = join(root, 'data');
  try {
    writeFileSync(join(root, 'password'), administrator.password, { mode: 0o600 });
    const port = await freePort();
    const settings = {
      ...{ PORT: port, HELIO_DATA: dataDir, HELIO_LOG: 'warn', HELIO_SANDBOX: 1 },
      ...{ HELIO_SMPP_PORT: 0, HELIO_MM7_PORT: 0, HELIO_MM4_PORT: 0, HELIO_INBOX_PORT: 0 },
      ...{ HELIO_ADMIN_EMAIL: administrator.email, HELIO_ADMIN_PASSWORD_FILE: join(root, 'password') },
      ...(databaseUrl !== undefined && { HELIO_DATABASE_URL: databaseUrl }),
    };
    const command = [
      join(installed, 'node_modules/.bin/node'),
      join(installed, 'node_modules/heliograph/bin/helio.js'),
    ];
    const env = Object.entries(settings).map(([setting, value]) => `${setting}=${value}`);
    const { child, url } = await startInstalled(['env', '-C', root, ...env, ...command, 'start'], port);
    const left = await leaveMessages(callerOf(url, dataDir), databaseUrl === undefined ? 'queued' : 'sending').finally(
      () => child.kill('SIGKILL'),
    );
    const killedAt = Date.now();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    execFileSync('tar', ['czf', join(out, `${name}.tar.gz`), '--owner=0', '--group=0', '-C', dataDir, '.']);
    return { killedAt, ...left };
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function dumpOf(installed: string, server: TestPostgres, databaseUrl: string): Promise<string> {
  const source = (path: string) => import(join(installed, 'node_modules/heliograph/dist/store', path));
  const { migrations }: { migrations: { statements: string[] }[] } = await source('migrate.js');
  const { renderPostgres } = await source('dialect.js');
  const schema = [createVersions, ...migrations.flatMap(({ statements }) => statements)].map(
    (sql): string => renderPostgres({ name: '', columns: {}, sql }).sql,
  );
  return `${[...schema, ...(await rowsOf(server, databaseUrl))].join(';\n')};\n`;
}

if (import.meta.main) {
  const [installed, out] = process.argv.slice(2).map((path) => resolve(path));
  if (installed === undefined || out === undefined) throw new Error('usage: make-0.1.ts INSTALLED FOLDER');
  mkdirSync(out, { recursive: true });
  const server = await startPostgres();
  try {
    const databaseUrl = await server.createDatabase();
    const expected = {
      sqlite: await leave(installed, out, 'sqlite'),
      postgres: await leave(installed, out, 'postgres', databaseUrl),
    };
    writeFileSync(join(out, 'postgres.sql.gz'), gzipSync(await dumpOf(installed, server, databaseUrl), { level: 9 }));
    writeFileSync(join(out, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
  } finally {
    await server.remove();
  }
}
