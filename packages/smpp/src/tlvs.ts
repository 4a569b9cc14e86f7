/**
 * Optional parameters (TLVs): the table of tags, names, types and lengths, and reading and writing their values.
 * Elsewhere in this library a TLV is a raw tag and octets. Never refuses an unknown tag. Source: SMPP 3.4 issue 1.2
 * §5.3, SMPP 5.0 §4.8.
 */
import type { Tlv } from './pdu.ts';

/** integer: unsigned, big-endian. cstring: ASCII, NUL terminated. octets: anything. */
type TlvType = 'integer' | 'cstring' | 'octets';

type Row = { tag: number; type: TlvType; min: number; max: number; repeatable: boolean; essential: boolean };

const row = <const T extends TlvType>(
  tag: number,
  type: T,
  min: number,
  max: number,
  more?: { repeatable?: true; essential?: true },
): Row & { type: T } => ({
  tag,
  type,
  min,
  max,
  repeatable: more?.repeatable ?? false,
  essential: more?.essential ?? false,
});

const integer = (tag: number, octets: number, more?: { repeatable?: true; essential?: true }) =>
  row(tag, 'integer', octets, octets, more);
const octets = (tag: number, min: number, max: number, more?: { repeatable?: true; essential?: true }) =>
  row(tag, 'octets', min, max, more);

/** Lengths of the value in octets. `essential`: a message without this TLV would mean something else. */
export const tlvs = {
  dest_addr_subunit: integer(0x0005, 1),
  dest_network_type: integer(0x0006, 1),
  dest_bearer_type: integer(0x0007, 1),
  dest_telematics_id: integer(0x0008, 2),
  source_addr_subunit: integer(0x000d, 1),
  source_network_type: integer(0x000e, 1),
  source_bearer_type: integer(0x000f, 1),
  // One octet, although its twin dest_telematics_id has two (3.4 §5.3.2.8).
  source_telematics_id: integer(0x0010, 1),
  qos_time_to_live: integer(0x0017, 4),
  payload_type: integer(0x0019, 1),
  additional_status_info_text: row(0x001d, 'cstring', 1, 256),
  receipted_message_id: row(0x001e, 'cstring', 1, 65),
  ms_msg_wait_facilities: integer(0x0030, 1),
  privacy_indicator: integer(0x0201, 1),
  source_subaddress: octets(0x0202, 2, 23),
  dest_subaddress: octets(0x0203, 2, 23),
  user_message_reference: integer(0x0204, 2),
  user_response_code: integer(0x0205, 1),
  source_port: integer(0x020a, 2, { essential: true }),
  destination_port: integer(0x020b, 2, { essential: true }),
  sar_msg_ref_num: integer(0x020c, 2, { essential: true }),
  language_indicator: integer(0x020d, 1),
  sar_total_segments: integer(0x020e, 1, { essential: true }),
  sar_segment_seqnum: integer(0x020f, 1, { essential: true }),
  sc_interface_version: integer(0x0210, 1),
  callback_num_pres_ind: integer(0x0302, 1, { repeatable: true }),
  callback_num_atag: octets(0x0303, 0, 65, { repeatable: true }),
  number_of_messages: integer(0x0304, 1),
  callback_num: octets(0x0381, 4, 19, { repeatable: true }),
  dpf_result: integer(0x0420, 1),
  set_dpf: integer(0x0421, 1),
  ms_availability_status: integer(0x0422, 1),
  network_error_code: octets(0x0423, 3, 3),
  message_payload: octets(0x0424, 0, 65_535, { essential: true }),
  delivery_failure_reason: integer(0x0425, 1),
  more_messages_to_send: integer(0x0426, 1),
  message_state: integer(0x0427, 1),
  congestion_state: integer(0x0428, 1),
  ussd_service_op: integer(0x0501, 1, { essential: true }),
  broadcast_channel_indicator: integer(0x0600, 1),
  broadcast_content_type: octets(0x0601, 3, 3, { essential: true }),
  broadcast_content_type_info: octets(0x0602, 0, 255),
  broadcast_message_class: integer(0x0603, 1),
  broadcast_rep_num: integer(0x0604, 2, { essential: true }),
  broadcast_frequency_interval: octets(0x0605, 3, 3, { essential: true }),
  broadcast_area_identifier: octets(0x0606, 0, 100, { repeatable: true, essential: true }),
  broadcast_error_status: integer(0x0607, 4, { repeatable: true }),
  broadcast_area_success: integer(0x0608, 1),
  broadcast_end_time: octets(0x0609, 16, 16),
  broadcast_service_group: octets(0x060a, 0, 255),
  billing_identification: octets(0x060b, 0, 1024),
  source_network_id: row(0x060d, 'cstring', 7, 65),
  dest_network_id: row(0x060e, 'cstring', 7, 65),
  source_node_id: octets(0x060f, 6, 6),
  dest_node_id: octets(0x0610, 6, 6),
  dest_addr_np_resolution: integer(0x0611, 1),
  dest_addr_np_information: octets(0x0612, 10, 10),
  dest_addr_np_country: octets(0x0613, 1, 5),
  display_time: integer(0x1201, 1),
  sms_signal: integer(0x1203, 2),
  // One octet in 3.4; 5.0 also knows a form of four: a behaviour, a unit and a count.
  ms_validity: octets(0x1204, 1, 4),
  alert_on_message_delivery: octets(0x130c, 0, 1),
  its_reply_type: integer(0x1380, 1),
  its_session_info: octets(0x1383, 2, 2),
} as const;

/** The standard's name of a TLV. */
export type TlvName = keyof typeof tlvs;

/** The type of a TLV's value. */
export type TlvValue<N extends TlvName> = {
  integer: number;
  cstring: string;
  octets: Buffer;
}[(typeof tlvs)[N]['type']];

const byTag: ReadonlyMap<number, Row & { name: TlvName }> = new Map(
  Object.entries(tlvs).map(([name, r]) => [r.tag, { name: name as TlvName, ...r }]),
);

/** The table's row of a tag, or undefined for a vendor's or an unknown one. */
export const tlvByTag = (tag: number): (Row & { name: TlvName }) | undefined => byTag.get(tag);

/**
 * The value of the first TLV of this name, or undefined when there is none. Lax, as peers require: an integer may have
 * one to four octets, a cstring may lack its NUL.
 */
export const readTlv = <const N extends TlvName>(pdu: { tlvs: readonly Tlv[] }, name: N): TlvValue<N> | undefined => {
  const { tag, type } = tlvs[name];
  for (const each of pdu.tlvs) if (each.tag === tag) return valueAs(each.value, type) as TlvValue<N> | undefined;
  return undefined;
};

/** The values of all TLVs of this name, in the wire's order; values of another type are left out. */
export const readTlvs = <const N extends TlvName>(pdu: { tlvs: readonly Tlv[] }, name: N): TlvValue<N>[] => {
  const { tag, type } = tlvs[name];
  const values = pdu.tlvs.filter((each) => each.tag === tag).map((each) => valueAs(each.value, type));
  return values.filter((value) => value !== undefined) as TlvValue<N>[];
};

const valueAs = (value: Buffer, type: TlvType): number | string | Buffer | undefined => {
  if (type === 'octets') return value;
  if (type === 'integer') return value.length >= 1 && value.length <= 4 ? value.readUIntBE(0, value.length) : undefined;
  const nul = value.indexOf(0);
  return value.toString('latin1', 0, nul < 0 ? value.length : nul);
};

/**
 * A TLV for a PDU's `tlvs`. Throws RangeError for a value that does not fit the table; vendors' TLVs are written as
 * plain `{ tag, value }`.
 */
export const tlv = <const N extends TlvName>(name: N, value: TlvValue<N> | Uint8Array): Tlv => {
  const { tag, min, max } = tlvs[name];
  const bytes = octetsOf(name, value, min);
  if (bytes.length < min || bytes.length > max) throw new RangeError(`${name} takes ${min} to ${max} octets`);
  return { tag, value: bytes };
};

const octetsOf = (name: TlvName, value: number | string | Uint8Array, length: number): Buffer => {
  if (typeof value === 'string') return Buffer.from(`${value}\0`, 'latin1');
  if (typeof value !== 'number') return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (!Number.isInteger(value) || value < 0 || value >= 256 ** length)
    throw new RangeError(`${name} takes ${length} octets`);
  const bytes = Buffer.allocUnsafe(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
};
