/** What `@heliograph/smpp` uses of a socket, over the modelled network to the modelled carrier. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Process } from './process.ts';
import { type Network, Wire } from './wire.ts';

/** The other end of a socket. */
export interface Peer {
  /** Null = it takes no connection. */
  opened(connection: PeerConnection): PeerHandlers | null;
}

export interface PeerHandlers {
  data(bytes: Buffer): void;
  closed(): void;
}

export interface PeerConnection {
  write(bytes: Buffer): void;
  /** At once, also what is under way. */
  cut(): void;
}

export class ModelSocket extends EventEmitter {
  writableLength = 0;
  writable = true;
  readonly #process: Process;
  readonly #network: Network;
  readonly #wire: Wire;
  readonly #wrote: (bytes: Buffer) => void;
  #handlers: PeerHandlers | null = null;
  #isPaused = false;
  #unread: (() => void)[] = [];
  #isClosed = false;

  /** `wrote` sees what the process gives to the wire, when it does. */
  constructor(process: Process, network: Network, peer: Peer, wrote: (bytes: Buffer) => void) {
    super();
    this.#process = process;
    this.#network = network;
    this.#wrote = wrote;
    this.#wire = new Wire(network);
    process.onEnd(() => this.reset());
    this.#wire.send('there', () => {
      const handlers = peer.opened({
        write: (bytes) => this.#fromPeer(() => this.emit('data', bytes)),
        cut: () => this.reset(),
      });
      this.#handlers = handlers;
      this.#fromPeer(() => (handlers === null ? this.#fail('connect ECONNREFUSED') : this.emit('connect')));
    });
  }

  #fromPeer(arrive: () => void): void {
    this.#wire.send('back', () => this.#process.deliver(() => this.#read(arrive)));
  }

  #read(arrive: () => void): void {
    if (this.#isClosed) return;
    if (this.#isPaused) this.#unread.push(arrive);
    else arrive();
  }

  write(bytes: Uint8Array, done?: () => void): boolean {
    if (!this.writable || this.#process.isDead) return false;
    const sent = Buffer.from(bytes);
    this.#wrote(sent);
    this.#wire.send('there', () => this.#handlers?.data(sent));
    if (done !== undefined) process.nextTick(done);
    return true;
  }

  end(bytes?: Uint8Array): this {
    if (bytes !== undefined && bytes.length > 0) this.write(bytes);
    if (!this.writable) return this;
    this.writable = false;
    this.#wire.send('there', () => {
      this.#handlers?.closed();
      this.#handlers = null;
      this.#fromPeer(() => this.#close());
    });
    return this;
  }

  destroy(): this {
    this.writable = false;
    if (this.#isClosed) return this;
    const handlers = this.#handlers;
    this.#handlers = null;
    this.#wire.cut();
    this.#network.scheduler.at(1, () => handlers?.closed());
    this.#close();
    return this;
  }

  /** The network cuts it: what was under way is gone, and both ends notice. */
  reset(): void {
    if (!this.#wire.isOpen) return;
    const handlers = this.#handlers;
    const { scheduler, chance } = this.#network;
    this.#handlers = null;
    this.#wire.cut();
    scheduler.at(chance.between(0, 50), () => handlers?.closed());
    scheduler.at(chance.between(0, 50), () => this.#process.deliver(() => this.#fail('read ECONNRESET')));
  }

  #fail(message: string): void {
    if (this.#isClosed) return;
    this.emit('error', new Error(message));
    this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.writable = false;
    this.#process.timers.after(0, () => this.emit('close'));
  }

  pause(): this {
    this.#isPaused = true;
    return this;
  }

  resume(): this {
    this.#isPaused = false;
    const unread = this.#unread.splice(0);
    for (const arrive of unread) this.#process.timers.after(0, () => this.#read(arrive));
    return this;
  }

  isPaused(): boolean {
    return this.#isPaused;
  }

  setNoDelay(): this {
    return this;
  }

  asSocket(): Socket {
    return this as unknown as Socket;
  }
}
