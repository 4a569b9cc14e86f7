/** Numbers are digits everywhere in the gateway; some peers write the plus sign of E.164. Anything else stays as it is. */
export function digitsOf(address: string): string {
  return address.startsWith('+') ? address.slice(1) : address;
}
