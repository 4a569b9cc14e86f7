/**
 * One session on one socket: feeds reads and time in, writes the output, and passes events on in order. Shared by
 * client and server; session.ts has the rules of the protocol. Never has more than one write under way, so octets not
 * yet given to the socket are known to be unsent.
 */
import type { Socket } from 'node:net';
import type { Clock } from './clock.ts';
import type { AnsweredName, NoticeName } from './commands.ts';
import type { LooseFields } from './encode.ts';
import type { EncodeFailure, PduFields, RequestPdu } from './pdu.ts';
import type { ReadShare } from './read-share.ts';
import type { Session } from './session.ts';
import type { CloseCause, InboundEvent, InboundRequest, Outcome, Sent, SessionEvent } from './session-types.ts';

/** Octets waiting in the socket above which nothing more is sent or read, by default. */
export const SOCKET_BUFFER_MAX = 1_048_576;

/** How long a closing socket may take to send its last octets. */
const LINGER_MS = 1_000;

type LinkOptions = {
  bufferMax: number;
  share: ReadShare;
  /** See `ClientMachine`; default: always true. */
  maySend?: (() => boolean) | undefined;
};

export class Link {
  readonly session: Session;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #bufferMax: number;
  readonly #share: ReadShare;
  readonly #maySend: () => boolean;
  /** A read that waits for its turn. */
  #chunk: Buffer | undefined;
  readonly #onEvent: (event: Exclude<SessionEvent, { type: 'settled' }>, link: Link) => void;
  #events: SessionEvent[] = [];
  #delivered = 0;
  #armedAt = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};
  #isPumping = false;
  #isScheduled = false;
  #hadError = false;

  /** `socket` is connected. The outcome of a request goes to its `settle`; all other events go to `onEvent`. */
  constructor(
    socket: Socket,
    session: Session,
    clock: Clock,
    { bufferMax, share, maySend = () => true }: LinkOptions,
    onEvent: (event: Exclude<SessionEvent, { type: 'settled' }>, link: Link) => void,
  ) {
    this.session = session;
    this.#share = share;
    this.#maySend = maySend;
    this.#socket = socket;
    this.#clock = clock;
    this.#bufferMax = bufferMax;
    this.#onEvent = onEvent;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => {
      this.#hadError = true;
    });
    socket.on('end', () => this.#gone('peer_closed'));
    socket.on('close', () => this.#gone(this.#hadError ? 'socket_error' : 'peer_closed'));
  }

  #read(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#share.use(this.#work);
    if (this.#hasMore) this.#socket.pause();
  }

  /** Handles as many PDUs as this turn allows, and requests another turn when there are more. */
  readonly #work = (pdusMax: number): number => {
    const { session } = this;
    const chunk = this.#chunk;
    if (session.pauseReading || this.#isCongested) return 0;
    this.#chunk = undefined;
    const nowMs = this.#clock.nowMs();
    const count = chunk === undefined ? session.goOn(nowMs, pdusMax) : session.bytes(chunk, nowMs, pdusMax);
    this.pump();
    return count;
  };

  /** PDUs that arrived before the end are handled first. */
  #gone(cause: CloseCause): void {
    this.#share.leave(this.#work);
    const chunk = this.#chunk;
    this.#chunk = undefined;
    if (chunk !== undefined) this.session.bytes(chunk, this.#clock.nowMs());
    else if (this.session.hasMore) this.session.goOn(this.#clock.nowMs());
    this.close(cause);
  }

  get #hasMore(): boolean {
    return this.#chunk !== undefined || this.session.hasMore;
  }

  /** Requests that can be sent now. */
  get free(): number {
    return this.#isCongested ? 0 : this.session.free;
  }

  request<C extends AnsweredName>(command: C, fields: PduFields<C>, settle: (outcome: Outcome) => void): Sent {
    if (this.#isCongested) return 'window_full';
    const sent = this.session.request(command, fields, settle, this.#clock.nowMs());
    this.#schedule();
    return sent;
  }

  notify<C extends NoticeName>(command: C, fields: PduFields<C>): 'sent' | 'not_bound' | EncodeFailure {
    const sent = this.session.notify(command, fields, this.#clock.nowMs());
    this.#schedule();
    return sent;
  }

  respond(event: InboundEvent, command_status: number, fields: LooseFields | undefined): boolean {
    const isWritten = this.session.respond(event, command_status, fields, this.#clock.nowMs());
    this.#schedule();
    return isWritten;
  }

  unbind(drainMs?: number): void {
    this.session.unbind(this.#clock.nowMs(), drainMs);
    this.#schedule();
  }

  /** Ends the session at once. */
  close(cause: CloseCause): void {
    this.session.close(cause);
    this.pump();
  }

  /** Writes octets without the session's knowledge. */
  sendBytes(bytes: Uint8Array): void {
    this.#flush();
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** Delivers all events, writes all octets, sets the timer. */
  pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#delivered < this.#events.length || this.#takeEvents())
        this.#deliver(this.#events[this.#delivered++]!);
    } finally {
      // A handler that throws must not stop the session: the remaining events follow in the next tick.
      this.#isPumping = false;
      if (this.#delivered < this.#events.length) this.#schedule();
      this.#flush();
      this.#arm();
    }
  }

  #takeEvents(): boolean {
    this.#events = this.session.takeEvents();
    this.#delivered = 0;
    return this.#events.length > 0;
  }

  get #isCongested(): boolean {
    return this.session.bytesWaiting > this.#bufferMax;
  }

  /** The output of one tick is written together at its end. */
  #schedule(): void {
    if (this.#isScheduled || this.#isPumping) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      this.pump();
    });
  }

  #deliver(event: SessionEvent): void {
    if (event.type === 'settled') {
      event.settle(event.outcome);
      return;
    }
    if (event.type === 'closed') this.#end(event.cause);
    this.#onEvent(event, this);
  }

  #flush(): void {
    if (this.session.state === 'CLOSED') return;
    const socket = this.#socket;
    // One write at a time, and none after a failed one: the octets left here are certainly unsent.
    if (this.session.bytesWaiting > 0 && socket.writableLength === 0 && socket.writable) {
      // The process may have stood still since the request was made.
      if (this.session.requestWaits && !this.#maySend()) {
        this.close('withheld');
        return;
      }
      socket.write(this.session.takeBytes(), () => {
        if (this.session.bytesWaiting > 0 || socket.isPaused()) this.pump();
      });
    }
    // PDUs that were already read go first, in a later turn; our answers to them may end the pause.
    const isFull = this.session.pauseReading || this.#isCongested;
    if (this.#hasMore && !isFull) this.#share.wait(this.#work);
    const shallPause = this.#hasMore || isFull;
    if (shallPause !== socket.isPaused()) socket[shallPause ? 'pause' : 'resume']();
  }

  #arm(): void {
    const dueMs = this.session.nextTimerAt;
    if (dueMs >= this.#armedAt) return;
    this.#disarm();
    this.#armedAt = dueMs;
    const fire = () => {
      this.#armedAt = Number.POSITIVE_INFINITY;
      this.session.tick(this.#clock.nowMs());
      this.pump();
    };
    this.#disarm = this.#clock.setTimer(fire, Math.max(1, Math.ceil(dueMs - this.#clock.nowMs())));
  }

  #end(cause: CloseCause): void {
    this.#disarm();
    this.#armedAt = Number.NEGATIVE_INFINITY;
    const socket = this.#socket;
    if (cause === 'destroyed' || cause === 'withheld' || cause === 'socket_error' || !socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(this.session.takeBytes());
    socket.resume();
    const cancel = this.#clock.setTimer(() => socket.destroy(), LINGER_MS);
    socket.once('close', cancel);
  }
}

/** A peer's request, as handlers get it. */
export class Inbound implements InboundRequest {
  readonly pdu: RequestPdu;
  readonly #event: InboundEvent;
  readonly #link: Link;

  constructor(event: InboundEvent, link: Link) {
    this.pdu = event.pdu;
    this.#event = event;
    this.#link = link;
  }

  respond(command_status: number, fields?: LooseFields): boolean {
    return this.#link.respond(this.#event, command_status, fields);
  }
}
