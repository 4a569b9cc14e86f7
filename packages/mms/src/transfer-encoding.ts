/** Content-Transfer-Encoding of RFC 2045 §6: octets of a body to octets of the content, and back as base64. */
import { type Malformed, malformed, quoted } from './failure.ts';

/** Decodes a body. An encoding that RFC 2045 does not know is a refusal: the meaning of the octets is unknown. */
export const decodeBody = (body: Buffer, encoding: string): Buffer | Malformed => {
  switch (encoding.toLowerCase()) {
    case '':
    case '7bit':
    case '8bit':
    case 'binary':
      return body;
    case 'base64':
      return fromBase64(body);
    case 'quoted-printable':
      return fromQuotedPrintable(body);
    default:
      return malformed('value', `the transfer encoding ${quoted(encoding)} is unknown`);
  }
};

const fromBase64 = (body: Buffer): Buffer | Malformed => {
  const text = body.toString('latin1').replaceAll(/[\r\n\t ]+/g, '');
  const length = text.replace(/={1,2}$/, '').length;
  // Strict, because the platform's decoder is lenient: it would skip foreign characters and return other octets than
  // the sender's.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return malformed('syntax', 'base64 with foreign characters');
  if (length % 4 === 1) return malformed('syntax', 'base64 that is cut short');
  return Buffer.from(text, 'base64');
};

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;
const EQUALS = 0x3d;

/**
 * Lenient: a `=` that begins no code stands for itself (RFC 2045 §6.7). One pass: blanks at a line's end are removed
 * again.
 */
const fromQuotedPrintable = (body: Buffer): Buffer => {
  const out = Buffer.alloc(body.length);
  let length = 0;
  /** Blanks up to here are content: they were encoded, or something follows them. */
  let kept = 0;
  for (let at = 0; at < body.length; ) {
    const octet = body[at]!;
    const lineEnd = lineEndAt(body, octet === EQUALS ? at + 1 : at);
    const code = octet === EQUALS ? hexAt(body, at + 1) : -1;
    if (octet === EQUALS && lineEnd > 0) {
      at += 1 + lineEnd;
      kept = length;
    } else if (code >= 0) {
      out[length++] = code;
      kept = length;
      at += 3;
    } else {
      if (lineEnd > 0) length = kept;
      out[length++] = octet;
      if (octet !== BLANK && octet !== TAB) kept = length;
      at++;
    }
  }
  return out.subarray(0, length);
};

/** Length of the line end at this position; 0 when there is none. */
const lineEndAt = (body: Buffer, at: number): number => {
  if (body[at] === LF) return 1;
  return body[at] === CR && body[at + 1] === LF ? 2 : 0;
};

/** The octet of two hexadecimal digits; negative when they are invalid. */
const hexAt = (body: Buffer, at: number): number => {
  const high = hexDigit(body[at]);
  const low = hexDigit(body[at + 1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
};

const hexDigit = (octet = 0): number => {
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30;
  const upper = octet & 0xdf;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1;
};

/** Lines of 76 characters, each ended by CRLF. No line begins with a dot, and none is too long for SMTP. */
export const toBase64Lines = (bytes: Buffer): string => bytes.toString('base64').replaceAll(/.{1,76}/g, '$&\r\n');
