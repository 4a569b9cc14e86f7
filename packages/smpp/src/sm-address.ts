/**
 * Numbers are digits everywhere in the gateway; some peers write the plus sign of E.164, some the 00 that is dialled for
 * it. Anything else, a short code or a name, stays as it is.
 */
export function digitsOf(address: string): string {
  return address.replace(/^(?:\+|00(?=[1-9][0-9]{7,}$))/, '');
}
