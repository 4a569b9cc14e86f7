// UCS-2 as it is used in practice: UTF-16, big-endian, no byte order mark (SMPP data_coding 0x08).
// It never repairs or refuses a text: lone surrogates go through both ways, `isWellFormed` tells of them.

/** Text, or the stretch of it from `start` to before `end`, to UTF-16BE: two octets for each UTF-16 unit. */
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

/** UTF-16BE to text. `oddOctet` is true when a single octet was left over at the end; it is not in `text`. */
export function decodeUcs2(octets: Uint8Array): { text: string; oddOctet: boolean } {
  let text = '';
  for (let i = 0; i + 1 < octets.length; i += 2) text += String.fromCharCode((octets[i]! << 8) | octets[i + 1]!);
  return { text, oddOctet: octets.length % 2 === 1 };
}

/** False when the text has a high or low surrogate without its partner: such a text is no Unicode text. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
