/** A gateway that answers from a script and records its requests. For tests. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Heliograph, type HeliographOptions } from './heliograph.ts';

/** The answer: a status with headers and a body (JSON unless it is a string), or none. */
export type Scripted = ScriptedAnswer | 'hang' | 'hang up';

interface ScriptedAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

export const credentials = { bearerToken: 'bt_secret_of_the_bearer', authToken: 'at_secret_of_the_account' };

export const sent: ScriptedAnswer = {
  status: 200,
  headers: { 'x-request-id': 'req_1' },
  body: {
    success: true,
    reason: 'SUCCESS',
    detail: 'Accepted for 1 of 1 recipients.',
    schema: {
      referenceId: 'r',
      from: '12025550199',
      text: 'Hi',
      resultResponses: [{ to: '12025550100', status: 'SUCCESS' }],
    },
  },
};

export function rejected(status: number, reason: string, headers: Record<string, string> = {}): Scripted {
  return { status, headers: { 'x-request-id': 'req_2', ...headers }, body: { success: false, reason, detail: 'Why.' } };
}

/** Answers with one entry of `script` after the other, repeating the last one. */
export async function gateway(script: Scripted[], options: Partial<HeliographOptions> = {}) {
  const requests: SeenRequest[] = [];
  const waits: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      requests.push({
        method: request.method!,
        url: request.url!,
        headers: request.headers,
        body: bytes.toString(),
        bytes,
      });
      const entry = script[Math.min(requests.length, script.length) - 1]!;
      if (entry === 'hang') return;
      if (entry === 'hang up') return void request.socket.destroy();
      const text = typeof entry.body === 'string' ? entry.body : JSON.stringify(entry.body);
      response.writeHead(entry.status, entry.headers).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const wait = async (ms: number) => void waits.push(ms);
  const helio = new Heliograph({ baseUrl, ...credentials, wait, random: () => 0, ...options });
  return { helio, requests, waits, baseUrl };
}
