/** A scripted MM7 carrier on loopback, and a record that points to it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import {
  emptyMessage,
  isMalformed,
  isUnwritable,
  type Mm7Http,
  type Mm7SubmitReq,
  type Mm7Written,
  mm7Dialect,
  mm7StatusOf,
  presentable,
  readMm7,
  textOf,
  writeMm7,
} from '@heliograph/mms';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { CarrierAnswer, CarrierRequest } from '../../model/carrier-http.ts';
import type { CarrierUnderTest, PeerAnswered, PeerSubmit, ScriptedPeer } from '../carrier.contract.ts';
import type { Carrier } from '../carrier.ts';
import { loadAdapters, tinyPng } from '../carrier-fixture.ts';
import type { CarrierDeps } from '../deps.ts';
import type { Mm7CarrierRecord, Mm7Profile } from './profile.ts';

const openCarrier = await loadAdapters();

export interface Mm7PeerSubmit extends PeerSubmit {
  request: Mm7SubmitReq;
  headers: IncomingMessage['headers'];
  /** The raw body. */
  body: Buffer;
  /** Answers with a SubmitRsp; code 1000 carries an id. */
  status(code: number, text?: string, messageId?: string): void;
  /** Answers with these bytes. */
  answer(httpStatus: number, body: string, headers?: Record<string, string>): void;
  socket: Socket;
}

export interface Mm7Peer extends ScriptedPeer {
  readonly submits: Mm7PeerSubmit[];
  /** Connections opened so far, including unused ones. */
  connections: number;
  /** Passes an operation to the adapter, as the gateway's HTTP server would. */
  send(operation: Mm7Written, more?: Partial<CarrierRequest>): Promise<CarrierAnswer>;
}

export const peerDialect = mm7Dialect('REL-6-MM7-1-4');
const schemaOfPeer = { dialect: peerDialect };

export function mm7Bytes(operation: Mm7Written, options = schemaOfPeer): Mm7Http {
  const written = writeMm7(operation, options);
  if (isUnwritable(written)) throw new Error(`${written.field} ${written.detail}`);
  return written;
}

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** A carrier's request as the HTTP server passes it on, with the correct credentials of `mm7Record`. */
export function carrierRequest(bytes: { headers: Record<string, string>; body: Buffer }): CarrierRequest {
  return {
    headers: { authorization: basic('them', 'inbound-secret'), ...bytes.headers },
    body: async () => bytes.body,
    remoteAddress: '127.0.0.1',
    clientCertSha256: null,
  };
}

export async function startMm7Peer(tls?: ServerOptions) {
  const submits: Mm7PeerSubmit[] = [];
  const sockets = new Set<Socket>();
  let carrier: Carrier | null = null;

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => submits.push(peerSubmit(request, response, Buffer.concat(chunks))));
  };
  const server = tls === undefined ? createServer(take) : createTlsServer(tls, take);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    peer.connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;

  function deliver(operation: Mm7Written): PeerAnswered {
    let answered: CarrierAnswer | null = null;
    void peer.send(operation).then((answer) => {
      answered = answer;
    });
    return () => (answered === null ? null : answeredAs(answered));
  }

  let transactions = 0;
  const transactionId = (): string => `peer-${++transactions}`;
  const peer: Mm7Peer = {
    submits,
    connections: 0,
    connected: () => sockets.size,
    send: (operation, more) => carrier!.http!({ ...carrierRequest(mm7Bytes(operation)), ...more }),
    receipt: ({ carrierMessageId, from, to }, state) =>
      deliver({
        type: 'DeliveryReportReq',
        transactionId: transactionId(),
        mmsRelayServerId: '',
        messageId: carrierMessageId,
        recipient: to,
        sender: from,
        date: new Date(1_700_000_000_000),
        mmStatus: state === 'delivered' ? 'Retrieved' : 'Unreachable',
        statusText: '',
      }),
    text: (from, to, text) => deliver(deliverReq(from, to, text, transactionId())),
    drop: () => {
      for (const socket of sockets) socket.destroy();
    },
    away: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      peer.drop();
      await closed;
    },
    back: () => listen(port),
  };
  return { peer, port, serve: (served: Carrier) => (carrier = served), close: () => server.listening && peer.away() };
}

export function deliverReq(from: string, to: string, text: string, transactionId: string) {
  const parts = [
    { contentType: 'image/png', contentId: '', fileName: 'a.png', bytes: tinyPng },
    { contentType: 'text/plain', contentId: '', fileName: 't.txt', bytes: Buffer.from(text) },
  ];
  return {
    type: 'DeliverReq' as const,
    transactionId,
    mmsRelayServerId: '',
    vaspId: '',
    vasId: '',
    linkedId: '',
    timeStamp: null as Date | null,
    message: presentable({ ...emptyMessage, from, to: [to], parts }),
  };
}

function peerSubmit(request: IncomingMessage, response: ServerResponse, body: Buffer): Mm7PeerSubmit {
  const read = readMm7({ contentType: request.headers['content-type'] ?? '', body });
  if (isMalformed(read) || read.message.type !== 'SubmitReq') throw new Error('no SubmitReq');
  const { message, dialect } = read;
  const { from, to, parts } = message.message;
  const answer: Mm7PeerSubmit['answer'] = (httpStatus, text, headers = {}) => {
    response.writeHead(httpStatus, { 'content-type': 'text/xml; charset=utf-8', ...headers }).end(text);
  };
  const status: Mm7PeerSubmit['status'] = (code, text, messageId = '') => {
    const { transactionId } = message;
    const response = { type: 'SubmitRsp' as const, transactionId, status: mm7StatusOf(code, text), messageId };
    answer(200, mm7Bytes(response, { dialect }).body.toString());
  };
  return {
    request: message,
    headers: request.headers,
    body,
    from,
    to: to.join(),
    text: textOf(parts),
    media: parts
      .filter(({ contentType }) => contentType !== 'text/plain')
      .map(({ contentType, bytes }) => ({ contentType, bytes })),
    answer,
    status,
    socket: request.socket,
    accept: (carrierMessageId) => status(1000, undefined, carrierMessageId),
    refuse: (how) => {
      if (how === 'throttled') answer(429, '');
      else status(how === 'never' ? 2003 : 3000);
    },
  };
}

function answeredAs({ status, headers, body }: CarrierAnswer): ReturnType<PeerAnswered> {
  const read = readMm7({ contentType: headers['content-type'] ?? '', body: Buffer.from(body) });
  if (isMalformed(read) || !('status' in read.message)) return 'refused';
  const { code } = read.message.status;
  if (code === 1000 && status === 200) return 'taken';
  return code === 4006 || code === 3000 ? 'again_later' : 'refused';
}

export function mm7Record(url: string, profile: Partial<Mm7Profile> = {}): Mm7CarrierRecord {
  return {
    carrierId: 'car_test',
    environment: 'live',
    name: 'Test carrier',
    kind: 'mm7',
    enabled: true,
    mm7: {
      url,
      tlsVerify: true,
      caCertificate: '',
      clientCertificate: '',
      clientKey: '',
      username: 'us',
      password: 'outbound-secret',
      schema: 'REL-6-MM7-1-4',
      version: '6.8.0',
      vaspId: 'heliograph',
      vasId: 'vas',
      serviceCode: '',
      deliveryReport: true,
      window: 10,
      messagesPerSecond: 0,
      responseTimeoutMs: 30_000,
      mediaBytesMax: 600_000,
      inbound: { username: 'them', password: 'inbound-secret', addresses: [], clientCertSha256: [] },
      ...profile,
    },
  };
}

export interface Mm7UnderTest extends CarrierUnderTest {
  peer: Mm7Peer;
  port: number;
}

export interface OpenMm7 {
  profile?: Partial<Mm7Profile>;
  /** TLS options of the peer; absent = plain HTTP. */
  tls?: ServerOptions;
  deps?: Partial<CarrierDeps>;
}

export async function openMm7({ profile = {}, tls, deps }: OpenMm7 = {}): Promise<Mm7UnderTest> {
  const clock = movedClock();
  const lease = { isHeld: true };
  const { peer, port, serve, close } = await startMm7Peer(tls);
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/mm7?token=url-secret`;
  const record = mm7Record(url, profile);
  const carrier = openCarrier(record, {
    clock,
    mayHandOver: () => lease.isHeld,
    random: steadyRandom(),
    logger: silentLogger,
    ...deps,
  });
  serve(carrier);
  return {
    carrier,
    peer,
    port,
    clock,
    lease,
    responseTimeoutMs: record.mm7.responseTimeoutMs,
    close: async () => {
      peer.drop();
      await carrier.stop(0);
      await close();
    },
  };
}
