/** Messages as the benchmarks of the store send them through it, one recipient each. */
import { machineClock } from '../packages/gateway/src/kernel/machine.ts';
import type { AcceptItem } from '../packages/gateway/src/messaging/store/items.ts';
import type { Claim, Receipt, Settlement } from '../packages/gateway/src/model/delivery.ts';

const waitForReceiptMs = 72 * 3_600_000;

export interface NewIds {
  requestId: string;
  messageId: string;
  /** One like any other when left out. */
  referenceId?: string;
}

export function benchItem(index: number, { requestId, messageId, referenceId }: NewIds): AcceptItem {
  const serial = String(index).padStart(10, '0');
  const now = machineClock.now();
  return {
    message: {
      requestId,
      accountId: 'acc_bench',
      keyId: 'key_bench',
      direction: 'outbound',
      referenceId: referenceId ?? `0190b5c8-1111-7222-8333-4444${serial.slice(-8)}`,
      from: '15550001111',
      text: 'Your order is on its way and will be with you tomorrow between nine and eleven.',
      wireText: null,
      mediaUrls: [],
      messageType: 'SMS',
      encoding: 'GSM-7',
      segments: 1,
      acceptedAt: now,
    },
    deliveries: [
      {
        messageId,
        to: `1415${String(5_550_000 + (index % 1_000_000)).padStart(7, '0')}`,
        lane: 'bench',
        expiresAt: now + 4 * 3_600_000,
        concatReference: index & 0xffff,
      },
    ],
    idempotency: null,
  };
}

/** The carrier has taken it. `carrierMessageId`: what it calls it. */
export function benchSent(claim: Claim, carrierMessageId: string): Settlement {
  return {
    messageId: claim.messageId,
    attempt: claim.attempt,
    to: 'sent',
    code: null,
    carrierCode: null,
    detail: null,
    carrier: 'bench',
    parts: [{ part: 1, carrierMessageId }],
    dueAt: machineClock.now() + waitForReceiptMs,
    lane: 'bench',
    countsAttempt: true,
  };
}

export function benchReceipt(to: string, carrierMessageId: string): Receipt {
  return {
    carrier: 'bench',
    carrierMessageId,
    idKeys: [carrierMessageId.toLowerCase().replace(/^0+/, '')],
    to,
    state: 'delivered',
    code: 'DELIVERED',
    carrierCode: '000',
    raw: `id:${carrierMessageId} sub:001 dlvrd:001 stat:DELIVRD err:000`,
    receivedAt: machineClock.now(),
  };
}
