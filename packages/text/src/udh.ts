// The user data header (3GPP 23.040 §9.2.3.24) before a part: written for concatenation, read for all elements. The
// caller reassembles messages.

/** Which message a part belongs to and which part it is. */
export interface Concatenation {
  /** The same in all parts of a message: 0-255 with 8 bits, 0-65535 with 16. */
  readonly reference: number;
  readonly bits: 8 | 16;
  /** Parts in the message, 1-255. */
  readonly total: number;
  /** This part, from 1. */
  readonly sequence: number;
}

export interface UdhElement {
  readonly id: number;
  readonly data: Uint8Array;
}

export type ParsedUdh =
  | {
      readonly ok: true;
      /** Octets to skip to the text, the UDHL octet included. */
      readonly headerOctets: number;
      /** All information elements in order, known or not. */
      readonly elements: readonly UdhElement[];
      readonly concat?: Concatenation;
    }
  /** There is no header to skip: no octets at all, or fewer than the UDHL says. */
  | { readonly ok: false; readonly reason: 'empty' | 'header-too-long' }
  /** An element exceeds the header: the whole header is to be ignored, the text after it can be read. */
  | { readonly ok: false; readonly reason: 'element-too-long'; readonly headerOctets: number };

const CONCAT_8_BIT = 0x00;
const CONCAT_16_BIT = 0x08;

/** The header of one part: 6 octets (8-bit reference) or 7 (16-bit). Throws RangeError on values that do not fit. */
export function concatUdh({ reference, bits, total, sequence }: Concatenation): Uint8Array {
  requireInteger('reference', reference, 0, bits === 8 ? 0xff : 0xffff);
  requireInteger('total', total, 1, 0xff);
  requireInteger('sequence', sequence, 1, total);
  return bits === 8
    ? Uint8Array.of(5, CONCAT_8_BIT, 3, reference, total, sequence)
    : Uint8Array.of(6, CONCAT_16_BIT, 4, reference >> 8, reference & 0xff, total, sequence);
}

function requireInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} ${value} is not an integer from ${min} to ${max}`);
  }
}

/**
 * Reads the header at the start of a message's octets. Call it only when the message has one (UDHI). Of several
 * concatenation elements, of either size, the last usable one counts.
 */
export function parseUdh(octets: Uint8Array): ParsedUdh {
  if (octets.length === 0) return { ok: false, reason: 'empty' };
  const headerOctets = octets[0]! + 1;
  if (headerOctets > octets.length) return { ok: false, reason: 'header-too-long' };

  const elements: UdhElement[] = [];
  let concat: Concatenation | undefined;
  for (let at = 1; at < headerOctets; ) {
    const end = at + 2 + (octets[at + 1] ?? 0);
    if (end > headerOctets) return { ok: false, reason: 'element-too-long', headerOctets };
    const element = { id: octets[at]!, data: new Uint8Array(octets.subarray(at + 2, end)) };
    elements.push(element);
    concat = readConcatenation(element) ?? concat;
    at = end;
  }
  return concat ? { ok: true, headerOctets, elements, concat } : { ok: true, headerOctets, elements };
}

/** §9.2.3.24.1 and .8: an element with total 0, sequence 0 or sequence over total is ignored; so is one of wrong length. */
function readConcatenation({ id, data }: UdhElement): Concatenation | undefined {
  const bits =
    id === CONCAT_8_BIT && data.length === 3 ? 8 : id === CONCAT_16_BIT && data.length === 4 ? 16 : undefined;
  if (bits === undefined) return undefined;
  const reference = bits === 8 ? data[0]! : (data[0]! << 8) | data[1]!;
  const total = data.at(-2)!;
  const sequence = data.at(-1)!;
  return sequence === 0 || sequence > total ? undefined : { reference, bits, total, sequence };
}
