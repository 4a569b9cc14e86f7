/** Shared by the tests of this folder: loopback servers that count, and a TLS certificate. */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from './clock.ts';
import type { ConnectTcp } from './dial.ts';
import { createGuardedFetch, type FetchRequest, type GuardedFetch, type GuardedFetchParts } from './guarded-fetch.ts';
import type { UrlPolicy } from './url-rules.ts';

/** A public address, and one in no table. Never dialled by a test. */
export const publicAddress = '93.184.216.34';

export const strict: UrlPolicy = {
  allowPrivate: false,
  extraPorts: [],
  ownAddresses: [],
  ownNames: [],
  ownPorts: [],
};
export const relaxed: UrlPolicy = { ...strict, allowPrivate: true };

export interface Listener {
  readonly port: number;
  /** Connections so far. */
  connections(): number;
  /** Connections open now. */
  open(): number;
}

async function listening(server: Server, host: string, port: number): Promise<Listener> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections, open: () => sockets.size };
}

/** Keeps connections until the other side closes them, and sends no Keep-Alive header. */
export function httpServer(answer: RequestListener, host = '127.0.0.1'): Promise<Listener> {
  return listening(createHttpServer({ keepAliveTimeout: 0 }, answer), host, 0);
}

export function httpsServer(answer: RequestListener): Promise<Listener> {
  return listening(createHttpsServer({ key: testKey, cert: testCertificate }, answer), '127.0.0.1', 0);
}

/** A raw TCP server, for invalid HTTP. */
export function rawServer(talk: (socket: Socket) => void, host = '127.0.0.1', port = 0): Promise<Listener> {
  const server = createServer((socket) => {
    talk(socket);
    socket.resume();
  });
  return listening(server, host, port);
}

/** Counts dials; connects to loopback whatever the address, and reports that address as the peer. */
export function pretendingConnect(): { connectTcp: ConnectTcp; dialled: string[] } {
  const dialled: string[] = [];
  return {
    dialled,
    connectTcp: (address, port) => {
      dialled.push(address);
      const socket = connect({ host: '127.0.0.1', port });
      Object.defineProperty(socket, 'remoteAddress', { value: address });
      return socket;
    },
  };
}

/** A guarded fetch that resolves no names, closed at the end of the test. */
export function openGuardedFetch(parts: Partial<GuardedFetchParts> = {}): GuardedFetch {
  const guarded = createGuardedFetch({ clock: systemClock, resolve: async () => null, ...parts });
  onTestFinished(() => guarded.close());
  return guarded;
}

/** A webhook to loopback, everything allowed. */
export function post(url: string, more: Partial<FetchRequest> = {}): FetchRequest {
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    policy: relaxed,
    caps: webhookCaps,
    redirectsMax: 0,
    ...more,
  };
}

/** Media from loopback, everything allowed. */
export function get(url: string, more: Partial<FetchRequest> = {}): FetchRequest {
  const { body: _none, ...request } = post(url, { method: 'GET', headers: {}, caps: mediaCaps, redirectsMax: 3 });
  return { ...request, ...more };
}

export const webhookCaps = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 15_000,
  bodyBytesMax: 65_536,
  keep: 4_096,
} as const;

export const mediaCaps = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 30_000,
  bodyBytesMax: 100_000,
  keep: 'whole',
} as const;

/** For hooks.example.com and 127.0.0.1, until 2120; made for these tests and used nowhere else. */
const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjOqvFwtf/4bGEjVo
do6Pa2Cp/jHD1XSJaYkeGCZkoN+hRANCAARH7td3Grz1Uf0YkBqxHexRNjBh44K2
7DOMDbpdazzEazv6iazQ3ylrKC8NO6lgUetTcsBeFBmU2FSdwKcm9sES
-----END PRIVATE KEY-----`;

export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBejCCASGgAwIBAgIBATAKBggqhkjOPQQDAjAaMRgwFgYDVQQDDA9oZWxpb2dy
YXBoIHRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBoxGDAW
BgNVBAMMD2hlbGlvZ3JhcGggdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BEfu13cavPVR/RiQGrEd7FE2MGHjgrbsM4wNul1rPMRrO/qJrNDfKWsoLw07qWBR
61NywF4UGZTYVJ3Apyb2wRKjVjBUMA8GA1UdEwEB/wQFMAMBAf8wIgYDVR0RBBsw
GYIRaG9va3MuZXhhbXBsZS5jb22HBH8AAAEwHQYDVR0OBBYEFE65Ybr1YsdNaU7k
S/8jb/eKdVcdMAoGCCqGSM49BAMCA0cAMEQCIB3lNcTRe+yyPAOOl/PmB3XrmC7D
o7UtC8/vz+koDU4SAiAV4lqULpq3G089/R5HwyoSWcft/cX9NTKg3WZS9v0vsg==
-----END CERTIFICATE-----`;
