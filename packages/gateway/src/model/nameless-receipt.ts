/**
 * The stand-in for the id of a receipt that has none. The store keeps one receipt for each id and state, so without it
 * only the first of a carrier's receipts without an id would be kept. It is no key: it matches no message. Pure.
 */

/** What people read in the place of the id; the beginning of a hash follows. */
const mark = '(none) ';
const hashCharacters = 16;

/** `hashed`: a hash of everything by which people tell such receipts apart. */
export function standInId(hashed: string): string {
  return mark + hashed.slice(0, hashCharacters);
}

/** The id that the carrier wrote; '' when it wrote none. */
export function writtenId(carrierMessageId: string): string {
  return carrierMessageId.startsWith(mark) ? '' : carrierMessageId;
}
