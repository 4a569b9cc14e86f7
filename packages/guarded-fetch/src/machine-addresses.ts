/** The addresses of this machine, read from the network interfaces. */
import { networkInterfaces } from 'node:os';

/** Current addresses of all interfaces but loopback, without zone ids. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((address) => !address.internal)
    .map(({ address }) => address);
}
