/** Matches a peer's address against a carrier's allowed IP addresses and CIDR blocks. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The record's entries were validated when it was written; an invalid entry matches nothing. */
export function peerAddresses(entries: readonly string[]): (address: string) => boolean {
  const blocks = entries.filter((entry) => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry)).map(blockOf);
  return (address) => {
    if (isIP(address) === 0 || address.includes('%')) return false;
    // On a dual-stack socket an IPv4 peer appears as ::ffff:a.b.c.d.
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
