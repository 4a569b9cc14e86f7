/**
 * The MMSC of a benchmark, in its own process: takes SubmitReq over MM7, answers each with success and keeps only
 * counts. It reads just the XML that the answer needs. Forked by `mms.ts`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMs } from '../test/props/smsc.ts';
import { answerParent } from './processes.ts';

export type MmsSinkCommand = { ask: 'port' | 'counts' | 'reset' };

export interface MmsSinkCounts {
  /** Submissions. */
  taken: number;
  /** Different recipients among them. */
  distinct: number;
  bytes: number;
  lastAtMs: number;
}

const recipients = new Set<string>();
let taken = 0;
let bytes = 0;
let lastAtMs = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    // The envelope comes first; what follows is base64.
    const envelope = body.toString('latin1', 0, 4_096);
    const [, transaction = ''] = /TransactionID[^>]*>([^<]*)</.exec(envelope) ?? [];
    const [, namespace = ''] = /TransactionID[^>]*xmlns[^"']*["']([^"']+)["']/.exec(envelope) ?? [];
    recipients.add(/Recipients>.*?Number[^>]*>([^<]*)</s.exec(envelope)?.[1] ?? '');
    taken += 1;
    bytes += body.length;
    lastAtMs = monotonicMs();
    response.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' }).end(answer(transaction, namespace));
  });
});

function answer(transaction: string, namespace: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/">' +
    `<env:Header><mm7:TransactionID xmlns:mm7="${namespace}" env:mustUnderstand="1">${transaction}</mm7:TransactionID></env:Header>` +
    `<env:Body><SubmitRsp xmlns="${namespace}"><MM7Version>6.8.0</MM7Version><Status><StatusCode>1000</StatusCode>` +
    `<StatusText>Success</StatusText></Status><MessageID>bench-${taken}</MessageID></SubmitRsp></env:Body></env:Envelope>`
  );
}

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

answerParent<MmsSinkCommand>(({ ask }) => {
  if (ask === 'port') return (server.address() as AddressInfo).port;
  const counts: MmsSinkCounts = { taken, distinct: recipients.size, bytes, lastAtMs };
  if (ask === 'reset') {
    recipients.clear();
    taken = 0;
    bytes = 0;
  }
  return counts;
});
