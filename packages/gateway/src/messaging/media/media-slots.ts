/**
 * Decides which requests may fetch media now, within limits per account, per host and overall. A slow fetch gives its
 * slot to others and counts against a separate, bounded number of slow ones.
 */
import type { AccountId, RequestId } from '../../kernel/ids.ts';
import { mediaHosts } from '../../model/media-hosts.ts';
import type { MediaJob } from '../store/media-items.ts';

/**
 * Concurrent quick requests. Each holds one medium in memory: 5 MB. With the slow ones that is 200 MB in all, or 600 MB
 * if every server sends unrequested compressed data that inflates to 10 MB.
 */
export const requestsMax = 16;
/** Quick requests per account. */
export const accountRequestsMax = 8;
/**
 * At this number of requests only accounts without any may begin one: a few slow servers never block all other
 * accounts.
 */
export const sharedRequestsMax = 12;
/** Requests of one account to one host, quick and slow. */
export const hostRequestsMax = 4;
/** The same while that host has kept one of them waiting for longer than `slowMs`. */
export const slowHostRequestsMax = 2;
/** A fetch that takes longer counts as slow. */
export const slowMs = 2_000;
/** Slow requests that no longer count as quick, in all and per account. */
export const slowRequestsMax = 24;
export const accountSlowRequestsMax = 12;

export interface MediaSlots {
  /** Takes a slot for the request; false when it has to wait. */
  enter(job: MediaJob): boolean;
  /** The request has its media, so its hosts no longer count. */
  fetched(requestId: RequestId): void;
  leave(requestId: RequestId): void;
  has(requestId: RequestId): boolean;
  /** Requests under way. */
  size(): number;
  /** No request could enter, regardless of its account and hosts. */
  full(): boolean;
}

interface Entry {
  accountId: AccountId;
  /** Empty once its media are fetched. */
  hosts: string[];
  sinceMs: number;
  slow: boolean;
}

export function createMediaSlots(monotonicMs: () => number): MediaSlots {
  /** By request. */
  const entries = new Map<string, Entry>();

  function count(counts: (entry: Entry) => boolean): number {
    let found = 0;
    for (const entry of entries.values()) if (counts(entry)) found += 1;
    return found;
  }

  /** Whether a host is delaying the request now. */
  function isHeldUp({ hosts, sinceMs }: Entry): boolean {
    return hosts.length > 0 && monotonicMs() - sinceMs >= slowMs;
  }

  /** Moves requests that became slow out of the quick slots, oldest first. */
  function settle(): void {
    for (const entry of entries.values()) {
      if (entry.slow || !isHeldUp(entry)) continue;
      const slow = count((other) => other.slow);
      const own = count((other) => other.slow && other.accountId === entry.accountId);
      entry.slow = slow < slowRequestsMax && own < accountSlowRequestsMax;
    }
  }

  function hostHasCapacity(accountId: AccountId, host: string): boolean {
    const there = [...entries.values()].filter((one) => one.accountId === accountId && one.hosts.includes(host));
    return there.length < (there.some(isHeldUp) ? slowHostRequestsMax : hostRequestsMax);
  }

  const quick = () => count(({ slow }) => !slow);

  return {
    enter({ requestId, accountId, mediaUrls }) {
      settle();
      const own = count((entry) => !entry.slow && entry.accountId === accountId);
      const room = own < accountRequestsMax && quick() < (own === 0 ? requestsMax : sharedRequestsMax);
      const hosts = mediaHosts(mediaUrls);
      if (!room || !hosts.every((host) => hostHasCapacity(accountId, host))) return false;
      entries.set(requestId, { accountId, hosts, sinceMs: monotonicMs(), slow: false });
      return true;
    },
    fetched: (requestId) => {
      const entry = entries.get(requestId);
      if (entry !== undefined) entry.hosts = [];
    },
    leave: (requestId) => {
      entries.delete(requestId);
    },
    has: (requestId) => entries.has(requestId),
    size: () => entries.size,
    full: () => {
      settle();
      return quick() >= requestsMax;
    },
  };
}
