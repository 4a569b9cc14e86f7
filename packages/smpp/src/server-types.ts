/** The public types of the server (an MC): options, handlers, and its sessions. */
import type { TlsOptions } from 'node:tls';
import type { Clock } from './clock.ts';
import type { BindName, NoticeName } from './commands.ts';
import type { EncodeFailure, PduFields } from './pdu.ts';
import type {
  BindPdu,
  CloseCause,
  InboundRequest,
  ProtocolError,
  SendRequest,
  SessionLimits,
} from './session-types.ts';

export type ServerOptions = {
  /** our name in bind responses */
  system_id: string;
  /** key, cert and the like = TLS 1.2 or newer; default plain TCP */
  tls?: TlsOptions;
  /** connections at one time, bound or not; any further one is closed at once; default 1,000 */
  maxSessions?: number;
  /** octets waiting in a socket above which its peer is no longer read from; default 1 MiB */
  maxSocketBuffer?: number;
  /** our sc_interface_version in bind responses; default 0x34 */
  interface_version?: number;
} & Partial<SessionLimits>;

/** Where a connection comes from. */
export type Remote = { address: string; port: number };

/** One bound peer. */
export type ServerSession = {
  /** counts up from 1 over the server's life */
  readonly id: number;
  readonly system_id: string;
  readonly bind: BindName;
  readonly interface_version: number;
  readonly remote: Remote;
  /** false: the peer accepts no TLVs; the session omits them or refuses */
  readonly takesTlvs: boolean;
  /** requests that can be sent now */
  readonly free: number;
  readonly outstanding: number;
  /** deliver_sm and the like. */
  request: SendRequest;
  /** Sends a request that takes no answer: alert_notification. */
  notify<C extends NoticeName>(command: C, fields: PduFields<C>): 'sent' | 'not_bound' | EncodeFailure;
  /** Stops sending, drains, unbinds, closes. */
  unbind(): void;
  /** Closes the socket at once. */
  destroy(): void;
  /** Writes octets directly, bypassing the session. For simulators and tests of broken peers only. */
  sendBytes(bytes: Uint8Array): void;
  /** false = enquire_link is read and not answered. For simulators; default true. */
  answersEnquireLink: boolean;
};

export type ServerHandlers = {
  /**
   * The command_status for a bind; 0 accepts it. The peer waits for the promise; the session runs no timer meanwhile.
   */
  authenticate(bind: BindPdu, remote: Remote): number | Promise<number>;
  onBound?(session: ServerSession): void;
  /** submit_sm and the like. A request is answered only when this calls `respond`. */
  onRequest(request: InboundRequest, session: ServerSession): void;
  /** A bound session ended; every open request has been settled before this call. */
  onClose?(session: ServerSession, cause: CloseCause): void;
  onProtocolError?(error: ProtocolError, remote: Remote): void;
  /** A connection could not be accepted, for example for lack of file descriptors. The server goes on. */
  onAcceptError?(error: Error): void;
};

export type ServerMachine = { clock?: Clock };

export type Server = {
  /**
   * Resolves with the port in use; 0 means any free one. `host` defaults to 127.0.0.1. Rejects when the address cannot
   * be listened on.
   */
  listen(port: number, host?: string): Promise<{ port: number }>;
  /** Bound sessions. */
  readonly sessions: ReadonlySet<ServerSession>;
  /** Stops listening, unbinds every session, waits up to `drainMs` (default 5,000), closes the rest. */
  close(options?: { drainMs?: number }): Promise<void>;
};
