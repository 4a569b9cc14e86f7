/**
 * The writing half of a session: numbers and writes PDUs, leaves TLVs out for a peer that accepts none, and keeps track
 * of the requests that wait for an answer and of whether their octets have left. session.ts decides what is sent and
 * when the session ends.
 */
import { type Command, commandById, commandByName, RESPONSE_BIT } from './commands.ts';
import { type LooseFields, OutBuffer, writePdu } from './encode.ts';
import type { EncodeFailure, Tlv } from './pdu.ts';
import type { CloseCause, Outcome, SessionEvent } from './session-types.ts';
import { tlvByTag } from './tlvs.ts';
import { type OpenRequest, RequestWindow } from './windows.ts';

/** SMPP 3.4, the first version with TLVs (3.4 issue 1.2 §1.6.2, SMPP 5.0 §2.12). */
export const FIRST_VERSION_WITH_TLVS = 0x34;

const noFields: LooseFields = {};

export class Outlet {
  readonly window: RequestWindow;
  readonly #out = new OutBuffer();
  /** Whether TLVs are written; false until the peer is known to accept them. */
  takesTlvs = false;

  constructor(firstSequenceNumber: number) {
    this.window = new RequestWindow(firstSequenceNumber);
  }

  /** Octets waiting to be taken. */
  get waiting(): number {
    return this.#out.length;
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
    if (settle === undefined) this.window.skip(sequence_number);
    else this.window.add({ sequence_number, command, settle, sentMs: nowMs, startOctet });
    return sequence_number;
  }

  /** Writes a request of the session's own: bind, enquire_link, unbind. */
  own(command: Command, fields: LooseFields, nowMs: number): OpenRequest | EncodeFailure {
    const sequence_number = this.window.nextNumber();
    // The peer checks over-long names and passwords: some require them.
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

/** For a peer that accepts no TLVs: the fields without them, or a failure when that would change the message. */
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
