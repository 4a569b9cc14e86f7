/** Matches a peer's address against a carrier's allowed IP addresses and CIDR blocks. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Entries were checked when the record was written; one that is no address or block matches nothing. */
export function peerAddresses(entries: readonly string[]): (address: string) => boolean {
  const blocks = entries.filter((entry) => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry)).map(blockOf);
  return (address) => {
    if (isIP(address) === 0 || address.includes('%')) return false;
    // An IPv4 peer of a socket that listens on both families comes as ::ffff:a.b.c.d.
    const parsed = ipaddr.process(address);
    return blocks.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function blockOf(entry: string): [Address, number] {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry);
  const address = ipaddr.process(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
