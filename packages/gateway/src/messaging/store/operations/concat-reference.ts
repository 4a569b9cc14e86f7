/**
 * The concatenation reference by which the parts of a text find each other. The same number with 8 and with 16 bits is
 * of two texts (3GPP TS 23.040 §9.2.3.24.8).
 */
import type { InboundPart } from '../../../model/delivery.ts';

/** Stands for the reference of a text in one part. */
export const noReference = -1;

/** Added to a reference of 16 bits that 8 bits could hold too. */
const wideMark = 0x1_0000;

export function setReference({ reference, bits }: NonNullable<InboundPart['concat']>): number {
  return bits === 16 && reference <= 0xff ? reference + wideMark : reference;
}

/** As the handset wrote it; 0 = none. */
export function plainReference(stored: number): number {
  return Math.max(0, stored % wideMark);
}
