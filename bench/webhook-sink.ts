/** A receiver of webhooks as a process of its own: answers 200 to everything and counts. Started by `webhooks.ts` with fork. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './processes.ts';

export type WebhookSinkQuestion = { ask: 'port' | 'count' };

let count = 0;
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  request.once('end', () => {
    count++;
    response.writeHead(200, { 'content-length': '2' }).end('ok');
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

answerParent<WebhookSinkQuestion>(({ ask }) => (ask === 'port' ? (server.address() as AddressInfo).port : count));
