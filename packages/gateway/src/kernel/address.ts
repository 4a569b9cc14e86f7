/** Validates IP addresses and CIDR blocks (RFC 4632, RFC 4291). */
import { isIP } from 'node:net';

/** True for `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isAddressOrBlock(text: string): boolean {
  const [address, bits, ...more] = text.split('/');
  const version = isIP(address!);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
