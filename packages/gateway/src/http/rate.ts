/**
 * Rate limits per key pair and per account, in memory, with their response headers
 * (draft-ietf-httpapi-ratelimit-headers-10). Carrier throughput is separate.
 */
import type { Clock } from '../kernel/clock.ts';
import { createTokenBucket, type TokenBucket } from '../kernel/token-bucket.ts';
import type { Directory } from '../model/directory.ts';
import type { Caller } from '../model/send.ts';

export interface RateVerdict {
  allowed: boolean;
  /** Whole seconds until the next request is allowed; 0 when it is allowed now. */
  retryAfterSeconds: number;
  /** `RateLimit-Policy` and `RateLimit` as name, value, name, value; null when nothing limits this caller. */
  headers: readonly string[] | null;
}

export interface Rates {
  /** Counts one request of this caller. */
  take(caller: Caller): RateVerdict;
}

/** One limit: a bucket and how it is written in headers. */
interface Gauge {
  bucket: TokenBucket;
  ratePerSecond: number;
  burst: number;
  name: 'send' | 'account';
  policy: string;
}

const unlimited: RateVerdict = { allowed: true, retryAfterSeconds: 0, headers: null };

export interface RatesParts {
  clock: Clock;
  directory(): Directory;
  /** How many nodes share each rate equally. Absent = this one alone. */
  nodes?(): number;
}

export function createRates(parts: RatesParts): Rates {
  /** By the ids of keys and accounts. */
  const gauges = { send: new Map<string, Gauge>(), account: new Map<string, Gauge>() };
  let version = -1;

  function gaugeOf(name: Gauge['name'], id: string, allNodesRate: number, burst: number): Gauge | null {
    if (allNodesRate <= 0) return null;
    const ratePerSecond = allNodesRate / (parts.nodes?.() ?? 1);
    const known = gauges[name].get(id);
    if (known?.ratePerSecond === ratePerSecond && known.burst === burst) return known;
    const made: Gauge = {
      bucket: createTokenBucket(ratePerSecond, burst, parts.clock.monotonicMs()),
      ratePerSecond,
      burst,
      name,
      policy: `"${name}";q=${burst};w=${Math.ceil(burst / ratePerSecond)}`,
    };
    gauges[name].set(id, made);
    return made;
  }

  /** Drops the buckets of removed keys and accounts. */
  function forgetTheGone(): void {
    const directory = parts.directory();
    if (directory.version === version) return;
    version = directory.version;
    const keys = new Set(directory.records.apiKeys.map(({ keyId }) => keyId));
    for (const id of gauges.send.keys()) if (!keys.has(id)) gauges.send.delete(id);
    for (const id of gauges.account.keys()) if (directory.account(id) === undefined) gauges.account.delete(id);
  }

  return {
    take: ({ key, account }) => {
      forgetTheGone();
      const burst = burstOf(key.requestsPerSecond, key.burst);
      const ofKey = gaugeOf('send', key.keyId, key.requestsPerSecond, burst);
      const perSecond = account.requestsPerSecond;
      const ofAccount = gaugeOf('account', account.accountId, perSecond, burstOf(perSecond, perSecond));
      if (ofKey === null && ofAccount === null) return unlimited;
      const now = parts.clock.monotonicMs();
      const waitMs = Math.max(ofKey?.bucket.waitMs(1, now) ?? 0, ofAccount?.bucket.waitMs(1, now) ?? 0);
      if (waitMs === 0) {
        ofKey?.bucket.take(1, now);
        ofAccount?.bucket.take(1, now);
      }
      return {
        allowed: waitMs === 0,
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
        headers: headersOf(ofKey, ofAccount, now),
      };
    },
  };
}

/** A bucket holds at least one request, else none would ever pass. */
function burstOf(ratePerSecond: number, burst: number): number {
  return Math.max(1, burst > 0 ? burst : ratePerSecond);
}

function headersOf(ofKey: Gauge | null, ofAccount: Gauge | null, now: number): readonly string[] {
  if (ofKey === null || ofAccount === null) {
    const only = (ofKey ?? ofAccount)!;
    return ['RateLimit-Policy', only.policy, 'RateLimit', state(only, now)];
  }
  return [
    'RateLimit-Policy',
    `${ofKey.policy}, ${ofAccount.policy}`,
    'RateLimit',
    `${state(ofKey, now)}, ${state(ofAccount, now)}`,
  ];
}

/** `r` is the remaining number, `t` the seconds until the bucket is full. */
function state({ bucket, burst, ratePerSecond, name }: Gauge, now: number): string {
  const left = bucket.left(now);
  return `"${name}";r=${left};t=${Math.ceil((burst - left) / ratePerSecond)}`;
}
