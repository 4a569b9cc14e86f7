/** The address prefix by which clients are counted. Pure. */

/** Groups addresses by customer network: of an IPv6 address only the first 64 bits count (RFC 6177). */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address);
  if (mapped !== null) return mapped[1]!;
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  const words = [...front, ...zeros, ...back].slice(0, 4);
  return words.map((word) => word.replace(/^0+(?=.)/, '')).join(':');
}
