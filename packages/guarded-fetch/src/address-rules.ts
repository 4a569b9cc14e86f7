/**
 * Which IP addresses may be dialled for a customer's URL. Judges one address as text, and refuses every address that it
 * does not know. Source: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), and the documents of cloud
 * providers.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Address, number];

/** The operator's rules for addresses and ports. */
export interface AddressPolicy {
  /** Allows loopback, private addresses and every port. */
  readonly allowPrivate: boolean;
  /** Addresses of this machine, including its public ones. Never dialled, except loopback. */
  readonly ownAddresses: readonly string[];
  /** Ports this process listens on. Never dialled on loopback. */
  readonly ownPorts: readonly number[];
  /** Addresses of this process's test servers: allowed whatever the other rules say. */
  readonly simulators?: readonly SimulatorAddress[];
}

export interface SimulatorAddress {
  readonly address: string;
  readonly port: number;
}

/** Whether `policy` names this address and port as a simulator. */
export function isSimulator(address: string, port: number, { simulators = [] }: AddressPolicy): boolean {
  return simulators.some((one) => one.port === port && sameAddress(one.address, address));
}

type AddressClass = 'public' | 'private' | 'loopback' | 'never';

/**
 * RFC 6052 and similar embed an IPv4 address in an IPv6 one; all such addresses are outside this block or inside
 * `never`.
 */
const globalUnicast = blocks('2000::/3');

const loopback = blocks('127.0.0.0/8', '::1/128');

/** 100.64.0.0/10 is shared between a carrier and its customers (RFC 6598): private here. */
const privateUse = blocks('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7');

/** Metadata services of clouds, which hand out credentials. Link-local ones are in `never` anyway. */
const metadata = blocks(
  '168.63.129.16/32', // Azure, a public address
  '100.100.100.200/32', // Alibaba Cloud
  'fd00:ec2::/32', // AWS: ::254 metadata, ::23 pod identity, ::253 DNS, ::123 time
  'fd20:ce::/32', // Google Cloud
  'fd00:c1::/32', // Oracle Cloud
  'fd00:42::/32', // Scaleway
);

const never = blocks(
  '0.0.0.0/8', // this network; 0.0.0.0 reaches loopback
  '169.254.0.0/16', // link-local, with the metadata services
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '2001::/23', // IETF protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
);

/** True when `address` (without brackets) may be dialled on `port` under `policy`. False for an invalid address. */
export function mayDial(address: string, port: number, policy: AddressPolicy): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (isSimulator(address, port, policy)) return true;
  const kind = classOf(parsed);
  if (kind === 'never') return false;
  if (kind === 'loopback') return policy.allowPrivate && !policy.ownPorts.includes(port);
  if (policy.ownAddresses.some((own) => sameAddress(own, address))) return false;
  return kind === 'public' || policy.allowPrivate;
}

/** True when both are the same address, however written. False when either is invalid. */
export function sameAddress(one: string, other: string): boolean {
  if (one === other) return isIP(one) !== 0;
  const [first, second] = [parseAddress(one), parseAddress(other)];
  return first !== null && second !== null && first.toNormalizedString() === second.toNormalizedString();
}

/** True for 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && classOf(parsed) === 'loopback';
}

/** Null for everything that the operating system would read as another address or not at all, and for zone ids. */
function parseAddress(text: string): Address | null {
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text);
}

function classOf(address: Address): AddressClass {
  if (within(address, loopback)) return 'loopback';
  if (within(address, metadata) || within(address, never) || isIsatap(address)) return 'never';
  if (within(address, privateUse)) return 'private';
  return address.kind() === 'ipv4' || within(address, globalUnicast) ? 'public' : 'never';
}

/** RFC 5214 §6.1: an interface identifier 00-00-5E-FE or 02-00-5E-FE before an IPv4 address, under any prefix. */
function isIsatap(address: Address): boolean {
  if (address.kind() === 'ipv4') return false;
  const { parts } = address as ipaddr.IPv6;
  return (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe;
}

function within(address: Address, list: readonly Block[]): boolean {
  return list.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}

function blocks(...texts: string[]): Block[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}
