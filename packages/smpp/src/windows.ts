/**
 * The two windows of a session: our requests that wait for an answer, by sequence_number, and how many of the peer's wait
 * for ours. Knows nothing of states or time-outs; session.ts decides, this remembers.
 * Source: SMPP 3.4 issue 1.2 §2.9, §3.2 (sequence_number).
 */
import type { Command } from './commands.ts';
import { type Outcome, overflowOf, type Role, type SessionLimits } from './session-types.ts';

const SEQUENCE_NUMBER_MAX = 0x7fffffff;
/** So many come before a Map with next to nothing in it is replaced. */
const ADDED_MIN = 16;

/** A request without an answer. The session's own (bind, enquire_link, unbind) have no `settle`. */
export type OpenRequest = {
  sequence_number: number;
  command: Command;
  settle: ((outcome: Outcome) => void) | undefined;
  sentMs: number;
  /** where its first octet stands in all that the session has written */
  startOctet: number;
};

type CallersRequest = OpenRequest & { settle: (outcome: Outcome) => void };

/** Our requests: numbering, matching, and what became of each when all ends. */
export class RequestWindow {
  /** In order of sending, for a Map keeps the order of insertion. */
  #open = new Map<number, OpenRequest>();
  #added = 0;
  #next: number;
  #count = 0;

  constructor(firstSequenceNumber: number) {
    this.#next = firstSequenceNumber;
  }

  /** Requests of the caller, the session's own not counted. */
  get count(): number {
    return this.#count;
  }

  /** The number the next request will have: 1 follows 0x7FFFFFFF, and a number still open is passed over. */
  nextNumber(): number {
    while (this.#open.has(this.#next)) this.#next = following(this.#next);
    return this.#next;
  }

  add(request: OpenRequest): void {
    // Each time enough has come and gone V8 gives a Map a new table, and the old one points to it: once one of them is old, all
    // that follow it, and all they ever held, stay until the whole heap is looked through. Nothing old points to a new Map.
    if (++this.#added > ADDED_MIN + 2 * this.#open.size) {
      this.#open = new Map(this.#open);
      this.#added = 0;
    }
    this.#open.set(request.sequence_number, request);
    this.#next = following(request.sequence_number);
    if (request.settle !== undefined) this.#count++;
  }

  /** Spends a number on a request that takes no answer. */
  skip(sequence_number: number): void {
    this.#next = following(sequence_number);
  }

  get(sequence_number: number): OpenRequest | undefined {
    return this.#open.get(sequence_number);
  }

  remove(request: OpenRequest): void {
    if (this.#open.delete(request.sequence_number) && request.settle !== undefined) this.#count--;
  }

  /** The caller's request that has waited longest. */
  oldest(): OpenRequest | undefined {
    for (const request of this.#open.values()) if (request.settle !== undefined) return request;
    return undefined;
  }

  /** Empties the window and returns what the caller had in it, oldest first. */
  takeAll(): CallersRequest[] {
    const all = [...this.#open.values()].filter((request): request is CallersRequest => request.settle !== undefined);
    this.#open = new Map();
    this.#count = 0;
    return all;
  }
}

const following = (sequence_number: number): number =>
  sequence_number >= SEQUENCE_NUMBER_MAX ? 1 : sequence_number + 1;

/** The peer's requests that wait for our answer: how many there are, and whether one more is taken. Answers none. */
export class InboundWindow {
  count = 0;
  readonly #max: number;
  readonly #pauses: boolean;
  readonly #refusal: number;

  constructor(role: Role, { inboundWindow, inboundOverflow }: SessionLimits) {
    this.#max = inboundWindow;
    this.#pauses = inboundOverflow === 'pause';
    this.#refusal = inboundOverflow === 'pause' ? overflowOf(role) : inboundOverflow;
  }

  /** Read no more until this is false again. */
  get pausesReading(): boolean {
    return this.#pauses && this.count >= this.#max;
  }

  /** The command_status with which one more is refused; undefined when it is taken. */
  refusal(isEnding: boolean): number | undefined {
    return isEnding || (!this.#pauses && this.count >= this.#max) ? this.#refusal : undefined;
  }
}
