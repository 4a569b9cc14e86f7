/**
 * PDU objects to octets: one writer serves every command, by the command's row in the table. Never throws: a value that
 * cannot be written is a returned EncodeFailure and leaves no octet behind. Source: SMPP 3.4 issue 1.2 §3 and §4.
 */
import { type Command, commandByName, isResponseId } from './commands.ts';
import { CSTRING_OCTETS_MAX, type DestAddress, type Field, type UnsuccessSme } from './field.ts';
import { type EncodeFailure, HEADER_OCTETS, PDU_LENGTH_MAX, type PduInput, type Tlv } from './pdu.ts';

/** Fields by name as the writer sees them: the caller's values, each checked. */
export type LooseFields = { readonly [name: string]: unknown };

export type EncodeOptions = {
  /** write C-Octet Strings beyond the standard's length, up to 254 characters: some peers require long passwords */
  overlong?: boolean;
};

const noTlvs: readonly Tlv[] = [];
const noOctets = new Uint8Array(0);

/** Slabs grow with use: an idle session keeps little memory, and a busy one allocates seldom. */
const SLAB_OCTETS_MIN = 2_048;
const SLAB_OCTETS_MAX = 65_536;

/**
 * Outgoing octets: PDUs are written one after the other into a slab and taken together, one write per flush. Taken
 * octets are never written to again, so a socket may keep them.
 */
export class OutBuffer {
  /** The slab being written; valid until the next `reserve`. */
  bytes: Buffer = Buffer.allocUnsafeSlow(0);
  /** Where the next octet goes in `bytes`. */
  position = 0;
  #start = 0;
  #full: Buffer[] = [];
  #fullOctets = 0;
  #taken = 0;

  /** Octets written and not yet taken. */
  get length(): number {
    return this.#fullOctets + this.position - this.#start;
  }

  /** Octets taken since the beginning. */
  get taken(): number {
    return this.#taken;
  }

  /** Makes room for `octets` more at `position`. */
  reserve(octets: number): void {
    if (this.bytes.length - this.position >= octets) return;
    if (this.position > this.#start) {
      this.#full.push(this.bytes.subarray(this.#start, this.position));
      this.#fullOctets += this.position - this.#start;
    }
    this.bytes = Buffer.allocUnsafeSlow(
      Math.max(octets, SLAB_OCTETS_MIN, Math.min(SLAB_OCTETS_MAX, this.bytes.length * 2)),
    );
    this.position = 0;
    this.#start = 0;
  }

  /** Appends octets as they are. */
  append(octets: Uint8Array): void {
    this.reserve(octets.length);
    this.bytes.set(octets, this.position);
    this.position += octets.length;
  }

  /** Drops octets that were written but not taken. */
  discard(): void {
    this.#start = this.position;
    this.#full = [];
    this.#fullOctets = 0;
  }

  /** All octets not yet taken, in order; they are the caller's from here on. */
  take(): Buffer {
    const last = this.bytes.subarray(this.#start, this.position);
    this.#taken += this.length;
    this.#start = this.position;
    if (this.#full.length === 0) return last;
    const all = Buffer.concat([...this.#full, last]);
    this.#full = [];
    this.#fullOctets = 0;
    return all;
  }
}

/** One PDU as octets of its own. */
export const encodePdu = (pdu: PduInput, options: EncodeOptions = {}): Buffer | EncodeFailure => {
  const command = commandByName(pdu.command);
  if (command === undefined) return failure('command', 'is no command of SMPP');
  const { sequence_number, command_status = 0 } = pdu;
  return writePdu(single, command, sequence_number, command_status, pdu, options.overlong) ?? single.take();
};

/** Shared by all single PDUs: octets taken from it never change. */
const single = new OutBuffer();

/** Appends one PDU to `out`. On failure `out` is unchanged. */
export const writePdu = (
  out: OutBuffer,
  command: Command,
  sequence_number: number,
  command_status: number,
  fields: LooseFields,
  overlong = false,
): EncodeFailure | undefined => {
  const tlvs = (fields.tlvs ?? noTlvs) as readonly Tlv[];
  let octetsMax = HEADER_OCTETS + command.octetsMax;
  for (let i = 0; i < tlvs.length; i++) octetsMax += 4 + tlvs[i]!.value.length;
  out.reserve(octetsMax);
  const start = out.position;
  out.position = start + HEADER_OCTETS;
  // An error answer is its header alone (3.4 §4.4.2 and kin), unless TLVs follow, which need the fields before them.
  if (command_status === 0 || command.bodyOnError || tlvs.length > 0 || !isResponseId(command.command_id)) {
    const wrong = writeFields(out, command.fields, fields, overlong) ?? writeTlvs(out, tlvs);
    if (wrong !== undefined) {
      out.position = start;
      return wrong;
    }
  }
  const length = out.position - start;
  if (length > PDU_LENGTH_MAX) {
    out.position = start;
    return failure('command_length', `${length} octets are more than ${PDU_LENGTH_MAX}`);
  }
  putU4(out.bytes, start, length);
  putU4(out.bytes, start + 4, command.command_id);
  putU4(out.bytes, start + 8, command_status);
  putU4(out.bytes, start + 12, sequence_number);
  return undefined;
};

const failure = (field: string, reason: string): EncodeFailure => ({ kind: 'not_encodable', field, reason });

const putU4 = (bytes: Buffer, at: number, value: number): void => {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
};

const writeFields = (
  out: OutBuffer,
  layout: readonly Field[],
  fields: LooseFields,
  overlong: boolean,
): EncodeFailure | undefined => {
  for (let i = 0; i < layout.length; i++) {
    const field = layout[i]!;
    const value = fields[field.name];
    let wrong: string | undefined;
    if (field.kind === 'u1') wrong = writeU1(out, value ?? 0);
    else if (field.kind === 'cstring')
      wrong = writeCstring(out, value ?? '', overlong ? CSTRING_OCTETS_MAX : field.max);
    else if (field.kind === 'counted') wrong = writeCounted(out, value ?? noOctets);
    else if (field.kind === 'dest_addresses') wrong = writeList(out, value ?? [], writeDestAddress);
    else wrong = writeList(out, value ?? [], writeUnsuccessSme);
    if (wrong !== undefined) return failure(field.name, wrong);
  }
  return undefined;
};

const writeU1 = (out: OutBuffer, value: unknown): string | undefined => {
  if (typeof value !== 'number' || (value & 0xff) !== value) return 'takes an integer from 0 to 255';
  out.bytes[out.position++] = value;
  return undefined;
};

const writeCstring = (out: OutBuffer, value: unknown, max: number): string | undefined => {
  if (typeof value !== 'string') return 'takes a string';
  const length = value.length;
  if (length >= max) return `takes at most ${max - 1} characters`;
  const { bytes } = out;
  let at = out.position;
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i);
    // Latin-1 rather than ASCII: every string that can be read must be writable.
    if (code === 0 || code > 0xff) return 'takes no NUL and no character beyond U+00FF';
    bytes[at++] = code;
  }
  bytes[at++] = 0;
  out.position = at;
  return undefined;
};

const writeCounted = (out: OutBuffer, value: unknown): string | undefined => {
  if (!(value instanceof Uint8Array)) return 'takes octets';
  if (value.length > 255) return 'takes at most 255 octets';
  out.bytes[out.position++] = value.length;
  out.bytes.set(value, out.position);
  out.position += value.length;
  return undefined;
};

const writeList = <T>(
  out: OutBuffer,
  value: unknown,
  writeEntry: (out: OutBuffer, entry: T) => string | undefined,
): string | undefined => {
  if (!Array.isArray(value) || value.length > 255) return 'takes a list of at most 255 entries';
  out.bytes[out.position++] = value.length;
  for (const entry of value) {
    const wrong = writeEntry(out, entry);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};

const writeDestAddress = (out: OutBuffer, entry: DestAddress): string | undefined => {
  if (entry.dest_flag === 2) return writeU1(out, 2) ?? writeCstring(out, entry.dl_name, 21);
  return writeU1(out, 1) ?? writeAddress(out, entry);
};

const writeUnsuccessSme = (out: OutBuffer, entry: UnsuccessSme): string | undefined => {
  const wrong = writeAddress(out, entry);
  if (wrong !== undefined) return wrong;
  putU4(out.bytes, out.position, entry.error_status_code);
  out.position += 4;
  return undefined;
};

type Address = { dest_addr_ton: number; dest_addr_npi: number; destination_addr: string };

const writeAddress = (out: OutBuffer, address: Address): string | undefined =>
  writeU1(out, address.dest_addr_ton) ??
  writeU1(out, address.dest_addr_npi) ??
  writeCstring(out, address.destination_addr, 21);

const writeTlvs = (out: OutBuffer, tlvs: readonly Tlv[]): EncodeFailure | undefined => {
  for (let i = 0; i < tlvs.length; i++) {
    const { tag, value } = tlvs[i]!;
    if ((tag & 0xffff) !== tag) return failure('tlvs', 'a tag is an integer from 0 to 65535');
    if (value.length > 0xffff) return failure('tlvs', 'a value has at most 65535 octets');
    const { bytes } = out;
    let at = out.position;
    bytes[at++] = tag >>> 8;
    bytes[at++] = tag;
    bytes[at++] = value.length >>> 8;
    bytes[at++] = value.length;
    bytes.set(value, at);
    out.position = at + value.length;
  }
  return undefined;
};
