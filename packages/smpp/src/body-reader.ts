/**
 * A cursor over one PDU's body: reads the kinds of mandatory field and the TLVs, each read checked against the end.
 * Never throws, never reads beyond the frame, and copies what it returns. decode.ts names the fields.
 */
import { CSTRING_OCTETS_MAX, type DestAddress, type Field, type UnsuccessSme } from './field.ts';
import type { Tlv } from './pdu.ts';
import { status } from './status.ts';
import { tlvByTag } from './tlvs.ts';

/** Why a body is invalid: the command_status to answer, and a reason for the log. */
export type Wrong = { answer: number; reason: string };

export const noOctets: Buffer = Buffer.alloc(0);
export const noTlvs: readonly Tlv[] = Object.freeze([]);

const endsEarly = (name: string): Wrong => ({ answer: status.ESME_RINVCMDLEN, reason: `the PDU ends inside ${name}` });

export class BodyReader {
  #bytes: Buffer = noOctets;
  #at = 0;
  #end = 0;
  #isResponse = false;
  #strict = false;

  /** Sets the cursor on a body. One reader serves many bodies, one after the other. */
  begin(bytes: Buffer, start: number, end: number, isResponse: boolean, strict: boolean): void {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#isResponse = isResponse;
    this.#strict = strict;
  }

  readFields(pdu: { [name: string]: unknown }, layout: readonly Field[]): Wrong | undefined {
    for (let i = 0; i < layout.length; i++) {
      const field = layout[i]!;
      const { name, kind } = field;
      let value: unknown;
      if (kind === 'u1') value = this.#at < this.#end ? this.#bytes[this.#at++] : endsEarly(name);
      else if (kind === 'cstring') value = this.#cstring(name, field.max, field.onError);
      else if (kind === 'counted') value = this.#counted(field);
      else if (kind === 'dest_addresses') value = this.#destAddresses(name);
      else value = this.#list(name, () => this.#unsuccessSme());
      if (isWrong(value)) return value;
      pdu[name] = value;
    }
    return undefined;
  }

  /** Reads TLVs up to the end: `wrong` only when the rest is not a row of TLVs. */
  readTlvs(): readonly Tlv[] | Wrong {
    const bytes = this.#bytes;
    const end = this.#end;
    if (this.#at >= end) return noTlvs;
    const tlvs: Tlv[] = [];
    while (end - this.#at >= 4) {
      const tag = bytes.readUInt16BE(this.#at);
      const length = bytes.readUInt16BE(this.#at + 2);
      const start = this.#at + 4;
      if (length > end - start) {
        // The mandatory fields of an answer decide; broken TLVs after them do not make a message uncertain.
        if (this.#isResponse) return tlvs;
        return { answer: status.ESME_RINVOPTPARSTREAM, reason: `TLV ${tag.toString(16)} passes the end of the PDU` };
      }
      if (this.#strict && !fitsTable(tag, length)) {
        return { answer: status.ESME_RINVPARLEN, reason: `TLV ${tag.toString(16)} of ${length} octets` };
      }
      tlvs.push({ tag, value: copyOf(bytes, start, start + length) });
      this.#at = start + length;
    }
    // Some peers append up to three stray octets; they are harmless while all are zero.
    while (this.#at < end) {
      if (bytes[this.#at++] !== 0 && !this.#isResponse) {
        return { answer: status.ESME_RINVOPTPARSTREAM, reason: 'stray octets behind the last TLV' };
      }
    }
    return tlvs.length === 0 ? noTlvs : tlvs;
  }

  #cstring(name: string, max: number, onError: number): string | Wrong {
    const bytes = this.#bytes;
    const start = this.#at;
    const end = this.#end;
    // An answer is never refused: it says whether a message was taken, however long its id.
    const longest = this.#isResponse ? end - start : this.#strict ? max : CSTRING_OCTETS_MAX;
    const limit = Math.min(end, start + longest);
    let at = start;
    while (at < limit && bytes[at] !== 0) at++;
    if (at === limit) {
      if (limit < end) return { answer: onError, reason: `${name} is longer than ${longest} octets` };
      // Some peers omit the NUL of a message_id that ends the answer; the id is readable all the same.
      if (!this.#isResponse || at === start) return endsEarly(name);
    }
    this.#at = at + 1;
    return at === start ? '' : bytes.toString('latin1', start, at);
  }

  #counted(field: Field): Buffer | Wrong {
    if (this.#at >= this.#end) return endsEarly(field.name);
    const length = this.#bytes[this.#at]!;
    const start = this.#at + 1;
    if (length > this.#end - start) {
      return { answer: field.onError, reason: `the length of ${field.name} passes the end of the PDU` };
    }
    this.#at = start + length;
    return copyOf(this.#bytes, start, start + length);
  }

  #list<T>(name: string, readEntry: () => T | Wrong): T[] | Wrong {
    if (this.#at >= this.#end) return endsEarly(name);
    const entries: T[] = [];
    for (let left = this.#bytes[this.#at++]!; left > 0; left--) {
      const entry = readEntry();
      if (isWrong(entry)) return entry;
      entries.push(entry);
    }
    return entries;
  }

  /** At least one (3.4 §4.5.1, number_of_dests): a message without recipients is refused. */
  #destAddresses(name: string): DestAddress[] | Wrong {
    const all = this.#list(name, () => this.#destAddress());
    if (isWrong(all) || all.length > 0) return all;
    return { answer: status.ESME_RINVNUMDESTS, reason: 'number_of_dests is 0' };
  }

  #destAddress(): DestAddress | Wrong {
    if (this.#at >= this.#end) return endsEarly('dest_address');
    const dest_flag = this.#bytes[this.#at++];
    if (dest_flag === 1) {
      const address = this.#address();
      return isWrong(address) ? address : { dest_flag, ...address };
    }
    if (dest_flag !== 2) return { answer: status.ESME_RINVDESTFLAG, reason: `dest_flag ${dest_flag}` };
    const dl_name = this.#cstring('dl_name', 21, status.ESME_RINVDLNAME);
    return isWrong(dl_name) ? dl_name : { dest_flag, dl_name };
  }

  #unsuccessSme(): UnsuccessSme | Wrong {
    const address = this.#address();
    if (isWrong(address)) return address;
    if (this.#end - this.#at < 4) return endsEarly('error_status_code');
    const error_status_code = this.#bytes.readUInt32BE(this.#at);
    this.#at += 4;
    return { ...address, error_status_code };
  }

  #address(): { dest_addr_ton: number; dest_addr_npi: number; destination_addr: string } | Wrong {
    if (this.#end - this.#at < 2) return endsEarly('destination_addr');
    const dest_addr_ton = this.#bytes[this.#at]!;
    const dest_addr_npi = this.#bytes[this.#at + 1]!;
    this.#at += 2;
    const destination_addr = this.#cstring('destination_addr', 21, status.ESME_RINVDSTADR);
    return isWrong(destination_addr) ? destination_addr : { dest_addr_ton, dest_addr_npi, destination_addr };
  }
}

export const isWrong = (value: unknown): value is Wrong =>
  typeof value === 'object' && value !== null && (value as Wrong).answer !== undefined;

const fitsTable = (tag: number, length: number): boolean => {
  const row = tlvByTag(tag);
  return row === undefined || (length >= row.min && length <= row.max);
};

/** A copy from the pool, so that a small field does not keep the whole read in memory. */
const copyOf = (bytes: Buffer, start: number, end: number): Buffer => {
  if (start === end) return noOctets;
  const copy = Buffer.allocUnsafe(end - start);
  bytes.copy(copy, 0, start, end);
  return copy;
};
