/**
 * Normalizes carrier message ids. Carriers change case, drop leading zeros, or answer in hexadecimal and report in
 * decimal; these keys make both spellings equal. Ids stay strings: 18 to 20 digits exceed a double and 64 bits (SMPP
 * 3.4 §5.2.23 allows 64 characters).
 */
import { hash } from 'node:crypto';

/** How a carrier writes ids: the same everywhere, hexadecimal in one of submit_sm_resp and receipt, or not known yet. */
export type CarrierIdBase = 'auto' | 'string' | 'resp-hex' | 'receipt-hex';

/** Ids longer than the standard allows are compared unchanged, never converted. */
const convertibleCharactersMax = 64;

/** An index entry of PostgreSQL has at most 2,704 bytes, for up to five columns. */
const storedCharactersMax = 255;

/** An id as it is kept; a longer one is replaced by its hash, in answers and receipts alike. */
export const boundedId = (id: string): string =>
  id.length <= storedCharactersMax ? id : `sha256:${hash('sha256', id)}`;

/** The key of an id from a response: lower case, without leading zeros. '' stays '' and matches nothing. */
export function carrierIdKey(id: string): string {
  return id.toLowerCase().replace(/^0+(?=.)/, '');
}

/** The keys under which a receipt's id may be stored, most exact first; none for an empty id. */
export function carrierIdKeys(id: string, base: CarrierIdBase): string[] {
  const own = carrierIdKey(id);
  if (own === '') return [];
  if (own.length > convertibleCharactersMax) return [own];
  const asHex = /^[0-9]+$/.test(own) ? BigInt(own).toString(16) : null;
  const asDecimal = /^[0-9a-f]+$/.test(own) ? BigInt(`0x${own}`).toString(10) : null;
  switch (base) {
    case 'string':
      return [own];
    case 'resp-hex':
      return [asHex ?? own];
    case 'receipt-hex':
      return [asDecimal ?? own];
    case 'auto':
      return [...new Set([own, asHex, asDecimal])].filter((key) => key !== null);
  }
}
