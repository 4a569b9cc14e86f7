/**
 * What a short message says: text or binary, and which part of a longer one it is. Pure; used for what carriers bring us
 * and for what a sandbox handset shows. Never fails: what cannot be read as text is kept as octets.
 */
import { readTlv, type Tlv } from '@heliograph/smpp';
import {
  type Alphabet,
  chooseEncoding,
  decodeDataCoding,
  decodeGsm7,
  decodeLatin1,
  decodeUcs2,
  parseUdh,
} from '@heliograph/text';
import type { Encoding, InboundPart } from '../domain/delivery.ts';
import type { SmppProfile } from '../domain/records.ts';
import { esmClassUdhi } from './sm-parts.ts';

/** The fields of submit_sm, deliver_sm and data_sm (which has no short_message) that carry the content. */
export interface SmFields {
  esm_class: number;
  data_coding: number;
  short_message?: Uint8Array;
  tlvs: readonly Tlv[];
}

export type SmContent = Pick<InboundPart, 'text' | 'octets' | 'encoding' | 'concat'>;

/** The octets of the content as they came, a user data header included. message_payload counts when short_message is empty. */
function contentOctets(sm: SmFields): Uint8Array {
  if (sm.short_message !== undefined && sm.short_message.length > 0) return sm.short_message;
  return readTlv(sm, 'message_payload') ?? new Uint8Array();
}

export function readContent(sm: SmFields, defaultAlphabet: SmppProfile['defaultAlphabet']): SmContent {
  const { body, concat } = splitHeader(sm);
  const coding = decodeDataCoding(sm.data_coding, defaultAlphabet);
  const decode = coding.compressed ? undefined : decoders[coding.alphabet];
  // A copy: `body` is a window into a buffer that the socket uses again.
  if (decode === undefined) return { text: null, octets: new Uint8Array(body), encoding: null, concat };
  const text = decode(body);
  return { text, octets: null, encoding: encodings[coding.alphabet] ?? chooseEncoding(text), concat };
}

function splitHeader(sm: SmFields): { body: Uint8Array; concat: SmContent['concat'] } {
  const octets = contentOctets(sm);
  if ((sm.esm_class & esmClassUdhi) !== 0) {
    const udh = parseUdh(octets);
    if (udh.ok) return { body: octets.subarray(udh.headerOctets), concat: several(udh.concat) };
    return { body: udh.reason === 'element-too-long' ? octets.subarray(udh.headerOctets) : octets, concat: null };
  }
  return { body: octets, concat: readSar(sm) };
}

function several(concat: { reference: number; total: number; sequence: number } | undefined): SmContent['concat'] {
  if (concat === undefined || concat.total < 2) return null;
  return { reference: concat.reference, total: concat.total, sequence: concat.sequence };
}

function readSar(sm: SmFields): SmContent['concat'] {
  if (sm.tlvs.length === 0) return null;
  const reference = readTlv(sm, 'sar_msg_ref_num');
  const total = readTlv(sm, 'sar_total_segments');
  const sequence = readTlv(sm, 'sar_segment_seqnum');
  if (reference === undefined || total === undefined || sequence === undefined) return null;
  return sequence === 0 || sequence > total ? null : several({ reference, total, sequence });
}

const decodeLabelled = (label: string) => {
  const decoder = new TextDecoder(label);
  return (octets: Uint8Array): string => decoder.decode(octets);
};

/** Alphabets that are not here are kept as octets: binary, pictograms, and two Japanese sets no decoder of ours has. */
const decoders: Partial<Record<Alphabet, (octets: Uint8Array) => string>> = {
  gsm: decodeGsm7,
  ascii: decodeLatin1,
  latin1: decodeLatin1,
  ucs2: (octets) => decodeUcs2(octets).text,
  'iso-8859-5': decodeLabelled('iso-8859-5'),
  'iso-8859-8': decodeLabelled('iso-8859-8'),
  'iso-2022-jp': decodeLabelled('iso-2022-jp'),
  'ks-c-5601': decodeLabelled('euc-kr'),
};

/** For the other alphabets the encoding is the one the text would need from us. */
const encodings: Partial<Record<Alphabet, Encoding>> = { gsm: 'GSM-7', ascii: 'GSM-7', ucs2: 'UCS-2' };
