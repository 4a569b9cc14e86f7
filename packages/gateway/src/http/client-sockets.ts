/**
 * Counts sockets per client address, so that one client cannot use up connections or leave too many answers unread.
 * Trusted proxies are exempt, as they carry many clients.
 */
import { BlockList, isIP, type Socket } from 'node:net';
import { addressGroup } from '../kernel/address-group.ts';

export class ClientSockets {
  readonly #max: number;
  readonly #exempt: BlockList;
  readonly #byClient = new Map<string, Set<Socket>>();
  /** A closed socket no longer knows its address. */
  readonly #clients = new WeakMap<Socket, string>();

  /** `max`: sockets of one client; 0 = no limit. `exempt`: addresses and CIDR blocks without a limit. */
  constructor(max: number, exempt: readonly string[]) {
    this.#max = max;
    this.#exempt = blockList(exempt);
  }

  /**
   * Counts a socket until `remove`. Returns the client's oldest socket when the client is over the limit, else null.
   */
  add(socket: Socket): Socket | null {
    const { remoteAddress } = socket;
    if (this.#max === 0 || remoteAddress === undefined || this.#isExempt(remoteAddress)) return null;
    const client = addressGroup(remoteAddress);
    const own = this.#byClient.get(client) ?? new Set();
    this.#byClient.set(client, own);
    this.#clients.set(socket, client);
    own.add(socket);
    return own.size > this.#max ? own.values().next().value! : null;
  }

  remove(socket: Socket): void {
    const client = this.#clients.get(socket);
    if (client === undefined) return;
    const own = this.#byClient.get(client);
    own?.delete(socket);
    if (own?.size === 0) this.#byClient.delete(client);
  }

  #isExempt(address: string): boolean {
    return this.#exempt.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Addresses and CIDR blocks; an entry that is neither matches nothing. */
export function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const version = isIP(address);
    if (version === 0) continue;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
