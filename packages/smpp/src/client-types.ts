/** The public types of the client (an ESME): options, handlers, and the client itself. */
import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Clock } from './clock.ts';
import type { PduFields } from './pdu.ts';
import type { ReadShare } from './read-share.ts';
import type { ReconnectPolicy } from './reconnect.ts';
import type {
  CloseCause,
  InboundRequest,
  Outcome,
  ProtocolError,
  SendRequest,
  Sent,
  SessionLimits,
} from './session-types.ts';

/** TLS to the peer: verified, 1.2 or newer, unless set otherwise here. */
export type ClientTls = {
  /** the name in the peer's certificate; default: `host` when that is a name */
  servername?: string;
  /** PEM; default: the machine's list */
  ca?: string | Buffer | readonly (string | Buffer)[];
  cert?: string | Buffer;
  key?: string | Buffer;
  /** default true */
  rejectUnauthorized?: boolean;
  /** default TLSv1.2 */
  minVersion?: 'TLSv1.2' | 'TLSv1.3';
};

export type ClientOptions = {
  host: string;
  port: number;
  /** true or settings = TLS; default plain TCP */
  tls?: boolean | ClientTls;
  bind: 'transceiver' | 'transmitter' | 'receiver';
  system_id: string;
  password: string;
  system_type?: string;
  /** default 0x34 */
  interface_version?: number;
  addr_ton?: number;
  addr_npi?: number;
  address_range?: string;
  /** TCP and TLS must be up within this; default 10,000 */
  connectTimeoutMs?: number;
  /** octets waiting in the socket above which nothing more is sent or read; default 1 MiB */
  maxSocketBuffer?: number;
  reconnect?: Partial<ReconnectPolicy>;
} & Partial<SessionLimits>;

/** Why an attempt to connect or bind failed. */
export type Failure =
  /** the connection never came up; also options that allow no connection or no bind, the latter with 'stop' */
  /** `certificate`: the peer's, when TLS did not trust it */
  | { kind: 'connect_failed'; detail: string; certificate?: X509Certificate }
  | { kind: 'bind_refused'; command_status: number }
  | { kind: 'closed'; cause: CloseCause; wasBound: boolean };

export type ClientHandlers = {
  /** The bind was accepted. `system_id` is the peer's; `takesTlvs` says whether TLVs will be written. */
  onBound?(peer: { system_id: string; interface_version: number | undefined; takesTlvs: boolean }): void;
  /** A bound session ended; every open request has been settled before this call. */
  onUnbound?(cause: CloseCause): void;
  /**
   * An attempt failed or a session ended; the next attempt comes in `retryInMs`, or, if that is 'stop', only after
   * `retry()`.
   */
  onFailure?(failure: Failure, retryInMs: number | 'stop'): void;
  /** deliver_sm, data_sm and the like. A request is answered only when this calls `respond`. */
  onRequest?(request: InboundRequest): void;
  onProtocolError?(error: ProtocolError): void;
  /**
   * The PDUs between two offsets of `bytes`, with passwords and texts: one received PDU, or all that are sent together.
   * Read only, and only during the call.
   */
  onWire?: (direction: 'in' | 'out', bytes: Buffer, start: number, end: number) => void;
};

/** Injected dependencies, for tests and simulations. */
export type ClientMachine = {
  clock?: Clock;
  /** uniform in [0, 1) */
  random?: () => number;
  /** how much this client handles in one turn, shared by all clients with the same object; default: its own */
  share?: ReadShare;
  /**
   * Asked right before octets with requests go to the socket. False ends the session with the cause 'withheld', and
   * these requests are not sent; default: always true
   */
  maySend?: () => boolean;
  /** opens the connection; the returned socket emits 'connect' or 'secureConnect', 'data', 'error', 'close' */
  connect?: (options: ClientOptions) => Socket;
};

export type ClientState = 'stopped' | 'connecting' | 'binding' | 'bound' | 'waiting' | 'blocked' | 'stopping';

export type Client = {
  readonly state: ClientState;
  /** Requests that can be sent now: free window slots while bound, else 0. */
  readonly free: number;
  /** Requests without an answer. */
  readonly outstanding: number;
  /** When anything last came from the peer, on the client's clock; undefined while there is no session. */
  readonly heardAtMs: number | undefined;
  /** When an enquire_link of either side was last answered; undefined when none was in this session. */
  readonly linkAtMs: number | undefined;
  /** The peer's certificate on the current connection; undefined without TLS. */
  readonly peerCertificate: X509Certificate | undefined;
  /** Connects, binds, and keeps doing so until `stop`. */
  start(): void;
  /** Retries at once when waiting, or when stopped after refused passwords. */
  retry(): void;
  /** Sends one submit_sm on the live session; octets leave at the end of the current tick. */
  submit(fields: PduFields<'submit_sm'>, settle: (outcome: Outcome) => void): Sent;
  /** Sends any request. */
  request: SendRequest;
  /**
   * Stops sending, waits up to `drainMs` (default: the session's) for open answers, unbinds, closes. Resolves when the
   * socket is closed; an unresponsive peer can delay that by the session's unbindTimeoutMs and a second.
   */
  stop(options?: { drainMs?: number }): Promise<void>;
};
