/**
 * The few SMPP 3.4 PDUs the test SMSC needs, read and written byte by byte. It must never import @heliograph/smpp: it
 * is the oracle for the product's own codec.
 */

/** command_id values, SMPP 3.4 §5.1.2.1. */
export const commandIds = {
  bind_receiver: 0x1,
  bind_transmitter: 0x2,
  submit_sm: 0x4,
  deliver_sm: 0x5,
  deliver_sm_resp: 0x80000005,
  unbind: 0x6,
  unbind_resp: 0x80000006,
  bind_transceiver: 0x9,
  enquire_link: 0x15,
  enquire_link_resp: 0x80000015,
  generic_nack: 0x80000000,
} as const;

/** The bit that makes a request's command_id a response's. */
export const responseBit = 0x80000000;

/** command_status values, SMPP 3.4 §5.1.3. */
export const commandStatuses = {
  ESME_ROK: 0x0,
  ESME_RINVCMDLEN: 0x2,
  ESME_RINVCMDID: 0x3,
  ESME_RINVBNDSTS: 0x4,
  ESME_RSYSERR: 0x8,
  ESME_RBINDFAIL: 0xd,
  ESME_RTHROTTLED: 0x58,
} as const;

export const headerOctets = 16;
const pduOctetsMax = 65_536;
const messagePayloadTag = 0x0424;
const udhIndicator = 0x40;
/** esm_class of a delivery receipt, SMPP 3.4 §5.2.12. */
const receiptClass = 0x04;

/** The fields of a submit_sm that tests need (SMPP 3.4 §4.4.1). */
export interface SubmitSm {
  source_addr: string;
  destination_addr: string;
  esm_class: number;
  registered_delivery: number;
  data_coding: number;
  /** short_message, or message_payload when that TLV is there; with its user data header. */
  content: Buffer;
}

/** Length of the PDU that begins at `offset`: 0 = more bytes are needed, -1 = no PDU can begin like this. */
export function pduOctetsAt(bytes: Buffer, offset: number): number {
  if (bytes.length - offset < 4) return 0;
  const length = bytes.readUInt32BE(offset);
  if (length < headerOctets || length > pduOctetsMax) return -1;
  return bytes.length - offset < length ? 0 : length;
}

export function pduBytes(command_id: number, command_status: number, sequence_number: number, body: Buffer): Buffer {
  const pdu = Buffer.allocUnsafe(headerOctets + body.length);
  pdu.writeUInt32BE(pdu.length, 0);
  pdu.writeUInt32BE(command_id, 4);
  pdu.writeUInt32BE(command_status, 8);
  pdu.writeUInt32BE(sequence_number, 12);
  body.copy(pdu, headerOctets);
  return pdu;
}

/** A C-octet string with its final NUL. */
export function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'latin1');
}

/** Reads the submit_sm at `[start, end)`, header included; null when it is not well formed. */
/** The text up to the zero octet. */
export function cStringAt(bytes: Buffer, offset: number): string {
  return bytes.toString('latin1', offset, bytes.indexOf(0, offset));
}

export function readSubmitSm(bytes: Buffer, start: number, end: number): SubmitSm | null {
  let at = start + headerOctets;
  const text = (): string => {
    const nul = bytes.indexOf(0, at);
    if (nul === -1 || nul >= end) {
      at = end + 1;
      return '';
    }
    const value = bytes.toString('latin1', at, nul);
    at = nul + 1;
    return value;
  };
  // Reads zeros beyond the end; `at` is then beyond `end`, which is checked before any field is used.
  const octet = (): number => bytes[at++] ?? 0;
  text(); // service_type
  at += 2;
  const source_addr = text();
  at += 2;
  const destination_addr = text();
  const esm_class = octet();
  at += 2; // protocol_id, priority_flag
  text(); // schedule_delivery_time
  text(); // validity_period
  const registered_delivery = octet();
  at += 1; // replace_if_present_flag
  const data_coding = octet();
  at += 1; // sm_default_msg_id
  const smLength = octet();
  if (at + smLength > end) return null;
  const shortMessage = bytes.subarray(at, at + smLength);
  const payload = messagePayload(bytes, at + smLength, end);
  if (payload === null) return null;
  const content = Buffer.from(payload ?? shortMessage);
  return { source_addr, destination_addr, esm_class, registered_delivery, data_coding, content };
}

/** Looks through the TLVs of `[at, end)`: undefined = no message_payload, null = a TLV that runs over the end. */
function messagePayload(bytes: Buffer, at: number, end: number): Buffer | null | undefined {
  let payload: Buffer | undefined;
  while (at < end) {
    if (at + 4 > end) return null;
    const tag = bytes.readUInt16BE(at);
    const length = bytes.readUInt16BE(at + 2);
    if (at + 4 + length > end) return null;
    if (tag === messagePayloadTag) payload = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return payload;
}

/** The text of a submit_sm without its user data header: UCS-2 for data_coding 8, else one octet one character. */
export function contentText(submit: SubmitSm): string {
  const headerLength =
    (submit.esm_class & udhIndicator) !== 0 && submit.content.length > 0 ? submit.content[0]! + 1 : 0;
  const octets = submit.content.subarray(headerLength);
  if (submit.data_coding !== 8) return octets.toString('latin1');
  return Buffer.from(octets.subarray(0, octets.length & ~1))
    .swap16()
    .toString('utf16le');
}

/** Body of a deliver_sm that is a delivery receipt (SMPP 3.4 appendix B and §4.6.1), from handset back to sender. */
export function receiptBody(receipt: { messageId: string; from: string; to: string; stat: string; at: Date }): Buffer {
  const time = receipt.at.toISOString().replace(/\D/g, '').slice(2, 12);
  const words = `id:${receipt.messageId} sub:001 dlvrd:001 submit date:${time} done date:${time} stat:${receipt.stat} err:000 text:`;
  return deliverBody({ ...receipt, esm_class: receiptClass, short_message: words });
}

/** Body of a deliver_sm with a text from a handset; only letters, digits and blanks. */
export function textBody({ from, to, text }: { from: string; to: string; text: string }): Buffer {
  return deliverBody({ from, to, esm_class: 0, short_message: text });
}

function deliverBody(fields: { from: string; to: string; esm_class: number; short_message: string }): Buffer {
  const shortMessage = Buffer.from(fields.short_message, 'latin1');
  const addresses = [Buffer.from([1, 1]), cString(fields.from), Buffer.from([1, 1]), cString(fields.to)];
  // protocol_id, priority_flag, schedule, validity, registered, replace, data_coding, sm_default_msg_id, all zero.
  const fixed = Buffer.from([fields.esm_class, 0, 0, 0, 0, 0, 0, 0, 0, shortMessage.length]);
  return Buffer.concat([cString(''), ...addresses, fixed, shortMessage]);
}
