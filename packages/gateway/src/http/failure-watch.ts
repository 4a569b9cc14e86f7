/**
 * Counts refused credentials by address and key id, and warns the operator of guessing. It never blocks: a correct
 * pair from the same address must keep working.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { parseCredential } from '../model/credential.ts';

export interface FailureWatch {
  /** Reports a refused call. `sent` are the credentials as they came; only a key id is kept of them. */
  failed(address: string, sent: readonly (string | undefined)[]): void;
  /** Refused calls since the process started. */
  readonly total: number;
}

const addressMax = 10;
const addressWindowMs = 60_000;
const keyMax = 100;
const keyWindowMs = 3_600_000;
/** Names remembered at a time; the oldest is dropped first. */
const namesMax = 10_000;

interface Tally {
  count: number;
  sinceMs: number;
}

export function createFailureWatch(parts: { clock: Clock; logger: Logger }): FailureWatch {
  const tallies = new Map<string, Tally>();
  let total = 0;

  /** True when this failure is the one that reaches the limit of the window. */
  function fills(name: string, max: number, windowMs: number): boolean {
    const nowMs = parts.clock.monotonicMs();
    const known = tallies.get(name);
    if (known !== undefined && nowMs - known.sinceMs < windowMs) return ++known.count === max;
    tallies.delete(name);
    if (tallies.size >= namesMax) tallies.delete(tallies.keys().next().value!);
    tallies.set(name, { count: 1, sinceMs: nowMs });
    return max === 1;
  }

  return {
    get total() {
      return total;
    },
    failed: (address, sent) => {
      total++;
      if (fills(`address ${address}`, addressMax, addressWindowMs)) {
        parts.logger.warn({ address, count: addressMax }, 'many refused credentials from one address');
      }
      for (const token of sent) {
        const parsed = token === undefined ? null : parseCredential(token);
        if (parsed?.form === 'issued' && fills(`key ${parsed.keyId}`, keyMax, keyWindowMs)) {
          parts.logger.warn({ keyId: parsed.keyId, count: keyMax }, 'many refused credentials that name one key');
        }
      }
    },
  };
}
