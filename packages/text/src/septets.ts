// Packs 7-bit septets into octets and back (3GPP 23.038 §6.1.2.1.1, 23.040 §9.2.3.24 for the fill bits). SMPP text is
// normally NOT packed; a few vendors ask for it.

/** Bits between the end of a header and the next septet border. `headerOctets` counts the UDHL octet too. */
function fillBits(headerOctets: number): number {
  return (7 - ((headerOctets * 8) % 7)) % 7;
}

/**
 * Packs one-septet-per-octet text, low bits first. `headerOctets`: size of the user data header (with UDHL) that
 * precedes the result; its fill bits are included, the header itself is not. Spare bits at the end are 0.
 */
export function packSeptets(septets: Uint8Array, headerOctets = 0): Uint8Array {
  let bit = fillBits(headerOctets);
  const octets = new Uint8Array(Math.ceil((bit + septets.length * 7) / 8));
  for (const septet of septets) {
    const shift = bit & 7;
    const bits = (septet & 0x7f) << shift;
    octets[bit >> 3]! |= bits;
    if (shift > 1) octets[(bit >> 3) + 1]! |= bits >> 8;
    bit += 7;
  }
  return octets;
}

/**
 * Unpacks octets that followed a header of `headerOctets`. `count` is the number of septets to read (a TP-UDL less
 * those of the header); without it, or when it is too high, as many as the octets hold. Give it when you know it: seven
 * spare bits at the end look like an '@'.
 */
export function unpackSeptets(octets: Uint8Array, headerOctets = 0, count = Number.POSITIVE_INFINITY): Uint8Array {
  let bit = fillBits(headerOctets);
  const held = Math.max(0, Math.floor((octets.length * 8 - bit) / 7));
  const septets = new Uint8Array(Math.min(held, count));
  for (let i = 0; i < septets.length; i++, bit += 7) {
    const pair = octets[bit >> 3]! | ((octets[(bit >> 3) + 1] ?? 0) << 8);
    septets[i] = (pair >> (bit & 7)) & 0x7f;
  }
  return septets;
}
