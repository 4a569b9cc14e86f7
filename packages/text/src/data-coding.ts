// Reads the data_coding octet: SMPP 3.4 §5.2.19 for 0x00-0x0F, 3GPP 23.038 §4 (TP-DCS) for the rest. Peers' deviations,
// such as GSM under 0x01, belong in a carrier profile.

/** '8bit' is binary data and 'pictogram' is no character set: never convert either. */
export type Alphabet =
  | 'gsm'
  | 'ascii'
  | 'latin1'
  | 'ucs2'
  | '8bit'
  | 'jis-x-0208'
  | 'jis-x-0212'
  | 'iso-2022-jp'
  | 'iso-8859-5'
  | 'iso-8859-8'
  | 'ks-c-5601'
  | 'pictogram';

export interface DataCoding {
  readonly alphabet: Alphabet;
  /** 0 flash (shown, not kept), 1 handset, 2 SIM, 3 terminal equipment. Absent when the octet names no class. */
  readonly messageClass?: 0 | 1 | 2 | 3;
  /** The text is compressed (23.042) and cannot be read. */
  readonly compressed?: true;
  /** A message waiting indication: the text may be discarded after display, or must be stored. */
  readonly messageWaiting?: 'discard' | 'store';
}

/** 0x00-0x0F as in SMPP; `undefined` = the default alphabet (0x00) or reserved. */
const SMPP_ALPHABETS: readonly (Alphabet | undefined)[] = [
  undefined,
  'ascii',
  '8bit',
  'latin1',
  '8bit',
  'jis-x-0208',
  'iso-8859-5',
  'iso-8859-8',
  'ucs2',
  'pictogram',
  'iso-2022-jp',
  undefined,
  undefined,
  'jis-x-0212',
  'ks-c-5601',
  undefined,
];

/**
 * Decodes a data_coding octet (0-255). `defaultAlphabet`: the carrier's meaning of 0x00; reserved values read the same,
 * as 23.038 §4 requires.
 */
export function decodeDataCoding(dataCoding: number, defaultAlphabet: Alphabet = 'gsm'): DataCoding {
  if (dataCoding <= 0x0f) return { alphabet: SMPP_ALPHABETS[dataCoding] ?? defaultAlphabet };
  const messageClass = (dataCoding & 0x03) as 0 | 1 | 2 | 3;
  switch (dataCoding & 0xf0) {
    case 0x80:
    case 0x90:
    case 0xa0:
    case 0xb0:
      return { alphabet: defaultAlphabet };
    case 0xc0:
      return { alphabet: 'gsm', messageWaiting: 'discard' };
    case 0xd0:
      return { alphabet: 'gsm', messageWaiting: 'store' };
    case 0xe0:
      return { alphabet: 'ucs2', messageWaiting: 'store' };
    case 0xf0:
      return { alphabet: dataCoding & 0x04 ? '8bit' : 'gsm', messageClass };
    default:
      return generalGroup(dataCoding, messageClass, defaultAlphabet);
  }
}

/**
 * 00xx xxxx, and 01xx xxxx with the same layout (to be deleted once read): bit 5 compressed, bit 4 class, bits 3-2
 * alphabet.
 */
function generalGroup(dataCoding: number, messageClass: 0 | 1 | 2 | 3, defaultAlphabet: Alphabet): DataCoding {
  const alphabets = ['gsm', '8bit', 'ucs2', defaultAlphabet] as const;
  return {
    alphabet: alphabets[(dataCoding >> 2) & 0x03]!,
    ...(dataCoding & 0x10 && { messageClass }),
    ...(dataCoding & 0x20 && { compressed: true as const }),
  };
}

/**
 * ISO-8859-1 (data_coding 0x03, and 0x01 as its lower half): each octet is the code point of its character. Not the
 * browsers' "latin1", which is windows-1252: 0x80-0x9F are control characters. Never fails.
 */
export function decodeLatin1(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) text += String.fromCharCode(octet);
  return text;
}
