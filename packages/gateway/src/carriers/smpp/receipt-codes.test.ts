import { isFinalState, type MessageState } from '@heliograph/smpp';
import { describe, expect, it } from 'vitest';
import { outcomeCodes } from '../../model/reason.ts';
import { sandboxReceiptErrors } from '../../model/sandbox.ts';
import { type ReceiptErrors, receiptVerdict } from './codec.ts';

const none: ReceiptErrors = new Map();

const receipt = (state: MessageState, err?: string) => ({
  state,
  final: isFinalState(state),
  ...(err !== undefined && { err }),
});

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
    expect(receiptVerdict(receipt(word), none)).toEqual({ state, code });
    if (code !== null) expect(outcomeCodes).toHaveProperty(code);
  });

  it('refines a failure by the table of the carrier', () => {
    expect(receiptVerdict(receipt('UNDELIVERABLE', '034'), sandboxReceiptErrors).code).toBe('CARRIER_FILTERED');
    expect(receiptVerdict(receipt('UNDELIVERABLE', '120'), sandboxReceiptErrors).code).toBe('NOT_MOBILE');
    expect(receiptVerdict(receipt('REJECTED', '123'), sandboxReceiptErrors).code).toBe('CAMPAIGN_LIMIT');
    expect(receiptVerdict(receipt('UNDELIVERABLE', '027'), sandboxReceiptErrors).code).toBe('UNREACHABLE');
    for (const code of sandboxReceiptErrors.values()) expect(outcomeCodes).toHaveProperty(code);
  });

  it('takes a delivery for a delivery and a delay for a delay, whatever stands in err', () => {
    expect(receiptVerdict(receipt('DELIVERED', '034'), sandboxReceiptErrors).code).toBe('DELIVERED');
    expect(receiptVerdict(receipt('ENROUTE', '034'), sandboxReceiptErrors).state).toBe('interim');
  });

  it('takes no word for the last that is not, whatever state it names', () => {
    expect(receiptVerdict({ state: 'DELIVERED', final: false }, none)).toEqual({ state: 'interim', code: null });
  });
});
