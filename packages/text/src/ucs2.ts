// UCS-2 as used in practice: UTF-16, big-endian, no byte order mark (SMPP data_coding 0x08). Never repairs or refuses a
// text: lone surrogates pass both ways; `isWellFormed` detects them.

/** Text, or its range from `start` to before `end`, to UTF-16BE: two octets for each UTF-16 unit. */
export function encodeUcs2(text: string, start = 0, end = text.length): Uint8Array {
  const octets = new Uint8Array((end - start) * 2);
  let at = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    octets[at++] = unit >> 8;
    octets[at++] = unit & 0xff;
  }
  return octets;
}

/** UTF-16BE to text. `oddOctet` is true when a single octet was left at the end; it is not in `text`. */
export function decodeUcs2(octets: Uint8Array): { text: string; oddOctet: boolean } {
  let text = '';
  for (let i = 0; i + 1 < octets.length; i += 2) text += String.fromCharCode((octets[i]! << 8) | octets[i + 1]!);
  return { text, oddOctet: octets.length % 2 === 1 };
}

/** False when the text has a surrogate without its partner: it is not valid Unicode. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
