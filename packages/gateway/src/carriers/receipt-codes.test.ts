import { describe, expect, it } from 'vitest';
import { outcomeCodes } from '../domain/reason.ts';
import { sandboxReceiptErrors } from '../domain/sandbox.ts';
import { receiptVerdict } from './receipt-codes.ts';

const none = new Map<string, string>();

describe('what a receipt means', () => {
  it.each([
    ['DELIVERED', 'delivered', 'DELIVERED'],
    ['EXPIRED', 'undelivered', 'EXPIRED'],
    ['DELETED', 'undelivered', 'CANCELED'],
    ['UNDELIVERABLE', 'undelivered', 'UNREACHABLE'],
    ['REJECTED', 'undelivered', 'CARRIER_REJECTED'],
    ['SKIPPED', 'undelivered', 'UNKNOWN'],
    ['ACCEPTED', 'interim', null],
    ['SCHEDULED', 'interim', null],
    ['ENROUTE', 'interim', null],
    ['UNKNOWN', 'interim', null],
  ] as const)('%s is %s with %s', (word, state, code) => {
    expect(receiptVerdict(word, undefined, none)).toEqual({ state, code });
    if (code !== null) expect(outcomeCodes).toHaveProperty(code);
  });

  it('refines a failure by the table of the carrier', () => {
    expect(receiptVerdict('UNDELIVERABLE', '034', sandboxReceiptErrors).code).toBe('CARRIER_FILTERED');
    expect(receiptVerdict('UNDELIVERABLE', '120', sandboxReceiptErrors).code).toBe('NOT_MOBILE');
    expect(receiptVerdict('REJECTED', '123', sandboxReceiptErrors).code).toBe('CAMPAIGN_LIMIT');
    expect(receiptVerdict('UNDELIVERABLE', '027', sandboxReceiptErrors).code).toBe('UNREACHABLE');
    for (const code of sandboxReceiptErrors.values()) expect(outcomeCodes).toHaveProperty(code);
  });

  it('takes a delivery for a delivery and a delay for a delay, whatever stands in err', () => {
    expect(receiptVerdict('DELIVERED', '034', sandboxReceiptErrors).code).toBe('DELIVERED');
    expect(receiptVerdict('ENROUTE', '034', sandboxReceiptErrors).state).toBe('interim');
  });
});
