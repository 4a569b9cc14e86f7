/**
 * The client: keeps one bound session to one peer over TCP or TLS, and reconnects when it is lost. Never repeats a
 * request and never answers for its user; reports the outcome of each request exactly once.
 */
import type { X509Certificate } from 'node:crypto';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { Client, ClientHandlers, ClientMachine, ClientOptions, ClientState, Failure } from './client-types.ts';
import { systemClock } from './clock.ts';
import type { AnsweredName, BindName } from './commands.ts';
import { encodePdu } from './encode.ts';
import { Inbound, Link, SOCKET_BUFFER_MAX } from './link.ts';
import type { EncodeFailure, PduFields } from './pdu.ts';
import { ReadShare } from './read-share.ts';
import { defaultReconnectPolicy, type FailureCount, nextDelay, noFailures, type ReconnectCause } from './reconnect.ts';
import { Session } from './session.ts';
import type { CloseCause, Outcome, Sent, SessionEvent } from './session-types.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Creates a client; `start` connects it. */
export const createClient = (options: ClientOptions, handlers: ClientHandlers, machine: ClientMachine = {}): Client =>
  new SmppClient(options, handlers, machine);

/** Node adds this advice to some TLS errors; it is for the person who starts the program. */
const advice = /; if the root CA is installed locally.*$/s;

class SmppClient implements Client {
  readonly #options: ClientOptions;
  readonly #handlers: ClientHandlers;
  readonly #clock;
  readonly #random;
  readonly #connect;
  readonly #policy;
  readonly #share: ReadShare;
  readonly #maySend;
  #state: ClientState = 'stopped';
  #socket: Socket | undefined;
  #link: Link | undefined;
  #failures: Readonly<FailureCount> = noFailures;
  #boundAtMs: number | undefined;
  #refusedWith: number | undefined;
  #cancelTimer: () => void = () => {};
  #onStopped: (() => void)[] = [];

  constructor(options: ClientOptions, handlers: ClientHandlers, machine: ClientMachine) {
    this.#options = options;
    this.#handlers = handlers;
    this.#clock = machine.clock ?? systemClock;
    this.#random = machine.random ?? Math.random;
    this.#connect = machine.connect ?? openSocket;
    this.#share = machine.share ?? new ReadShare();
    this.#maySend = machine.maySend;
    this.#policy = { ...defaultReconnectPolicy, ...options.reconnect };
  }

  get state(): ClientState {
    return this.#state;
  }

  get free(): number {
    return this.#link?.free ?? 0;
  }

  get outstanding(): number {
    return this.#link?.session.outstanding ?? 0;
  }

  get heardAtMs(): number | undefined {
    return this.#link?.session.life.heardAtMs;
  }

  get linkAtMs(): number | undefined {
    return this.#link?.session.life.linkAtMs;
  }

  get peerCertificate(): X509Certificate | undefined {
    return this.#socket instanceof TLSSocket ? this.#socket.getPeerX509Certificate() : undefined;
  }

  start(): void {
    if (this.#state !== 'stopped') return;
    this.#failures = noFailures;
    this.#open();
  }

  retry(): void {
    if (this.#state !== 'waiting' && this.#state !== 'blocked') return;
    this.#cancelTimer();
    this.#failures = noFailures;
    this.#open();
  }

  submit(fields: PduFields<'submit_sm'>, settle: (outcome: Outcome) => void): Sent {
    return this.request('submit_sm', fields, settle);
  }

  request<C extends AnsweredName>(command: C, fields: PduFields<C>, settle: (outcome: Outcome) => void): Sent {
    return this.#link === undefined ? 'not_bound' : this.#link.request(command, fields, settle);
  }

  stop(options: { drainMs?: number } = {}): Promise<void> {
    this.#cancelTimer();
    if (this.#socket === undefined) {
      this.#state = 'stopped';
      return Promise.resolve();
    }
    this.#state = 'stopping';
    if (this.#link === undefined) this.#socket.destroy();
    else this.#link.unbind(options.drainMs);
    return new Promise((resolve) => this.#onStopped.push(resolve));
  }

  #open(): void {
    this.#state = 'connecting';
    this.#refusedWith = undefined;
    this.#boundAtMs = undefined;
    const unwritable = this.#unwritableBind();
    if (unwritable !== undefined) {
      this.#state = 'blocked';
      const detail = `the bind cannot be written: ${unwritable.field} ${unwritable.reason}`;
      this.#handlers.onFailure?.({ kind: 'connect_failed', detail }, 'stop');
      return;
    }
    const socket = this.#tryConnect();
    if (socket === undefined) return;
    this.#socket = socket;
    let error = 'closed before it was up';
    let shown: X509Certificate | undefined;
    // A socket refused by TLS no longer has the peer's certificate, so it is read first.
    socket.prependOnceListener('secure', () => {
      shown = this.peerCertificate;
    });
    const timeoutMs = this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    const cancelTimeout = this.#clock.setTimer(() => {
      error = 'not up in time';
      socket.destroy();
    }, timeoutMs);
    socket.on('error', (cause: Error) => {
      error = cause.message;
    });
    socket.once(this.#options.tls ? 'secureConnect' : 'connect', () => {
      cancelTimeout();
      if (this.#state === 'connecting') this.#begin(socket);
    });
    socket.once('close', () => {
      cancelTimeout();
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      if (this.#state === 'connecting')
        this.#failed(
          { kind: 'connect_failed', detail: error.replace(advice, ''), ...(shown && { certificate: shown }) },
          'connection',
        );
      if (this.#state === 'stopping') this.#stopped();
    });
  }

  #unwritableBind(): EncodeFailure | undefined {
    const bind = { command: `bind_${this.#options.bind}`, sequence_number: 1, ...this.#bindFields() } as const;
    const written = encodePdu(bind, { overlong: true });
    return 'kind' in written ? written : undefined;
  }

  #bindFields(): PduFields<BindName> {
    const { system_id, password, system_type, addr_ton, addr_npi, address_range, interface_version } = this.#options;
    return { system_id, password, system_type, addr_ton, addr_npi, address_range, interface_version };
  }

  /** A connecting socket, or undefined when the options are invalid, such as a wrong port or a broken certificate. */
  #tryConnect(): Socket | undefined {
    try {
      return this.#connect(this.#options);
    } catch (cause) {
      this.#failed({ kind: 'connect_failed', detail: String(cause) }, 'connection');
      return undefined;
    }
  }

  #begin(socket: Socket): void {
    this.#state = 'binding';
    const session = new Session('esme', this.#clock.nowMs(), this.#options, this.#options.interface_version);
    const { onWire } = this.#handlers;
    if (onWire !== undefined) session.tap = onWire;
    const bufferMax = this.#options.maxSocketBuffer ?? SOCKET_BUFFER_MAX;
    const options = { bufferMax, share: this.#share, maySend: this.#maySend };
    this.#link = new Link(socket, session, this.#clock, options, (event, link) => this.#onEvent(event, link));
    session.bind(`bind_${this.#options.bind}`, this.#bindFields(), this.#clock.nowMs());
    this.#link.pump();
  }

  #onEvent(event: Exclude<SessionEvent, { type: 'settled' }>, link: Link): void {
    if (event.type === 'request') {
      this.#handlers.onRequest?.(new Inbound(event, link));
    } else if (event.type === 'bound') {
      this.#state = this.#state === 'binding' ? 'bound' : this.#state;
      this.#boundAtMs = this.#clock.nowMs();
      this.#failures = { ...noFailures, connects: this.#failures.connects };
      const { system_id, interface_version, takesTlvs } = event;
      this.#handlers.onBound?.({ system_id, interface_version, takesTlvs });
    } else if (event.type === 'bind_refused') {
      this.#refusedWith = event.command_status;
    } else if (event.type === 'protocol_error') {
      this.#handlers.onProtocolError?.(event.error);
    } else if (event.type === 'closed') {
      this.#onClosed(event.cause);
    }
  }

  #onClosed(cause: CloseCause): void {
    const hasCarried = this.#link?.session.life.hasCarried === true;
    this.#link = undefined;
    const boundAtMs = this.#boundAtMs;
    const wasBound = boundAtMs !== undefined;
    if (wasBound) {
      const isStable = this.#clock.nowMs() - boundAtMs >= this.#policy.stableAfterMs;
      if (isStable || hasCarried) this.#failures = noFailures;
      this.#handlers.onUnbound?.(cause);
    }
    if (this.#state === 'stopping') return;
    if (this.#refusedWith !== undefined) {
      this.#failed({ kind: 'bind_refused', command_status: this.#refusedWith }, { bind: this.#refusedWith });
    } else {
      // A peer that closes the connection on a bind has refused it.
      this.#failed({ kind: 'closed', cause, wasBound }, wasBound ? 'connection' : { bind: 'unanswered' });
    }
  }

  #failed(failure: Failure, cause: ReconnectCause): void {
    const { failures, delayMs } = nextDelay(this.#failures, cause, this.#random, this.#policy);
    this.#failures = failures;
    if (delayMs === 'stop') {
      this.#state = 'blocked';
    } else {
      this.#state = 'waiting';
      this.#cancelTimer = this.#clock.setTimer(() => this.#open(), delayMs);
    }
    this.#handlers.onFailure?.(failure, delayMs);
  }

  #stopped(): void {
    this.#state = 'stopped';
    this.#cancelTimer();
    for (const resolve of this.#onStopped.splice(0)) resolve();
  }
}

const openSocket = (options: ClientOptions): Socket => {
  const { host, port } = options;
  if (options.tls === undefined || options.tls === false) return connectPlain({ host, port });
  const tls = options.tls === true ? {} : options.tls;
  return connectTls({
    host,
    port,
    servername: tls.servername ?? (isIP(host) === 0 ? host : undefined),
    rejectUnauthorized: tls.rejectUnauthorized ?? true,
    minVersion: tls.minVersion ?? 'TLSv1.2',
    ca: tls.ca as string[] | undefined,
    cert: tls.cert,
    key: tls.key,
  });
};
