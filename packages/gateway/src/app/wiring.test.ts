/**
 * Connections between parts of a running gateway: changed records reach their followers, and no customer URL reaches
 * the gateway's own port.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { noRecords } from '../model/records.ts';
import { readConfig } from './config.ts';
import { type Gateway, startGateway } from './main.ts';
import { openStore } from './open-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'helio-wiring-'));
const anyPorts = { PORT: '0', HELIO_SMPP_PORT: '0', HELIO_MM7_PORT: '0', HELIO_MM4_PORT: '0', HELIO_INBOX_PORT: '0' };
let gateway: Gateway;

beforeAll(async () => {
  const read = readConfig({ ...anyPorts, HELIO_DATA: folder, HELIO_HOST: '127.0.0.1' });
  if (!read.ok) throw new Error(read.problems.join(' '));
  const broken = (error: unknown) => {
    throw error;
  };
  gateway = await startGateway({ config: read.config, logger: silentLogger, broken });
});
afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function post(path: string, body: object): Promise<{ status: number; json: Record<string, unknown> }> {
  const { bearerToken, authToken } = gateway.firstSteps!;
  const headers = {
    authorization: `Bearer ${bearerToken}`,
    'x-api-key': authToken,
    'content-type': 'application/json',
  };
  const answer = await fetch(`${gateway.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

it('sends no webhook to its own port', async () => {
  const refused = await post('/api/v1/endpoints', { name: 'Itself', url: `http://127.0.0.1:${gateway.port}/hook` });
  expect(refused.status).toBe(400);
  expect(refused.json).toMatchObject({ success: false, detail: expect.stringContaining('may not go to') });
});

it('notifies an endpoint that was added while the gateway runs', async () => {
  const paths: string[] = [];
  const customer = createServer((request, response) => {
    paths.push(String(request.url));
    response.end();
  });
  await new Promise<void>((resolve) => customer.listen(0, '127.0.0.1', resolve));
  const { port } = customer.address() as AddressInfo;
  const made = await post('/api/v1/endpoints', { name: 'Shop', url: `http://127.0.0.1:${port}/hook` });
  expect(made.json).toMatchObject({ success: true });
  const { from, handsets } = gateway.firstSteps!;
  const sent = await post('/SendSMS', { from, to: [handsets[0]], text: 'Told?' });
  expect(sent.json).toMatchObject({ success: true });
  await expect.poll(() => paths).toContain('/hook');
  await new Promise((resolve) => customer.close(resolve));
});

it('closes a carrier that another process switched off in the records', async () => {
  await expect.poll(() => gateway.sandboxBinds()).not.toEqual([]);
  const store = await openStore({ dataDir: folder, role: 'tool', clock });
  const { carriers } = await store.records();
  const off = carriers.map((carrier) => ({ ...carrier, enabled: false }));
  await store.putRecords({ ...noRecords(), carriers: off });
  await store.close();
  await expect.poll(() => gateway.sandboxBinds()).toEqual([]);
});
