// The GSM 7-bit default alphabet and its extension table (3GPP 23.038 §6.2.1), one septet in each octet as SMPP carries
// it. Never replaces a character to make a text fit: a character outside the alphabet is a refusal, not a '?'.

/** Position = septet value. ESC at 0x1B only fills its place: it is not a character and cannot be encoded. */
export const DEFAULT_ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ' +
  ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** The codes after ESC. 0x0D (a reserved control) and 0x1B (a further escape) are omitted: they are not characters. */
export const EXTENSION: ReadonlyMap<number, string> = new Map([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
]);

export const ESCAPE = 0x1b;
const NOT_GSM = 0xffff;

/**
 * UTF-16 unit -> septet, or ESC << 8 | septet, or NOT_GSM. One entry for each unit, so that a look-up needs no bounds
 * check.
 */
const SEPTETS = buildSeptets();

function buildSeptets(): Uint16Array {
  const septets = new Uint16Array(0x10000).fill(NOT_GSM);
  for (let code = 0; code < DEFAULT_ALPHABET.length; code++) {
    if (code !== ESCAPE) septets[DEFAULT_ALPHABET.charCodeAt(code)] = code;
  }
  for (const [code, character] of EXTENSION) septets[character.charCodeAt(0)] = (ESCAPE << 8) | code;
  return septets;
}

/** The septets of the UTF-16 unit at `index`: 1, 2 with its escape, or 0 when it is not in GSM-7. */
export function septetWidth(text: string, index: number): 0 | 1 | 2 {
  const code = SEPTETS[text.charCodeAt(index)]!;
  if (code <= 0x7f) return 1;
  return code === NOT_GSM ? 0 : 2;
}

/** The septets of the whole text, escapes included; `undefined` when a character is not in GSM-7. */
export function countSeptets(text: string): number | undefined {
  let septets = 0;
  for (let i = 0; i < text.length; i++) {
    const width = septetWidth(text, i);
    if (width === 0) return undefined;
    septets += width;
  }
  return septets;
}

/**
 * Text to unpacked GSM-7: one septet in each octet, high bit 0, extension characters as ESC and a second septet.
 * `undefined` when a character is not in GSM-7.
 */
export function encodeGsm7(text: string): Uint8Array | undefined {
  const septets = countSeptets(text);
  return septets === undefined ? undefined : encodeSeptets(text, 0, text.length, septets);
}

/** The same for a range of a text that is known to be GSM-7 and to take `septets`. */
export function encodeSeptets(text: string, start: number, end: number, septets: number): Uint8Array {
  const octets = new Uint8Array(septets);
  let at = 0;
  for (let i = start; i < end; i++) {
    const code = SEPTETS[text.charCodeAt(i)]!;
    if (code > 0x7f) octets[at++] = ESCAPE;
    octets[at++] = code & 0x7f;
  }
  return octets;
}

/**
 * Unpacked GSM-7 to text. Never fails; codes outside the tables are shown as 23.038 §6.2.1.1 requires of a receiver: an
 * unknown extension code as the default character of that code, ESC ESC and a lone last ESC as one space. An octet
 * above 0x7F is not a septet and becomes U+FFFD.
 */
export function decodeGsm7(octets: Uint8Array): string {
  let text = '';
  for (let i = 0; i < octets.length; i++) {
    if (octets[i] !== ESCAPE) text += defaultCharacter(octets[i]!);
    else text += escapedCharacter(octets[++i]);
  }
  return text;
}

function escapedCharacter(code: number | undefined): string {
  if (code === undefined || code === ESCAPE) return ' ';
  return EXTENSION.get(code) ?? defaultCharacter(code);
}

function defaultCharacter(code: number): string {
  return DEFAULT_ALPHABET[code] ?? '\ufffd';
}
