/**
 * A text as the short messages that carry it: octets, data_coding, esm_class and the mark that joins the parts of a
 * long one. Pure. Source: SMPP 3.4 §5.2.12, §5.2.19, §5.3.2.22–24, §5.3.2.32; 3GPP TS 23.040 §9.2.3.24.
 */
import { concatUdh, type DefaultAlphabet, type Encoding, segment, shiftElements } from '@heliograph/text';
import type { Tlv } from './pdu.ts';
import { tlv } from './tlvs.ts';

/** SMPP 3.4 §5.2.12: bit 6 of esm_class. */
export const esmClassUdhi = 0x40;

/** The most parts a concatenated message can have: the count is one octet (23.040 §9.2.3.24.1). */
export const partsMax = 255;

const dataCodingDefault = 0x00;
const dataCodingUcs2 = 0x08;

export interface SmPart {
  /** The first segment it carries, from 1. */
  part: number;
  /** How many segments from there on; absent = 1. */
  spans?: number;
  esm_class: number;
  data_coding: number;
  short_message: Uint8Array;
  tlvs?: Tlv[];
}

export interface SmParts {
  encoding: Encoding;
  parts: SmPart[];
}

/** How a peer accepts a text. */
export interface PartStyle {
  /** What joins the parts: a user data header with a reference of 8 or 16 bits, the sar TLVs, or one message_payload. */
  longMessage: 'udh8' | 'udh16' | 'sar' | 'payload';
  defaultAlphabet: DefaultAlphabet;
  /** National languages (`turkish`, …) whose tables a text may use; absent = none. */
  nationalLanguages?: readonly string[];
}

/** Null when the text needs more than `partsMax` parts. `concatReference`: 0–65,535; its low octet serves 8-bit marks. */
export function textToParts(text: string, concatReference: number, style: PartStyle): SmParts | null {
  const segmented = segment(text, {
    reference: style.longMessage === 'udh16' ? '16-bit' : '8-bit',
    alphabet: style.defaultAlphabet,
    languages: style.nationalLanguages ?? [],
  });
  const elements = segmented.shift ? shiftElements(segmented.shift) : new Uint8Array();
  const header = withHeader(elements);
  const total = segmented.parts.length;
  if (total > partsMax) return null;
  const isUcs2 = segmented.encoding === 'UCS-2';
  const data_coding = isUcs2 ? dataCodingUcs2 : dataCodingDefault;
  const octetsOf = isUcs2 || style.defaultAlphabet === 'gsm' ? ownOctets : latin1Octets;
  if (total === 1) {
    const whole = { part: 1, data_coding, ...header(octetsOf(segmented.parts[0]!)) };
    return { encoding: segmented.encoding, parts: [whole] };
  }
  const octets = segmented.parts.map(octetsOf);
  const plain = { esm_class: 0, data_coding };
  if (style.longMessage === 'payload') {
    const { esm_class, short_message } = header(Buffer.concat(octets));
    const payload = tlv('message_payload', short_message);
    const whole = { part: 1, spans: total, ...plain, esm_class, short_message: new Uint8Array(), tlvs: [payload] };
    return { encoding: segmented.encoding, parts: [whole] };
  }
  const join =
    style.longMessage === 'sar' ? withSar(header) : withUdh(style.longMessage === 'udh16' ? 16 : 8, elements);
  return {
    encoding: segmented.encoding,
    parts: octets.map((body, i) => ({ ...plain, ...join(body, concatReference, total, i + 1) })),
  };
}

type Joined = Pick<SmPart, 'part' | 'short_message'> & Partial<SmPart>;

type Framed = Pick<SmPart, 'esm_class' | 'short_message'>;

/** A text with the elements that name its national tables in front; unchanged without any. */
const withHeader =
  (elements: Uint8Array) =>
  (body: Uint8Array): Framed =>
    elements.length === 0
      ? { esm_class: 0, short_message: body }
      : { esm_class: esmClassUdhi, short_message: Buffer.concat([Uint8Array.of(elements.length), elements, body]) };

/** 23.040 §9.2.3.24.1 and .8: the mark goes before the text. */
function withUdh(bits: 8 | 16, elements: Uint8Array) {
  return (body: Uint8Array, concatReference: number, total: number, sequence: number): Joined => {
    const reference = bits === 8 ? concatReference & 0xff : concatReference;
    const header = concatUdh({ reference, bits, total, sequence });
    header[0]! += elements.length;
    return { part: sequence, esm_class: esmClassUdhi, short_message: Buffer.concat([header, elements, body]) };
  };
}

/** SMPP 3.4 §5.3.2.22–24: all three or none, and never beside a UDH. */
function withSar(header: (body: Uint8Array) => Framed) {
  return (body: Uint8Array, concatReference: number, total: number, sequence: number): Joined => {
    const tlvs = [
      tlv('sar_msg_ref_num', concatReference),
      tlv('sar_total_segments', total),
      tlv('sar_segment_seqnum', sequence),
    ];
    return { part: sequence, ...header(body), tlvs };
  };
}

type OctetsOf = (part: { text: string; octets: Uint8Array }) => Uint8Array;

const ownOctets: OctetsOf = (part) => part.octets;

/** The octets of ASCII are the same. */
const latin1Octets: OctetsOf = (part) => Buffer.from(part.text, 'latin1');
