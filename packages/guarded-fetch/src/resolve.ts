/** All addresses of a host name. The dialler checks every one. */
import { lookup, Resolver } from 'node:dns/promises';
import type { Clock } from './clock.ts';

/**
 * Every address of `name`, best first, at least one; null when it has none or no answer came. `localNames`: resolve
 * like any program on this machine, with hosts file and search list.
 */
export type Resolve = (name: string, localNames: boolean) => Promise<readonly string[] | null>;

const queryTimeoutMs = 2_000;
const queryTries = 2;

/**
 * Resolves by DNS. Without `localNames` it queries DNS directly: `getaddrinfo` holds a thread of a small pool while it
 * waits, so a few names with dead servers would block every other look-up of the process.
 */
export const machineResolve: Resolve = async (name, localNames) => {
  try {
    return localNames ? await askMachine(name) : await askDns(name);
  } catch {
    return null;
  }
};

async function askMachine(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

/** IPv4 first: a machine without IPv6 is common, one without IPv4 is not. */
async function askDns(name: string): Promise<string[] | null> {
  // A new resolver for each query: it reads the machine's current configuration, which costs 0.04 ms.
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return addresses.length === 0 ? null : addresses;
}

/** How long `rememberResolved` caches answers, and how many. */
export interface ResolveMemory {
  readonly keptMs: number;
  readonly namesMax: number;
}

/**
 * The same with a short cache; concurrent queries for a name wait for the first. Failures are not cached. Safe against
 * rebinding: an address is checked each time it is used, not when it is resolved.
 */
export function rememberResolved(resolve: Resolve, clock: Clock, memory: ResolveMemory): Resolve {
  const known = new Map<string, { answer: ReturnType<Resolve>; untilMs: number }>();

  return (name, localNames) => {
    const key = `${localNames ? 'local' : 'dns'} ${name}`;
    const now = clock.monotonicMs();
    const kept = known.get(key);
    if (kept !== undefined && kept.untilMs > now) return kept.answer;
    const entry = { answer: resolve(name, localNames), untilMs: now + memory.keptMs };
    known.delete(key);
    known.set(key, entry);
    // Removes the oldest: entries are in the order of their queries.
    if (known.size > memory.namesMax) known.delete(known.keys().next().value!);
    const forget = () => known.get(key) === entry && known.delete(key);
    entry.answer.then((addresses) => addresses ?? forget(), forget);
    return entry.answer;
  };
}
