// The public API of @heliograph/text, and the only file that re-exports.

export { type Alphabet, type DataCoding, decodeDataCoding, decodeLatin1 } from './data-coding.ts';
export { chooseEncoding, type Encoding, type ForcingCharacter, forcingCharacters } from './encoding.ts';
export { countSeptets, decodeGsm7, encodeGsm7 } from './gsm7.ts';
export { lookAlike, type Replacement, replaceLookAlikes } from './look-alikes.ts';
export {
  decodeNational,
  isKnownShift,
  type NationalShift,
  nationalLanguages,
  readShift,
  shiftElements,
} from './national.ts';
export {
  countSegments,
  type DefaultAlphabet,
  type Part,
  type SegmentCount,
  type Segmented,
  type SegmentOptions,
  segment,
} from './segment.ts';
export { packSeptets, unpackSeptets } from './septets.ts';
export { decodeUcs2, encodeUcs2, isWellFormed } from './ucs2.ts';
export { type Concatenation, concatUdh, type ParsedUdh, parseUdh, type UdhElement } from './udh.ts';
