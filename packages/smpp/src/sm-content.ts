/**
 * The content of a short message: text or octets, and which part of a longer text it is. Pure. Never fails and never
 * loses an octet: octets that cannot be decoded, or only in part, are kept. Source: SMPP 3.4 §5.2.12 (UDHI), §5.2.19
 * (data_coding), §5.3.2.22–24 (sar), §5.3.2.32 (message_payload); 3GPP TS 23.040 §9.2.3.24 (user data header).
 */
import { isUtf8 } from 'node:buffer';
import {
  type Alphabet,
  chooseEncoding,
  type DefaultAlphabet,
  decodeDataCoding,
  decodeGsm7,
  decodeLatin1,
  decodeNational,
  decodeUcs2,
  type Encoding,
  isKnownShift,
  type NationalShift,
  parseUdh,
  readShift,
} from '@heliograph/text';
import type { Tlv } from './pdu.ts';
import { classOfSubunit, type Ports, portsOf, portsOfTlvs } from './sm-fields.ts';
import { esmClassUdhi } from './sm-parts.ts';
import { readTlv } from './tlvs.ts';

/** The fields of submit_sm, deliver_sm and data_sm (which has no short_message) that carry the content. */
export interface SmFields {
  esm_class: number;
  data_coding: number;
  short_message?: Uint8Array;
  tlvs: readonly Tlv[];
}

export interface SmContent {
  /** Null when the content is not text. */
  text: string | null;
  /** The content without its header when it is not text, or was decoded only in part; else null. */
  octets: Uint8Array | null;
  encoding: Encoding | null;
  /** Null for a text in one part. The same reference with 8 and with 16 bits is of two messages. */
  concat: { reference: number; bits: 8 | 16; total: number; sequence: number } | null;
  /** Extras from header and fields beside the content; absent = none. */
  extras?: { dataCoding?: number; messageClass?: number; ports?: Ports };
}

/**
 * A marker at the end of a part whose last septet is an escape; the escaped character is the first of the next part.
 */
export const cutEscape = '\u001b';

interface Framed {
  body: Uint8Array;
  concat: SmContent['concat'];
  /** The tables used instead of the default ones (23.040 §9.2.3.24.15–16); null = none. */
  shift: NationalShift | null;
  /** From the header, else from the TLVs. */
  ports: Ports | undefined;
}

/** UTF-8 has no data_coding, yet peers send it. */
type Spoken = Alphabet | 'utf-8';

/**
 * The octets of the content as received, including a user data header. Only one of short_message and message_payload
 * may be filled (3.4 §5.3.2.32). Of peers that fill both, some repeat the beginning of the payload in short_message;
 * otherwise the payload goes on where short_message ends.
 */
function contentOctets(sm: SmFields): Uint8Array {
  const short = sm.short_message ?? new Uint8Array();
  const payload = sm.tlvs.length === 0 ? undefined : readTlv(sm, 'message_payload');
  if (payload === undefined || payload.length === 0) return short;
  return payload.subarray(0, short.length).equals(short) ? payload : Buffer.concat([short, payload]);
}

export function readContent(sm: SmFields, defaultAlphabet: DefaultAlphabet): SmContent {
  const { body, concat, shift, ports } = splitHeader(sm);
  const coding = decodeDataCoding(sm.data_coding, defaultAlphabet);
  const alphabet = spokenAlphabet(coding.alphabet, body);
  const decode = coding.compressed ? undefined : alphabet === 'gsm' && shift ? national(shift) : decoders[alphabet];
  const messageClass = coding.messageClass ?? classOfSubunit(sm.tlvs);
  const beside = { ...(messageClass !== undefined && { messageClass }), ...(ports !== undefined && { ports }) };
  const asOctets = { octets: new Uint8Array(body), extras: { dataCoding: sm.data_coding, ...beside } };
  // A copy: `body` is a view of a buffer that the socket reuses.
  if (decode === undefined) return { text: null, encoding: null, concat, ...asOctets };
  const cut = alphabet === 'gsm' && shift === null && isCutAtEscape(body, concat);
  const text = cut ? decode(body.subarray(0, -1)) + cutEscape : decode(body);
  const oddOctet = alphabet === 'ucs2' && body.length % 2 === 1;
  const unknownShift = alphabet === 'gsm' && shift !== null && !isKnownShift(shift);
  const cutShift = alphabet === 'gsm' && shift !== null && isCutAtEscape(body, concat);
  const partly = oddOctet || unknownShift || cutShift || text.includes('\ufffd');
  return {
    text,
    encoding: encodings[alphabet] ?? chooseEncoding(text),
    concat,
    ...(partly ? asOctets : { octets: null, ...(Object.keys(beside).length > 0 && { extras: beside }) }),
  };
}

/** Whether the part ends with an escape whose character is the first of the next part. */
function isCutAtEscape(body: Uint8Array, concat: SmContent['concat']): boolean {
  return concat !== null && concat.sequence < concat.total && body.at(-1) === 0x1b && body.at(-2) !== 0x1b;
}

function splitHeader(sm: SmFields): Framed {
  const octets = contentOctets(sm);
  const sar = readSar(sm);
  const plain = { concat: sar, shift: null, ports: portsOfTlvs(sm.tlvs) };
  if ((sm.esm_class & esmClassUdhi) === 0) return { body: octets, ...plain };
  const udh = parseUdh(octets);
  if (!udh.ok) {
    const body = udh.reason === 'element-too-long' ? octets.subarray(udh.headerOctets) : octets;
    return { body, ...plain };
  }
  return {
    body: octets.subarray(udh.headerOctets),
    concat: several(udh.concat) ?? sar,
    shift: readShift(udh.elements),
    ports: portsOf(udh.elements) ?? plain.ports,
  };
}

const national = (shift: NationalShift) => (octets: Uint8Array) => decodeNational(octets, shift);

function several(concat: NonNullable<SmContent['concat']> | undefined): SmContent['concat'] {
  if (concat === undefined || concat.total < 2) return null;
  return { reference: concat.reference, bits: concat.bits, total: concat.total, sequence: concat.sequence };
}

function readSar(sm: SmFields): SmContent['concat'] {
  if (sm.tlvs.length === 0) return null;
  const reference = readTlv(sm, 'sar_msg_ref_num');
  const total = readTlv(sm, 'sar_total_segments');
  const sequence = readTlv(sm, 'sar_segment_seqnum');
  if (reference === undefined || total === undefined || sequence === undefined) return null;
  return sequence === 0 || sequence > total ? null : several({ reference, bits: 16, total, sequence });
}

/** The alphabet of the octets, if data_coding cannot be right. */
function spokenAlphabet(alphabet: Alphabet, octets: Uint8Array): Spoken {
  // An octet over 0x7F is not a septet. Latin-1 is almost never valid UTF-8, and neither loses an octet.
  if (alphabet === 'gsm' && octets.some((octet) => octet > 0x7f)) return isUtf8(octets) ? 'utf-8' : 'latin1';
  // Control characters that nobody types in IA5 are the @, $, _ and escapes of the GSM alphabet, which some peers mean.
  if (alphabet === 'ascii' && withoutPadding(octets).some(isGsmOnly)) return 'gsm';
  return alphabet;
}

function isGsmOnly(octet: number): boolean {
  return octet < 0x20 && octet !== 0x09 && octet !== 0x0a && octet !== 0x0d;
}

/** NUL ends a C string and is not a character, except in the GSM alphabet, where it is the @. */
function withoutPadding(octets: Uint8Array): Uint8Array {
  let end = octets.length;
  while (end > 0 && octets[end - 1] === 0) end--;
  return octets.subarray(0, end);
}

function readLatin1(octets: Uint8Array): string {
  return decodeLatin1(withoutPadding(octets));
}

/** A byte order mark is not text; one in the wrong order shows the wrong order. */
function readUcs2(octets: Uint8Array): string {
  const { text } = decodeUcs2(octets);
  if (text.startsWith('\ufeff')) return text.slice(1);
  return text.startsWith('\ufffe')
    ? decodeUcs2(Buffer.from(octets.subarray(2, octets.length & ~1)).swap16()).text
    : text;
}

const decodeLabelled = (label: string) => {
  const decoder = new TextDecoder(label);
  return (octets: Uint8Array): string => decoder.decode(octets);
};

/** Other alphabets are kept as octets: binary, pictograms, and two Japanese sets without a decoder. */
const decoders: Partial<Record<Spoken, (octets: Uint8Array) => string>> = {
  gsm: decodeGsm7,
  ascii: readLatin1,
  latin1: readLatin1,
  ucs2: readUcs2,
  'utf-8': decodeLabelled('utf-8'),
  'iso-8859-5': decodeLabelled('iso-8859-5'),
  'iso-8859-8': decodeLabelled('iso-8859-8'),
  'iso-2022-jp': decodeLabelled('iso-2022-jp'),
  'ks-c-5601': decodeLabelled('euc-kr'),
};

/** For the other alphabets, the encoding that we would use to send the text. */
const encodings: Partial<Record<Spoken, Encoding>> = { gsm: 'GSM-7', ascii: 'GSM-7', ucs2: 'UCS-2' };
