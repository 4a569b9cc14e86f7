/**
 * Octets to PDU objects: one reader serves every command, by the command's row in the table. Never throws and never
 * reads outside the frame: an invalid body gives a MalformedPdu with the command_status to answer. The result owns its
 * memory; the frame's buffer may be reused. Source: SMPP 3.4 issue 1.2 §3 and §4; the lax rules follow what real peers
 * send.
 */
import { BodyReader, isWrong, noOctets, noTlvs, type Wrong } from './body-reader.ts';
import { type Command, commandById, isResponseId } from './commands.ts';
import type { FieldKind } from './field.ts';
import { type Decoded, HEADER_OCTETS, type Header, type MalformedPdu, type Pdu, type Tlv } from './pdu.ts';
import { status } from './status.ts';
import { readTlv } from './tlvs.ts';

export type DecodeOptions = {
  /**
   * Enforce the standard's lengths of fields and known TLVs in requests, as a server may. Responses are always read
   * laxly: their content matters more than their form. Default false.
   */
  strict?: boolean;
};

const ESM_CLASS_UDHI = 0x40;
const ESM_CLASS_TYPE = 0x3c;
const ESM_CLASS_RECEIPT = 0x04;

/** A PDU while its fields are filled in. */
type Draft = Header & { [name: string]: unknown; tlvs: readonly Tlv[] };

/** Reads one whole frame: `bytes` from `start` to `end`. */
export const decodePdu = (
  bytes: Buffer,
  start = 0,
  end: number = bytes.length,
  options: DecodeOptions = {},
): Decoded => {
  if (end - start < HEADER_OCTETS) return noHeader;
  const command_id = bytes.readUInt32BE(start + 4);
  const command_status = bytes.readUInt32BE(start + 8);
  const sequence_number = bytes.readUInt32BE(start + 12);
  const command = commandById(command_id);
  if (command === undefined) {
    const body = Buffer.from(bytes.subarray(start + HEADER_OCTETS, end));
    return { command: 'unknown', command_id, command_status, sequence_number, body };
  }
  const pdu = emptyPdu(command);
  pdu.command_status = command_status;
  pdu.sequence_number = sequence_number;
  const isResponse = isResponseId(command_id);
  // Some peers leave an answer's body out: on errors, as they should, or always.
  if (isResponse && end - start === HEADER_OCTETS) return pdu as unknown as Pdu;
  reader.begin(bytes, start + HEADER_OCTETS, end, isResponse, !isResponse && options.strict === true);
  const wrong = fill(pdu, command, isResponse);
  // A broken body in an error answer is ignored: the status is enough.
  if (wrong === undefined || (isResponse && command_status !== 0)) return pdu as unknown as Pdu;
  return { command: 'malformed', command_id, command_status, sequence_number, ...wrong };
};

const reader = new BodyReader();

const noHeader: MalformedPdu = Object.freeze({
  command: 'malformed',
  command_id: 0,
  command_status: 0,
  sequence_number: 0,
  answer: status.ESME_RINVCMDLEN,
  reason: 'shorter than a header',
});

const fill = (pdu: Draft, command: Command, isResponse: boolean): Wrong | undefined => {
  const wrong = reader.readFields(pdu, command.fields);
  if (wrong !== undefined) return wrong;
  const tlvs = reader.readTlvs();
  // Peers append a NUL, or more, to PDUs without a body (enquire_link, unbind): ignored.
  if (isWrong(tlvs)) return command.fields.length === 0 ? undefined : tlvs;
  pdu.tlvs = tlvs;
  return isResponse ? undefined : brokenUdh(pdu);
};

/**
 * A user data header that does not fit into its text (23.040 §9.2.3.24); a receipt never has a header, whatever its
 * bits say.
 */
const brokenUdh = (pdu: Draft): Wrong | undefined => {
  const esm_class = pdu.esm_class as number | undefined;
  if (esm_class === undefined || (esm_class & ESM_CLASS_UDHI) === 0) return undefined;
  if ((esm_class & ESM_CLASS_TYPE) === ESM_CLASS_RECEIPT) return undefined;
  const short_message = pdu.short_message as Buffer | undefined;
  const text = short_message?.length ? short_message : readTlv(pdu, 'message_payload');
  if (text !== undefined && text.length > 0 && text[0]! < text.length) return undefined;
  return { answer: status.ESME_RINVESMCLASS, reason: 'the user data header is longer than the message' };
};

const emptyValue: Readonly<Record<FieldKind, unknown>> = {
  u1: 0,
  cstring: '',
  counted: noOctets,
  dest_addresses: Object.freeze([]),
  unsuccess_smes: Object.freeze([]),
};

/**
 * One empty PDU per command. Its copies share one shape, which keeps reading fast; it comes from JSON.parse because
 * copying an object grown key by key costs ten times as much.
 */
const templates = new Map<Command, Draft>();

const emptyPdu = (command: Command): Draft => {
  const template = templates.get(command) ?? newTemplate(command);
  return { ...template };
};

const newTemplate = (command: Command): Draft => {
  const { name, command_id, fields } = command;
  const values = Object.fromEntries(fields.map((field) => [field.name, emptyValue[field.kind]]));
  const whole = { command: name, command_id, command_status: 0, sequence_number: 0, ...values, tlvs: noTlvs };
  const template: Draft = Object.assign(JSON.parse(JSON.stringify(whole)), whole);
  templates.set(command, template);
  return template;
};
