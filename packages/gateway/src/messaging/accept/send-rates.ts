/** Limits how fast one number may send and one recipient may be texted: token buckets in memory, bounded. */
import type { Clock } from '../../kernel/clock.ts';
import { createTokenBucket, type TokenBucket } from '../../kernel/token-bucket.ts';
import type { Limits } from '../../model/limits.ts';
import type { SendingNumber } from '../../model/records.ts';

const recipientsMax = 100_000;

export interface SendRates {
  /** Takes `count` recipients out of the number's rate. */
  takeSender(number: SendingNumber, count: number): boolean;
  /** Takes one text to this recipient out of the account's rate to it. */
  takeRecipient(accountId: string, to: string): boolean;
}

export function createSendRates(limits: Limits, clock: Clock): SendRates {
  const senders = new Map<string, { rate: number; bucket: TokenBucket }>();
  const recipients = new Map<string, TokenBucket>();
  return {
    takeSender: (number, count) => {
      const rate = number.messagesPerSecond;
      if (rate <= 0) return true;
      let entry = senders.get(number.number);
      if (entry === undefined || entry.rate !== rate) {
        entry = { rate, bucket: createTokenBucket(rate, rate, clock.monotonicMs()) };
        senders.set(number.number, entry);
      }
      return entry.bucket.take(count, clock.monotonicMs());
    },
    takeRecipient: (accountId, to) => {
      const rate = limits.recipientMessagesPerSecond;
      if (rate <= 0) return true;
      const name = `${accountId} ${to}`;
      const bucket = recipients.get(name) ?? createTokenBucket(rate, limits.recipientBurst, clock.monotonicMs());
      recipients.delete(name);
      recipients.set(name, bucket);
      if (recipients.size > recipientsMax) recipients.delete(recipients.keys().next().value ?? name);
      return bucket.take(1, clock.monotonicMs());
    },
  };
}
