/**
 * How long messages are stored: texts shorter than the rest. Messages that are not final stay at any age, and opt-outs
 * stay for ever. Pure.
 */
import { dayMs, type EpochMs } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { Account, Retention } from './records.ts';

export const defaultRetention: Retention = { bodyDays: 30, metadataDays: 400 };

export const retentionLimits = { daysMin: 1, daysMax: 3_650 } as const;

/** Messages accepted before these times lose their texts, or are deleted. */
export interface RetentionCut {
  accountId: AccountId;
  bodiesBefore: EpochMs;
  messagesBefore: EpochMs;
}

export function retentionOf({ retention = defaultRetention }: Pick<Account, 'retention'>): Retention {
  return retention;
}

export function retentionCut(account: Account, now: EpochMs): RetentionCut {
  const { bodyDays, metadataDays } = retentionOf(account);
  return {
    accountId: account.accountId,
    bodiesBefore: now - bodyDays * dayMs,
    messagesBefore: now - Math.max(bodyDays, metadataDays) * dayMs,
  };
}
