/** A token bucket: `ratePerSecond` tokens per second, at most `burst` saved. The caller passes the time. */

export interface TokenBucket {
  /**
   * Takes `count` tokens if there are enough. A count above the burst is taken from a full bucket, which then owes the
   * rest.
   */
  take(count: number, nowMs: number): boolean;
  /** Gives back what was taken for nothing. */
  giveBack(count: number, nowMs: number): void;
  /** Whole tokens available now. */
  left(nowMs: number): number;
  /** Ms until `count` tokens are available. */
  waitMs(count: number, nowMs: number): number;
}

export function createTokenBucket(ratePerSecond: number, burst: number, nowMs: number): TokenBucket {
  let tokens = burst;
  let at = nowMs;
  const refill = (now: number): void => {
    if (now > at) {
      tokens = Math.min(burst, tokens + ((now - at) * ratePerSecond) / 1_000);
      at = now;
    }
  };
  return {
    take: (count, now) => {
      refill(now);
      if (tokens < Math.min(count, burst)) return false;
      tokens -= count;
      return true;
    },
    giveBack: (count, now) => {
      refill(now);
      tokens = Math.min(burst, tokens + count);
    },
    left: (now) => {
      refill(now);
      return Math.max(0, Math.floor(tokens));
    },
    waitMs: (count, now) => {
      refill(now);
      const missing = Math.min(count, burst) - tokens;
      return missing <= 0 ? 0 : Math.ceil((missing * 1_000) / ratePerSecond);
    },
  };
}
