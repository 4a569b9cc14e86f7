/** The addresses by which this machine is reached. An adapter: it reads the network interfaces and judges nothing. */
import { networkInterfaces } from 'node:os';

/** Addresses of all interfaces but loopback, as they are now. Zone ids are left out. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((address) => !address.internal)
    .map(({ address }) => address);
}
