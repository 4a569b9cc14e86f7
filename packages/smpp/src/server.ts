/**
 * The server: accepts connections, lets its user decide about binds, and keeps a session with each peer. Never answers
 * a submit_sm by itself, and never holds more connections than its limit.
 */
import { createServer as createPlain, type Server as NetServer, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { systemClock } from './clock.ts';
import type { AnsweredName, BindName, NoticeName } from './commands.ts';
import { Inbound, Link, SOCKET_BUFFER_MAX } from './link.ts';
import type { PduFields } from './pdu.ts';
import { ReadShare } from './read-share.ts';
import type { Remote, Server, ServerHandlers, ServerMachine, ServerOptions, ServerSession } from './server-types.ts';
import { Session } from './session.ts';
import type { BindPdu, Outcome, SessionEvent } from './session-types.ts';
import { status } from './status.ts';

const SESSIONS_MAX = 1_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const CLOSE_DRAIN_MS = 5_000;

/** Creates a server; `listen` starts it. */
export const createServer = (options: ServerOptions, handlers: ServerHandlers, machine: ServerMachine = {}): Server =>
  new SmppServer(options, handlers, machine);

class SmppServer implements Server {
  readonly sessions = new Set<ServerSession>();
  readonly #options: ServerOptions;
  readonly #handlers: ServerHandlers;
  readonly #clock;
  readonly #server: NetServer;
  readonly #links = new Set<Link>();
  #lastId = 0;

  constructor(options: ServerOptions, handlers: ServerHandlers, machine: ServerMachine) {
    this.#options = options;
    this.#handlers = handlers;
    this.#clock = machine.clock ?? systemClock;
    this.#server = this.#createListener();
    this.#server.maxConnections = options.maxSessions ?? SESSIONS_MAX;
  }

  listen(port: number, host = '127.0.0.1'): Promise<{ port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        this.#server.on('error', (error) => this.#handlers.onAcceptError?.(error));
        const address = this.#server.address();
        resolve({ port: typeof address === 'object' && address !== null ? address.port : port });
      });
    });
  }

  close(options: { drainMs?: number } = {}): Promise<void> {
    const drainMs = options.drainMs ?? CLOSE_DRAIN_MS;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const link of this.#links) link.unbind(drainMs);
    const cancel = this.#clock.setTimer(() => {
      for (const link of this.#links) link.close('destroyed');
    }, drainMs);
    return closed.finally(cancel);
  }

  #createListener(): NetServer {
    const accept = (socket: Socket) => this.#accept(socket);
    if (this.#options.tls === undefined) return createPlain(accept);
    const settings = { minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_TIMEOUT_MS, ...this.#options.tls } as const;
    return createTls(settings, accept);
  }

  #accept(socket: Socket): void {
    const remote = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    const session = new Session('mc', this.#clock.nowMs(), this.#options, this.#options.interface_version);
    const bufferMax = this.#options.maxSocketBuffer ?? SOCKET_BUFFER_MAX;
    let peer: ServerSession | undefined;
    let bind: BindPdu | undefined;
    const onEvent = (event: Exclude<SessionEvent, { type: 'settled' }>, link: Link): void => {
      if (event.type === 'request') {
        if (peer !== undefined) this.#handlers.onRequest(new Inbound(event, link), peer);
      } else if (event.type === 'bind_request') {
        bind = event.pdu;
        void this.#authenticate(event.pdu, remote, link);
      } else if (event.type === 'bound' && bind !== undefined) {
        peer = new BoundPeer(++this.#lastId, bind, remote, link);
        this.sessions.add(peer);
        this.#handlers.onBound?.(peer);
      } else if (event.type === 'protocol_error') {
        this.#handlers.onProtocolError?.(event.error, remote);
      } else if (event.type === 'closed') {
        this.#links.delete(link);
        if (peer === undefined) return;
        this.sessions.delete(peer);
        this.#handlers.onClose?.(peer, event.cause);
      }
    };
    const share = new ReadShare();
    const link = new Link(socket, session, this.#clock, { bufferMax, share }, onEvent);
    this.#links.add(link);
    link.pump();
  }

  async #authenticate(bind: BindPdu, remote: Remote, link: Link): Promise<void> {
    let command_status: number = status.ESME_RSYSERR;
    try {
      command_status = await this.#handlers.authenticate(bind, remote);
    } finally {
      // If authentication throws, the peer is refused at once; the error goes on to the process.
      link.session.answerBind(command_status, this.#options.system_id, this.#clock.nowMs());
      link.pump();
    }
  }
}

class BoundPeer implements ServerSession {
  readonly id: number;
  readonly system_id: string;
  readonly bind: BindName;
  readonly interface_version: number;
  readonly remote: Remote;
  readonly #link: Link;

  constructor(id: number, bind: BindPdu, remote: Remote, link: Link) {
    this.id = id;
    this.system_id = bind.system_id;
    this.bind = bind.command;
    this.interface_version = bind.interface_version;
    this.remote = remote;
    this.#link = link;
  }

  get takesTlvs(): boolean {
    return this.#link.session.takesTlvs;
  }

  get free(): number {
    return this.#link.free;
  }

  get outstanding(): number {
    return this.#link.session.outstanding;
  }

  get answersEnquireLink(): boolean {
    return this.#link.session.answersEnquireLink;
  }

  set answersEnquireLink(answers: boolean) {
    this.#link.session.answersEnquireLink = answers;
  }

  request<C extends AnsweredName>(command: C, fields: PduFields<C>, settle: (outcome: Outcome) => void) {
    return this.#link.request(command, fields, settle);
  }

  notify<C extends NoticeName>(command: C, fields: PduFields<C>) {
    return this.#link.notify(command, fields);
  }

  unbind(): void {
    this.#link.unbind();
  }

  destroy(): void {
    this.#link.close('destroyed');
  }

  sendBytes(bytes: Uint8Array): void {
    this.#link.sendBytes(bytes);
  }
}
