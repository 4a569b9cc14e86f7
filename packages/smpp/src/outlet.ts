/**
 * The writing half of a session: numbers and writes PDUs, leaves TLVs out for a peer that accepts none, and keeps the two
 * windows: our requests that wait for an answer, with whether their octets have left, and how many of the peer's wait for
 * ours. session.ts decides about states and time-outs, what is sent and when the session ends. Source of the numbering: SMPP
 * 3.4 issue 1.2 §2.9, §3.2 (sequence_number).
 */
import { type Command, commandById, commandByName, RESPONSE_BIT } from './commands.ts';
import { type LooseFields, OutBuffer, writePdu } from './encode.ts';
import type { EncodeFailure, Tlv } from './pdu.ts';
import {
  type CloseCause,
  type Outcome,
  overflowOf,
  type Role,
  type SessionEvent,
  type SessionLimits,
} from './session-types.ts';
import { tlvByTag } from './tlvs.ts';

/** SMPP 3.4, the first version with TLVs (3.4 issue 1.2 §1.6.2, SMPP 5.0 §2.12). */
export const FIRST_VERSION_WITH_TLVS = 0x34;

const noFields: LooseFields = {};

export class Outlet {
  readonly window: RequestWindow;
  readonly #out = new OutBuffer();
  /** Where the newest request begins. */
  #requestOctet = -1;
  /** Whether TLVs are written; false until the peer is known to accept them. */
  takesTlvs = false;

  constructor(firstSequenceNumber: number) {
    this.window = new RequestWindow(firstSequenceNumber);
  }

  /** Octets waiting to be taken. */
  get waiting(): number {
    return this.#out.length;
  }

  /** Whether a request is among the octets that wait; those of the session itself do not count. */
  get requestWaits(): boolean {
    return this.#requestOctet >= this.#out.taken;
  }

  /** The octets to write. Taken octets count as sent. */
  take(): Buffer {
    return this.#out.take();
  }

  /** Writes a request and returns its sequence_number. Without `settle` no answer is expected. */
  request(command: Command, fields: LooseFields, settle: OpenRequest['settle'], nowMs: number): number | EncodeFailure {
    const given = this.takesTlvs ? fields : withoutTlvs(fields);
    if (given.kind === 'not_encodable') return given as EncodeFailure;
    const startOctet = this.#out.taken + this.#out.length;
    const sequence_number = this.window.nextNumber();
    const wrong = writePdu(this.#out, command, sequence_number, 0, given as LooseFields);
    if (wrong !== undefined) return wrong;
    this.#requestOctet = startOctet;
    if (settle === undefined) this.window.skip(sequence_number);
    else this.window.add({ sequence_number, command, settle, sentMs: nowMs, startOctet });
    return sequence_number;
  }

  /** Writes a request of the session's own: bind, enquire_link, unbind. */
  own(command: Command, fields: LooseFields, nowMs: number): OpenRequest | EncodeFailure {
    const sequence_number = this.window.nextNumber();
    // The peer validates over-long names and passwords: some peers require them.
    const wrong = writePdu(this.#out, command, sequence_number, 0, fields, true);
    if (wrong !== undefined) return wrong;
    const request = { sequence_number, command, settle: undefined, sentMs: nowMs, startOctet: 0 };
    this.window.add(request);
    return request;
  }

  /** Writes the response to a request. False when the command has none, or the fields cannot be written. */
  answer(
    to: { command_id: number; sequence_number: number },
    command_status: number,
    fields: LooseFields = noFields,
  ): boolean {
    const response = commandById((to.command_id | RESPONSE_BIT) >>> 0);
    if (response === undefined) return false;
    return writePdu(this.#out, response, to.sequence_number, command_status, fields) === undefined;
  }

  nack(command_status: number, sequence_number: number): void {
    writePdu(this.#out, commandByName('generic_nack'), sequence_number, command_status, noFields);
  }

  /** Settles every open request of the caller, oldest first: uncertain if sent, else provably not sent. */
  settleAll(cause: CloseCause): SessionEvent[] {
    const firstUnsent = this.#out.taken;
    let anyUnsent = false;
    const events: SessionEvent[] = [];
    for (const { settle, startOctet } of this.window.takeAll()) {
      const isUnsent = startOctet >= firstUnsent;
      anyUnsent ||= isUnsent;
      const outcome: Outcome = isUnsent ? { kind: 'not_sent', detail: cause } : { kind: 'uncertain', detail: cause };
      events.push({ type: 'settled', settle, outcome });
    }
    // A request that was reported as not sent must never be sent.
    if (anyUnsent) this.#out.discard();
    return events;
  }
}

/** For a peer that accepts no TLVs: the fields without them, or a failure if that would change the message. */
const withoutTlvs = (fields: LooseFields): LooseFields | EncodeFailure => {
  const tlvs = fields.tlvs as readonly Tlv[] | undefined;
  if (tlvs === undefined || tlvs.length === 0) return fields;
  for (const { tag } of tlvs) {
    const row = tlvByTag(tag);
    if (row?.essential) {
      return {
        kind: 'not_encodable',
        field: row.name,
        reason: 'the peer takes no TLVs, and this one cannot be left out',
      };
    }
  }
  return { ...fields, tlvs: [] };
};

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
