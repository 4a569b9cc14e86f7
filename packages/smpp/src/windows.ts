/**
 * The two windows of a session: our unanswered requests, by sequence_number, and the number of the peer's. session.ts
 * decides about states and time-outs. Source: SMPP 3.4 issue 1.2 §2.9, §3.2 (sequence_number).
 */
import type { Command } from './commands.ts';
import { type Outcome, overflowOf, type Role, type SessionLimits } from './session-types.ts';

const SEQUENCE_NUMBER_MAX = 0x7fffffff;
/** Additions before a nearly empty Map is replaced. */
const ADDED_MIN = 16;

/** An unanswered request. The session's own (bind, enquire_link, unbind) have no `settle`. */
export type OpenRequest = {
  sequence_number: number;
  command: Command;
  settle: ((outcome: Outcome) => void) | undefined;
  sentMs: number;
  /** offset of its first octet in everything the session has written */
  startOctet: number;
};

type CallersRequest = OpenRequest & { settle: (outcome: Outcome) => void };

/** Our requests: numbering, matching, and the outcome of each when the session ends. */
export class RequestWindow {
  /** In order of sending: a Map keeps the order of insertion. */
  #open = new Map<number, OpenRequest>();
  #added = 0;
  #next: number;
  #count = 0;

  constructor(firstSequenceNumber: number) {
    this.#next = firstSequenceNumber;
  }

  /** Requests of the caller, without the session's own. */
  get count(): number {
    return this.#count;
  }

  /** The number of the next request: 1 follows 0x7FFFFFFF, and a number still open is skipped. */
  nextNumber(): number {
    while (this.#open.has(this.#next)) this.#next = following(this.#next);
    return this.#next;
  }

  add(request: OpenRequest): void {
    // After enough additions and deletions V8 gives a Map a new table, and the old one points to it: once one table is
    // in the old generation, all later ones, and everything they ever held, stay until a full collection. Nothing old
    // points to a new Map.
    if (++this.#added > ADDED_MIN + 2 * this.#open.size) {
      this.#open = new Map(this.#open);
      this.#added = 0;
    }
    this.#open.set(request.sequence_number, request);
    this.#next = following(request.sequence_number);
    if (request.settle !== undefined) this.#count++;
  }

  /** Uses a number for a request that takes no answer. */
  skip(sequence_number: number): void {
    this.#next = following(sequence_number);
  }

  get(sequence_number: number): OpenRequest | undefined {
    return this.#open.get(sequence_number);
  }

  remove(request: OpenRequest): void {
    if (this.#open.delete(request.sequence_number) && request.settle !== undefined) this.#count--;
  }

  /** The caller's oldest open request. */
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

/** The peer's requests that wait for our answer: how many there are, and whether one more is accepted. */
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

  /** Stop reading until this is false again. */
  get pausesReading(): boolean {
    return this.#pauses && this.count >= this.#max;
  }

  /** The command_status that refuses one more; undefined when it is accepted. */
  refusal(isEnding: boolean): number | undefined {
    return isEnding || (!this.#pauses && this.count >= this.#max) ? this.#refusal : undefined;
  }
}
