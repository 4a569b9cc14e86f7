/**
 * The shape of a PDU for the rest of the library and its users: a plain object with the standard's names. Types and
 * sizes only; decode.ts and encode.ts read and write the octets.
 */
import type { CommandName, commands, RequestName, ResponseName } from './commands.ts';
import type { FieldsOf } from './field.ts';

/** Octets of the header: command_length, command_id, command_status, sequence_number. */
export const HEADER_OCTETS = 16;

/** The largest PDU that is written, and by default the largest that is read. */
export const PDU_LENGTH_MAX = 65_536;

/** One optional parameter as on the wire. `readTlv` and `tlv` in tlvs.ts interpret its value. */
export type Tlv = { tag: number; value: Buffer };

/** The header's fields without command_length, which is computed when writing and consumed when reading. */
export type Header = { command_id: number; command_status: number; sequence_number: number };

type BodyOf<C extends CommandName> = FieldsOf<(typeof commands)[C]['fields']>;

/** A decoded PDU of one command, or of several when C is a union. `tlvs` keeps the wire's order and duplicates. */
export type PduOf<C extends CommandName> = C extends CommandName
  ? { command: C } & Header & BodyOf<C> & { tlvs: readonly Tlv[] }
  : never;

/** Any decoded PDU; `command` is its type. */
export type Pdu = PduOf<CommandName>;
export type RequestPdu = PduOf<RequestName>;
export type ResponsePdu = PduOf<ResponseName>;

type Writable<T> = T extends Buffer ? Uint8Array : T;

/** The fields of one command for writing: missing fields are 0, "" or empty. Extra properties are ignored. */
export type PduFields<C extends CommandName> = C extends CommandName
  ? { [K in keyof BodyOf<C>]?: Writable<BodyOf<C>[K]> } & { tlvs?: readonly { tag: number; value: Uint8Array }[] }
  : never;

/** A PDU to write. command_status defaults to 0. A decoded PDU is also one. */
export type PduInput<C extends CommandName = CommandName> = C extends CommandName
  ? { command: C; sequence_number: number; command_status?: number } & PduFields<C>
  : never;

/** A frame whose command_id no version of the standard defines; the body is unread. */
export type UnknownPdu = { command: 'unknown' } & Header & { body: Buffer };

/**
 * A frame with a valid header and an invalid body. `answer` is the command_status for the command's own response;
 * `reason` is for the log.
 */
export type MalformedPdu = { command: 'malformed' } & Header & { answer: number; reason: string };

/** What one frame decodes to. Decoding never throws. */
export type Decoded = Pdu | UnknownPdu | MalformedPdu;

/** Why a PDU could not be written. Nothing was sent. */
export type EncodeFailure = { kind: 'not_encodable'; field: string; reason: string };
