/**
 * The upgrade from 0.1.0: that version's package made these data and was killed while messages waited. Today's gateway
 * starts on them, has all of them, and continues.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lookAtSqlite } from '../../packages/gateway/src/app/store-repair.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import type { SandboxGateway } from '../props/sandbox.ts';
import { expected, fillDatabase, fillFolder, startUpgraded } from './0.1-fixture.ts';
import { administrator, waitingHandset } from './make-0.1.ts';

const within = { timeout: 60_000, interval: 100 };

it('killed 0.1.0 with texts that are only in its journal', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'helio-0.1-'));
  fillFolder(dataDir, 'sqlite');
  const { journal } = lookAtSqlite(dataDir, expected.sqlite.killedAt);
  expect(journal).toMatchObject({ fault: null, messages: expected.sqlite.waiting.length });
  rmSync(dataDir, { recursive: true });
});

describe.each(['sqlite', 'postgres'] as const)('data of 0.1.0 on %s', { timeout: 120_000 }, (engine) => {
  const before = expected[engine];
  let server: TestPostgres | null = null;
  let gateway: SandboxGateway;
  let receiver: Server;
  const arrived: { id: string; body: string; signature: string; at: Date }[] = [];

  beforeAll(async () => {
    server = engine === 'postgres' ? await startPostgres() : null;
    gateway = await startUpgraded(server === null ? undefined : await fillDatabase(server));
    receiver = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const [id, seconds, signature] = ['id', 'timestamp', 'signature'].map((n) =>
        String(request.headers[`webhook-${n}`]),
      );
      arrived.push({ id: id!, body, signature: signature!, at: new Date(Number(seconds) * 1_000) });
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await gateway?.stop();
    receiver?.close();
    await server?.remove();
  });

  const patch = (path: string, body: object) => {
    const { bearerToken, authToken } = gateway.credentials;
    return fetch(`${gateway.url}${path}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${bearerToken}`,
        'x-api-key': authToken,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  };

  it('hold each message with its state and its text, and the bytes of its media', async () => {
    for (const [messageId, { state, text, mediaUrls }] of Object.entries(before.ended)) {
      const { data } = (await gateway.get(`/api/v1/messages/${messageId}`)).json;
      expect([messageId, data.state, data.text, data.mediaUrls.length]).toEqual([
        messageId,
        state,
        text,
        mediaUrls.length,
      ]);
      for (const url of mediaUrls) {
        const { pathname, search } = new URL(url);
        const file = await fetch(`${gateway.url}${pathname}${search}`);
        expect([file.status, (await file.arrayBuffer()).byteLength > 500]).toEqual([200, true]);
      }
    }
    const { data } = (await gateway.get('/api/v1/messages?direction=inbound')).json;
    expect(data.map(({ messageId }: { messageId: string }) => messageId)).toEqual(before.replies);
  });

  it('let the messages that waited go on until all are delivered', async () => {
    const delivered = async () => {
      const { data } = (await gateway.get(`/api/v1/messages?to=${waitingHandset}&limit=100`)).json;
      const done = data.filter(({ state }: { state: string }) => state === 'delivered');
      return done.map(({ messageId }: { messageId: string }) => messageId).sort();
    };
    const ids = before.waiting.map(({ messageId }) => messageId).sort();
    await vi.waitFor(async () => expect(await delivered()).toEqual(ids), within);
    const { data } = (await gateway.get(`/api/v1/sandbox/handsets/${waitingHandset}/messages`)).json;
    const texts = data.map(({ text }: { text: string }) => text);
    expect(new Set(texts)).toEqual(new Set(before.waiting.map(({ text }) => text)));
    // Queued texts are sent once; for the others it was unknown whether the carrier had them.
    if (engine === 'sqlite') expect(texts).toHaveLength(before.waiting.length);
  });

  it('let a repeated request get its first answer, and an opt-out hold', async () => {
    const { key, body, answer } = before.keyed;
    const repeat = await gateway.send(body, { headers: { 'idempotency-key': key } });
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect(repeat.json).toEqual(answer);
    const { data } = (await gateway.get('/api/v1/opt-outs')).json;
    expect(data).toMatchObject(before.optOuts);
    const refused = await gateway.send({ from: gateway.from, to: ['12025550103'], text: 'Hello' });
    expect(refused.json.schema.resultResponses[0].status).toBe('OPTED_OUT');
  });

  it('bring the webhooks that waited, signed with the secret of then, once their endpoint can be reached', async () => {
    const { endpointId, secret } = before.endpoint;
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await gateway.post(`/api/v1/endpoints/${endpointId}/disable`, undefined);
    expect((await patch(`/api/v1/endpoints/${endpointId}`, { url })).status).toBe(200);
    await gateway.post(`/api/v1/endpoints/${endpointId}/enable`, undefined);
    const ids = () => new Set(arrived.map(({ id }) => id));
    await vi.waitFor(() => expect([...before.events].filter((id) => !ids().has(id))).toEqual([]), within);
    // Includes the waiting messages: their events happened under this version.
    const about = () => new Set(arrived.map(({ body }) => JSON.parse(body).data.messageId));
    await vi.waitFor(
      () => expect(before.waiting.filter(({ messageId }) => !about().has(messageId))).toEqual([]),
      within,
    );
    const webhook = new Webhook(secret);
    for (const { id, at, body, signature } of arrived)
      expect(signature.split(' ')).toContain(webhook.sign(id, at, body));
  });

  it('let its administrator sign in, who sees the same messages in the portal', async () => {
    const headers = { origin: gateway.url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const signedIn = await fetch(`${gateway.url}/api/portal/v1/sign-in`, {
      method: 'POST',
      headers,
      body: JSON.stringify(administrator),
    });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    type Page = { data: { messages: { messageId: string }[] }; next: string | null };
    const shown = new Set<string>();
    for (let before = ''; ; ) {
      const query = `limit=100${before === '' ? '' : `&before=${before}`}`;
      const listed = await fetch(`${gateway.url}/api/portal/v1/messages?${query}`, { headers: { ...headers, cookie } });
      const { data, next } = (await listed.json()) as Page;
      for (const { messageId } of data.messages) shown.add(messageId);
      if (next === null) break;
      before = next;
    }
    const all = [...Object.keys(before.ended), ...before.waiting.map(({ messageId }) => messageId)];
    expect(all.filter((id) => !shown.has(id))).toEqual([]);
  });
});
