/**
 * The kinds of mandatory field of a PDU body, and the TypeScript type of each. decode.ts and encode.ts read and write
 * the octets. Source: SMPP 3.4 issue 1.2 §3.1, SMPP 5.0 §3.1.
 */
import { status } from './status.ts';

/** One destination of a submit_multi: an SME address (dest_flag 1) or a distribution list (dest_flag 2). */
export type DestAddress =
  | { dest_flag: 1; dest_addr_ton: number; dest_addr_npi: number; destination_addr: string }
  | { dest_flag: 2; dl_name: string };

/** One destination that a submit_multi did not reach, and why. */
export type UnsuccessSme = {
  dest_addr_ton: number;
  dest_addr_npi: number;
  destination_addr: string;
  error_status_code: number;
};

/** The type that each kind of field is read as. */
type ReadAs = {
  u1: number;
  cstring: string;
  /** sm_length and the octets it counts, as one field */
  counted: Buffer;
  dest_addresses: DestAddress[];
  unsuccess_smes: UnsuccessSme[];
};

export type FieldKind = keyof ReadAs;

/**
 * One row of a body's layout. `max` counts octets, a C-Octet String's NUL included, as the standard does.
 * `onError` is the command_status that answers a request in which this field is wrong.
 */
export type Field = { name: string; kind: FieldKind; max: number; onError: number };

type Row<N extends string, K extends FieldKind> = { name: N; kind: K; max: number; onError: number };

/** An unsigned integer of one octet. */
export const u1 = <const N extends string>(name: N): Row<N, 'u1'> => ({
  name,
  kind: 'u1',
  max: 1,
  onError: status.ESME_RINVCMDLEN,
});

/** A C-Octet String of at most `max` octets, its NUL included. */
export const cstring = <const N extends string>(
  name: N,
  max: number,
  onError: number = status.ESME_RINVCMDLEN,
): Row<N, 'cstring'> => ({ name, kind: 'cstring', max, onError });

/** Octets counted by the one octet in front of them. */
export const counted = <const N extends string>(name: N): Row<N, 'counted'> => ({
  name,
  kind: 'counted',
  max: 255,
  onError: status.ESME_RINVMSGLEN,
});

/** number_of_dests and the addresses it counts. */
export const destAddresses = <const N extends string>(name: N): Row<N, 'dest_addresses'> => ({
  name,
  kind: 'dest_addresses',
  max: 255,
  onError: status.ESME_RINVNUMDESTS,
});

/** no_unsuccess and the entries it counts. */
export const unsuccessSmes = <const N extends string>(name: N): Row<N, 'unsuccess_smes'> => ({
  name,
  kind: 'unsuccess_smes',
  max: 255,
  onError: status.ESME_RINVNUMDESTS,
});

/** The longest C-Octet String ever written or laxly read, its NUL included. */
export const CSTRING_OCTETS_MAX = 255;

const octetsOfKind: Readonly<Record<FieldKind, number>> = {
  u1: 1,
  cstring: CSTRING_OCTETS_MAX,
  counted: 1 + 255,
  dest_addresses: 1 + 255 * (3 + CSTRING_OCTETS_MAX),
  unsuccess_smes: 1 + 255 * (2 + CSTRING_OCTETS_MAX + 4),
};

/** The most octets that a body of these fields can take. */
export const octetsAtMost = (fields: readonly Field[]): number =>
  fields.reduce((octets, field) => octets + octetsOfKind[field.kind], 0);

/** The fields of a layout as an object type. */
export type FieldsOf<L extends readonly Field[]> = { [R in L[number] as R['name']]: ReadAs[R['kind']] };
