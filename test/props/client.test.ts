/** Tests of the crash suites' sender against a small HTTP server that refuses, dies and repeats itself. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientOptions, destinationOf, startClient } from './client.ts';

let folder: string;
let server: Server;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-'));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

type Handler = (request: { body: string; key: string | undefined }, response: ServerResponse) => void;

async function serve(handler: Handler): Promise<number> {
  server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => handler({ body, key: request.headers['idempotency-key'] as string | undefined }, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function accept(body: string, response: ServerResponse): void {
  const { to } = JSON.parse(body) as { to: string[] };
  const resultResponses = to.map((number) => ({ to: number, status: 'SUCCESS', messageId: `msg_${number}` }));
  response.end(JSON.stringify({ success: true, schema: { resultResponses } }));
}

async function run(options: Omit<ClientOptions, 'acknowledgedFile' | 'connections'>) {
  const acknowledgedFile = join(folder, 'acknowledged');
  const client = startClient({ connections: 3, acknowledgedFile, ...options });
  await client.finished;
  await client.stop();
  return { client, lines: readFileSync(acknowledgedFile, 'utf8').trim().split('\n').sort() };
}

describe('the client', () => {
  it('writes down each recipient of a 200 with its messageId', async () => {
    const port = await serve(({ body }, response) => accept(body, response));
    const { client, lines } = await run({ port, requestsMax: 10, recipientsPerRequest: 2 });
    expect(lines).toEqual(Array.from({ length: 20 }, (_, i) => `${destinationOf(i)}\tmsg_${destinationOf(i)}`));
    expect(client.acknowledged.size).toBe(20);
  });

  it('acknowledges no request that was refused or never answered', async () => {
    let count = 0;
    const port = await serve(({ body }, response) => {
      count++;
      if (count % 3 === 1) accept(body, response);
      else if (count % 3 === 2) response.writeHead(503).end('{}');
      else response.destroy();
    });
    const { client } = await run({ port, requestsMax: 9 });
    expect(client.acknowledged.size).toBe(3);
    expect(client.counts()).toMatchObject({ requests: 9, refused: { 503: 3 }, unanswered: 3, repeated: 0 });
  });

  it('with retry sends the same bytes under the same key until it is answered', async () => {
    const seen = new Map<string, Set<string>>();
    let count = 0;
    const port = await serve(({ body, key }, response) => {
      seen.set(key!, (seen.get(key!) ?? new Set()).add(body));
      count++;
      if (count % 3 === 1) accept(body, response);
      else if (count % 3 === 2) response.writeHead(503).end('{}');
      else response.destroy();
    });
    const { client } = await run({ port, requestsMax: 9, retry: true });
    expect(client.acknowledged.size).toBe(9);
    expect(seen.size).toBe(9);
    expect([...seen.values()].every((bodies) => bodies.size === 1)).toBe(true);
  });
});
