/**
 * Limits failed sign-ins: 5 in 15 minutes for each pair of account and address; after 100 a day for an account only one
 * for each address; and a limit for each address over all accounts. Other people's failures never lock a person out
 * from their own address. In memory, bounded; unknown accounts count too.
 */
import { addressGroup } from '../../kernel/address-group.ts';
import { type Clock, dayMs } from '../../kernel/clock.ts';
import { hashToken } from '../../kernel/written-forms.ts';
import { createCounters } from './counters.ts';

export const attemptLimits = {
  perAddress: 5,
  windowMs: 15 * 60_000,
  /** Failures of one account in a day, after which an address has only one attempt. */
  perAccount: 100,
  accountWindowMs: dayMs,
  /** Failures of one address over all accounts in `windowMs`. */
  overAccounts: 50,
  /** The most counters; the oldest are dropped. */
  countersMax: 20_000,
} as const;

export type AttemptVerdict = { allowed: true } | { allowed: false; retryAfterSeconds: number };

export interface Attempts {
  /** Counts an attempt as failed before its outcome is known, so that parallel attempts cannot get around the limit. */
  begin(account: string, address: string): AttemptVerdict;
  /** The attempt succeeded: undoes its count, and clears earlier failures from this address. */
  right(account: string, address: string): void;
  /** The attempt had no outcome: undoes its count. */
  undone(account: string, address: string): void;
}

export function createAttempts({ clock }: { clock: Clock }): Attempts {
  const { of, add, takeBack, forget } = createCounters(clock, attemptLimits.countersMax);

  const names = (account: string, address: string) => {
    const key = hashToken(account).slice(0, 32);
    const from = addressGroup(address);
    return { pair: `pair ${key} ${from}`, account: `account ${key}`, address: `address ${from}` };
  };

  return {
    begin(account, address) {
      const name = names(account, address);
      const guessed = (of(name.account)?.count ?? 0) >= attemptLimits.perAccount;
      const limits: [string, number][] = [
        [name.pair, guessed ? 1 : attemptLimits.perAddress],
        [name.address, attemptLimits.overAccounts],
      ];
      for (const [which, max] of limits) {
        const counter = of(which);
        if (counter === null || counter.count < max) continue;
        return { allowed: false, retryAfterSeconds: Math.ceil((counter.endsAt - clock.monotonicMs()) / 1_000) };
      }
      add(name.pair, attemptLimits.windowMs);
      add(name.address, attemptLimits.windowMs);
      add(name.account, attemptLimits.accountWindowMs);
      return { allowed: true };
    },
    right(account, address) {
      const name = names(account, address);
      forget(name.pair);
      takeBack(name.address);
      takeBack(name.account);
    },
    undone(account, address) {
      const name = names(account, address);
      for (const which of [name.pair, name.address, name.account]) takeBack(which);
    },
  };
}
