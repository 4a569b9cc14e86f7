/**
 * Opens one connection to one checked address. Verifies the peer's address before a byte is written, TLS included.
 * Takes an address and never a name, so nothing here can resolve differently, and uses no proxy.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { isLoopback, sameAddress } from './address-rules.ts';

export interface DialTarget {
  /** Checked already. */
  readonly address: string;
  readonly port: number;
  /** The host of the URL, which the certificate must name; null = no TLS. */
  readonly tlsHost: { readonly host: string; readonly literal: boolean } | null;
  /** Certificates (PEM) trusted instead of the machine's; undefined = the machine's. */
  readonly ca: string | undefined;
}

export type Dialled =
  | { readonly ok: true; readonly socket: Socket }
  /** `peer`: the other end was not the checked address, or was this machine itself. */
  | { readonly ok: false; readonly why: 'connect' | 'tls' | 'timeout' | 'peer' };

/** Opens a TCP connection, the only way out of this package; an argument so that tests can count and redirect it. */
export type ConnectTcp = (address: string, port: number) => Socket;

export const machineConnectTcp: ConnectTcp = (address, port) =>
  connectTcp({ host: address, port, autoSelectFamily: false, noDelay: true });

/** Ends when connected, refused, or when `signal` aborts (`timeout`); a socket that is not returned is destroyed. */
export async function dial(target: DialTarget, connect: ConnectTcp, signal: AbortSignal): Promise<Dialled> {
  const socket = connect(target.address, target.port);
  const reached = await outcome(socket, 'connect', signal);
  if (reached !== 'ok') return failed(socket, reached === 'late' ? 'timeout' : 'connect');
  const { remoteAddress, localAddress } = socket;
  // The connection is closed again already.
  if (remoteAddress === undefined || localAddress === undefined) return failed(socket, 'connect');
  if (!isExpectedPeer(target.address, remoteAddress, localAddress)) return failed(socket, 'peer');
  if (target.tlsHost === null) return { ok: true, socket };
  const secure = startTls(socket, target.tlsHost, target.ca);
  const agreed = await outcome(secure, 'secureConnect', signal);
  if (agreed !== 'ok') return failed(secure, agreed === 'late' ? 'timeout' : 'tls');
  return { ok: true, socket: secure };
}

function startTls(socket: Socket, { host, literal }: { host: string; literal: boolean }, ca?: string): TLSSocket {
  return connectTls({
    socket,
    host,
    // RFC 6066 §3: an address is never sent as server name.
    servername: literal ? '' : host,
    ca,
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true, // explicit, so that NODE_TLS_REJECT_UNAUTHORIZED changes nothing
  });
}

/** A connection with the same address at both ends goes to this machine; loopback was allowed before. */
function isExpectedPeer(address: string, remoteAddress: string, localAddress: string): boolean {
  if (!sameAddress(remoteAddress, address)) return false;
  return !sameAddress(remoteAddress, localAddress) || isLoopback(remoteAddress);
}

function outcome(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal) {
  return new Promise<'ok' | 'failed' | 'late'>((resolve) => {
    const end = (result: 'ok' | 'failed' | 'late') => {
      signal.removeEventListener('abort', late);
      resolve(result);
    };
    const late = () => end('late');
    // The listeners stay: an error without a listener would end the process.
    socket.on('error', () => end('failed'));
    socket.once('close', () => end('failed'));
    socket.once(event, () => end('ok'));
    if (signal.aborted) late();
    else signal.addEventListener('abort', late, { once: true });
  });
}

function failed(socket: Socket, why: 'connect' | 'tls' | 'timeout' | 'peer'): Dialled {
  socket.destroy();
  return { ok: false, why };
}
