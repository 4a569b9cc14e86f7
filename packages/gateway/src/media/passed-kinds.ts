/**
 * Recognises media that are sent unchanged: MP4, 3GP, AMR, MP3, vCard. As nothing is re-encoded here, the whole file
 * must have the form of its kind: nothing comes before it or, where the form defines an end, after it.
 */
import type { PassedType } from '../model/medium.ts';

/** Null: none of these, or incomplete. */
export function passedKindOf(bytes: Buffer): PassedType | null {
  const type = movieKindOf(bytes) ?? (isAmr(bytes) ? 'audio/amr' : isMp3(bytes) ? 'audio/mpeg' : null);
  if (type === null) return isVcard(bytes) ? 'text/vcard' : null;
  return hidesAnother(bytes) ? null : type;
}

const mp4Brands = /^(isom|iso[2-9]|mp4[12]|avc1|M4V |MSNV|mmp4|dash)$/;
/** 3GPP TS 26.244 §5.3. */
const threeGpBrands = /^3g[gprse][4-9]$/;
const pictureBrands = /^(hei[cxms]|hev[cxms]|mif1|msf1|miaf|avi[fs]|jp2 |jpx |crx )$/;
const boxesMax = 100_000;

/** ISO/IEC 14496-12 §4.2, §4.3: boxes that fill the file exactly, `ftyp` first, `moov` among them. */
function movieKindOf(bytes: Buffer): PassedType | null {
  const brand = bytes.length >= 16 && bytes.toString('latin1', 4, 8) === 'ftyp' ? bytes.toString('latin1', 8, 12) : '';
  const type = mp4Brands.test(brand) ? 'video/mp4' : threeGpBrands.test(brand) ? 'video/3gpp' : null;
  if (type === null) return null;
  for (let at = 16; at + 4 <= Math.min(bytes.readUInt32BE(0), bytes.length); at += 4) {
    if (pictureBrands.test(bytes.toString('latin1', at, at + 4))) return null;
  }
  let hasMovie = false;
  let at = 0;
  for (let boxes = 0; boxes < boxesMax && at + 8 <= bytes.length; boxes++) {
    hasMovie ||= bytes.toString('latin1', at + 4, at + 8) === 'moov';
    at += boxLength(bytes, at);
  }
  return hasMovie && at === bytes.length ? type : null;
}

/**
 * §4.2: size 1 means that a 64-bit size follows the type, size 0 the rest of the file. A wrong size points beyond the
 * file.
 */
function boxLength(bytes: Buffer, at: number): number {
  const size = bytes.readUInt32BE(at);
  if (size === 0) return bytes.length - at;
  if (size !== 1) return size < 8 ? Number.POSITIVE_INFINITY : size;
  const large = at + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(at + 8)) : 0;
  return large < 16 ? Number.POSITIVE_INFINITY : large;
}

const amrMagic = Buffer.from('#!AMR\n', 'latin1');
/** RFC 4867 §3.6 and §5.3: octets of a frame with its header, by frame type; 0 = not allowed. */
const amrFrameBytes = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1];
/** RFC 4867 §5.3: bits of the frame header that must be zero. */
const amrPadding = 0x83;

function isAmr(bytes: Buffer): boolean {
  if (!bytes.subarray(0, amrMagic.length).equals(amrMagic)) return false;
  let at = amrMagic.length;
  while (at < bytes.length) {
    const header = bytes[at]!;
    const length = amrFrameBytes[(header >> 3) & 0x0f]!;
    if (length === 0 || (header & amrPadding) !== 0) return false;
    at += length;
  }
  return at === bytes.length && at > amrMagic.length;
}

/** Consecutive frames that make it an MP3: a single sync word occurs in any file. */
const mp3FramesMin = 3;
/** ISO/IEC 11172-3 §2.4.2.3, Layer III in kbit/s: MPEG-1, then MPEG-2 and 2.5 (ISO/IEC 13818-3). */
const mp3Bitrates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const mp3SampleRates = [44_100, 48_000, 32_000];

function isMp3(bytes: Buffer): boolean {
  let at = id3Length(bytes);
  for (let frames = 0; frames < mp3FramesMin; frames++) {
    const length = mp3FrameLength(bytes, at);
    if (length === null || at + length > bytes.length) return false;
    at += length;
  }
  return true;
}

/** ID3v2.4 §3.1: ten octets, the last four of them the length of the rest, seven bits each. */
function id3Length(bytes: Buffer): number {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return 0;
  const length = bytes.subarray(6, 10).reduce((sum, octet) => sum * 128 + (octet & 0x7f), 0);
  const footer = bytes[5]! & 0x10 ? 10 : 0;
  return 10 + length + footer;
}

function mp3FrameLength(bytes: Buffer, at: number): number | null {
  if (at + 4 > bytes.length) return null;
  const header = bytes.readUInt32BE(at);
  const version = (header >>> 19) & 3;
  const layer = (header >>> 17) & 3;
  if (header >>> 21 !== 0x7ff || version === 1 || layer !== 1) return null;
  const kbit = mp3Bitrates[version === 3 ? 0 : 1][(header >>> 12) & 15];
  const fullRate = mp3SampleRates[(header >>> 10) & 3];
  if (!kbit || fullRate === undefined) return null;
  const rate = version === 3 ? fullRate : version === 2 ? fullRate / 2 : fullRate / 4;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * kbit) / rate) + ((header >>> 9) & 1);
}

/** RFC 6350 §3.3: text in UTF-8 from the first BEGIN:VCARD to the last END:VCARD. */
function isVcard(bytes: Buffer): boolean {
  if (!/^(\xef\xbb\xbf)?BEGIN:VCARD\r?\n/i.test(bytes.toString('latin1', 0, 20))) return false;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters
  return /\nEND:VCARD\s*$/i.test(text.slice(-64)) && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text);
}

/**
 * Whether a reader may take the file for something else: a PDF begins within 1,024 octets, a ZIP ends with its
 * directory's record.
 */
function hidesAnother(bytes: Buffer): boolean {
  return bytes.subarray(0, 1_029).includes('%PDF-') || bytes.subarray(-65_557).includes('PK\x05\x06');
}
