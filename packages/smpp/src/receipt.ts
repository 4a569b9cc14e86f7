/**
 * Delivery receipts as a client reads them: what a deliver_sm or data_sm reports about a message. TLVs take precedence
 * over the text, field by field. Never throws, never guesses a state, always keeps the raw text. The caller matches the
 * id to a message. Source: SMPP 3.4 issue 1.2 §5.2.12, §5.3.2.12, appendix B.
 */
import { hasStateWord, isFinalState, type MessageState, stateOfNumber, stateOfWord } from './message-state.ts';
import type { PduOf } from './pdu.ts';
import { parseReceiptDate, type UtcOffset } from './receipt-date.ts';
import { parseReceiptText, type ReceiptText } from './receipt-text.ts';
import { readTlv } from './tlvs.ts';

export type ReceiptOptions = {
  /** treat a text with id and stat as a receipt although esm_class does not mark it so; default false */
  trustText?: boolean;
  /** ACCEPTED is this carrier's final state; default false */
  acceptedIsFinal?: boolean;
  /**
   * how far the carrier's clock is ahead of UTC in the text's dates: a constant, or a function of the local time,
   * passed as if in UTC; default 0
   */
  utcOffsetMinutes?: UtcOffset;
};

export type Receipt = {
  /** the message_id of the submit_sm_resp, in the carrier's spelling of it */
  id?: string;
  /** the text's id when the TLV has a different one */
  textId?: string;
  /** UNKNOWN also when there is no state or an unknown word */
  state: MessageState;
  /** no further receipt will come */
  final: boolean;
  /** the word of the text, as written */
  statText?: string;
  /** the carrier's code in the text, as written: not always a number; absent when the label has no value */
  err?: string;
  /** how many messages were submitted and how many of them delivered, when the text has digits */
  sub?: number;
  dlvrd?: number;
  submitDate?: Date;
  doneDate?: Date;
  /** the beginning of the message, as far as the receipt quotes it */
  text?: string;
  /** the TLV: type 3 is GSM, others as in 3.4 §5.3.2.31 */
  networkErrorCode?: { type: number; code: number };
  /** the whole text, as decoded */
  raw: string;
  /** nothing but its text says that it is a receipt: read as one only with trustText */
  byTextOnly?: true;
};

type ReceiptPdu = PduOf<'deliver_sm' | 'data_sm'>;

const TYPE_BITS = 0x3c;
const MC_DELIVERY_RECEIPT = 0x04;
const INTERMEDIATE_NOTIFICATION = 0x20;
/**
 * SME delivery and user acknowledgements, conversation abort: they come from a handset, not from the message centre.
 */
const fromHandset: ReadonlySet<number> = new Set([0x08, 0x10, 0x18]);
const UDHI = 0x40;
const UCS2 = 0x08;
/** A receipt has its labels at its beginning; looking for them in all of a long text would hold up other traffic. */
const LABELLED_OCTETS_MAX = 2_048;

/** A receipt's text, as decoded, and its values. */
type Written = { raw: string; parsed: ReceiptText };

/**
 * Whether a PDU is a receipt or an intermediate notification. A person's text that looks like one is not: without the
 * mark in esm_class, TLVs that no person can write are required. Nor is a text with the mark that has nothing of a
 * receipt: some message centres mark what a handset sends.
 */
export const isReceipt = (pdu: ReceiptPdu, options: ReceiptOptions = {}): boolean =>
  writtenIn(pdu, options) !== undefined;

/** The text of a receipt; undefined when the PDU is not one. */
const writtenIn = (pdu: ReceiptPdu, options: ReceiptOptions): Written | undefined => {
  const type = pdu.esm_class & TYPE_BITS;
  if (type === INTERMEDIATE_NOTIFICATION) return textOf(pdu);
  if (type === MC_DELIVERY_RECEIPT) {
    const written = textOf(pdu);
    return isFromHandset(pdu, written) ? undefined : written;
  }
  if (fromHandset.has(type)) return undefined;
  const hasId = namesId(pdu);
  if (hasId && stateOfNumber(readTlv(pdu, 'message_state') ?? -1) !== undefined) return textOf(pdu);
  if (type === 0 && !hasId && options.trustText !== true) return undefined;
  const written = textOf(pdu);
  return written.parsed.id && written.parsed.stat ? written : undefined;
};

const namesId = (pdu: ReceiptPdu): boolean => Boolean(readTlv(pdu, 'receipted_message_id')?.trim());

/** Whether a PDU marked as a receipt is a text all the same: it has content, and none of it is a receipt's. */
const isFromHandset = (pdu: ReceiptPdu, { raw, parsed }: Written): boolean => {
  const { text: _, ...values } = parsed;
  if (Object.keys(values).length > 0 || hasStateWord(raw.slice(0, LABELLED_OCTETS_MAX)) || !/[^\s\0]/.test(raw))
    return false;
  return !namesId(pdu) && !receiptTlvs.some((name) => readTlv(pdu, name) !== undefined);
};

/** TLVs that only a message centre sends, and only about another message. */
const receiptTlvs = ['message_state', 'network_error_code', 'delivery_failure_reason'] as const;

/** Reads a receipt; undefined when the PDU is not one. */
export const parseReceipt = (pdu: ReceiptPdu, options: ReceiptOptions = {}): Receipt | undefined => {
  const written = writtenIn(pdu, options);
  if (written === undefined) return undefined;
  const receipt = receiptOfText(written.raw, written.parsed, options);
  const id = readTlv(pdu, 'receipted_message_id')?.trim();
  if (id) {
    if (receipt.id !== undefined && receipt.id !== id) receipt.textId = receipt.id;
    receipt.id = id;
  } else if ((pdu.esm_class & TYPE_BITS) === 0) receipt.byTextOnly = true;
  const number = readTlv(pdu, 'message_state');
  const state = number === undefined ? undefined : stateOfNumber(number);
  if (state !== undefined) {
    receipt.state = state;
    receipt.final = isFinalState(state, options.acceptedIsFinal);
  }
  // More will follow, whatever state it names (3.4 §5.2.12).
  if ((pdu.esm_class & TYPE_BITS) === INTERMEDIATE_NOTIFICATION) receipt.final = false;
  const error = readTlv(pdu, 'network_error_code');
  if (error?.length === 3) receipt.networkErrorCode = { type: error[0]!, code: error.readUInt16BE(1) };
  return receipt;
};

/** Reads a receipt's text alone, without a PDU around it. */
export const receiptFromText = (text: string, options: ReceiptOptions = {}): Receipt =>
  receiptOfText(text, parseReceiptText(text), options);

const receiptOfText = (raw: string, parsed: ReceiptText, options: ReceiptOptions): Receipt => {
  const { id, stat, err, text } = parsed;
  const state = (stat === undefined ? undefined : stateOfWord(stat)) ?? 'UNKNOWN';
  const submitDate = parseReceiptDate(parsed.submitDate ?? '', options.utcOffsetMinutes);
  const doneDate = parseReceiptDate(parsed.doneDate ?? '', options.utcOffsetMinutes);
  return {
    ...(id ? { id } : {}),
    state,
    final: isFinalState(state, options.acceptedIsFinal),
    ...(stat ? { statText: stat } : {}),
    ...(err ? { err } : {}),
    ...countOf('sub', parsed.sub),
    ...countOf('dlvrd', parsed.dlvrd),
    ...(submitDate === undefined ? {} : { submitDate }),
    ...(doneDate === undefined ? {} : { doneDate }),
    ...(text === undefined ? {} : { text }),
    raw,
  };
};

/** Three digits by the standard; some carriers write more or fewer, or words. */
const countOf = (name: 'sub' | 'dlvrd', digits = ''): Pick<Receipt, 'sub' | 'dlvrd'> =>
  /^\d{1,9}$/.test(digits) ? { [name]: Number(digits) } : {};

/** The text and its values, from the first decoding of its octets that gives any. */
const textOf = (pdu: ReceiptPdu): Written => {
  const short_message = 'short_message' in pdu ? pdu.short_message : undefined;
  const octets = short_message?.length ? short_message : (readTlv(pdu, 'message_payload') ?? Buffer.alloc(0));
  // Latin-1 decodes any octet; data_coding is often wrong, so it only decides which decoding to try first.
  const readings = pdu.data_coding === UCS2 ? [utf16, latin1, packed] : [latin1, utf16, packed];
  for (const body of new Set([withoutHeader(pdu, octets), octets])) {
    const head = body.subarray(0, LABELLED_OCTETS_MAX);
    for (const read of readings) {
      const begins = read(head);
      const parsed = begins === undefined ? undefined : parseReceiptText(begins);
      if (begins === undefined || !(parsed?.id || parsed?.stat)) continue;
      return { raw: head.length === body.length ? begins : (read(body) ?? begins), parsed };
    }
  }
  return { raw: latin1(octets), parsed: parseReceiptText(latin1(octets.subarray(0, LABELLED_OCTETS_MAX))) };
};

/** The octets after the user data header (23.040 §9.2.3.24), if there can be one. */
const withoutHeader = ({ esm_class }: ReceiptPdu, octets: Buffer): Buffer => {
  const headerOctets = (esm_class & UDHI) === 0 || octets.length === 0 ? 0 : octets[0]! + 1;
  return headerOctets < octets.length ? octets.subarray(headerOctets) : octets;
};

/** 0x11 occurs in no Latin-1 text; it is the underscore of the GSM alphabet. */
const latin1 = (octets: Buffer): string => octets.toString('latin1').replaceAll('\x11', '_');

/** UTF-16 of either order, when the octets look like it: an even number, and every other one mostly 0. */
const utf16 = (octets: Buffer): string | undefined => {
  if (octets.length === 0 || octets.length % 2 !== 0) return undefined;
  const zeros = [0, 0];
  for (let i = 0; i < octets.length; i++) if (octets[i] === 0) zeros[i % 2]!++;
  if (zeros[0]! * 4 > octets.length) return Buffer.from(octets).swap16().toString('utf16le');
  return zeros[1]! * 4 > octets.length ? octets.toString('utf16le') : undefined;
};

/** Seven-bit characters packed into octets (23.038 §6.1.2.1): for labels and ids the alphabet is the same as ASCII. */
const packed = (octets: Buffer): string => {
  let text = '';
  for (let bit = 0; bit + 7 <= octets.length * 8; bit += 7) {
    const at = bit >> 3;
    const pair = octets[at]! | ((octets[at + 1] ?? 0) << 8);
    text += String.fromCharCode((pair >> (bit & 7)) & 0x7f);
  }
  return text.replaceAll('\x11', '_');
};
