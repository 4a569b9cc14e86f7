/**
 * A toy gateway with a planted bug, as a process: `toy-gateway-fixture.ts PORT SINK FILE BUG`. `forgets` acknowledges
 * before it stores anything; `repeats` stores messages but not that they were sent, so a start sends all of them again;
 * `vanishes` exits at its tenth message.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createClient } from '@heliograph/smpp';

const [port, sink, file, bug] = process.argv.slice(2) as [string, string, string, string];
const waiting = bug === 'repeats' && existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
const link = { host: '127.0.0.1', port: Number(sink), bind: 'transceiver', system_id: 'toy', password: 'toy' } as const;
const client = createClient(link, { onBound: sendNext });
let messages = 0;

function sendNext(): void {
  while (client.free > 0 && waiting.length > 0) {
    const to = waiting.shift()!;
    client.submit({ destination_addr: to, short_message: Buffer.from(`to ${to}`) }, ({ kind }) => {
      if (kind !== 'response') waiting.push(to);
      sendNext();
    });
  }
}

client.start();
createServer((request, response) => {
  const to = new URL(request.url!, 'http://toy').searchParams.get('to')!;
  if (bug === 'repeats') appendFileSync(file, `${to}\n`);
  if (bug === 'vanishes' && ++messages === 10) process.exit(3);
  waiting.push(to);
  response.end('taken');
  sendNext();
}).listen(Number(port), '127.0.0.1');
