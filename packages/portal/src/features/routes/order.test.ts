import { describe, expect, it } from 'vitest';
import { isRival } from './list';

const rule = { environment: 'live', prefix: '1', number: null, kind: null } as const;

describe('rules that can change places', () => {
  it('have the same prefix and as many conditions, whichever', () => {
    expect(isRival(rule, rule)).toBe(true);
    expect(isRival({ ...rule, kind: 'MMS' }, { ...rule, campaignId: 'C' })).toBe(true);
    expect(isRival(rule, { ...rule, hours: { days: ['mon'], from: '08:00', to: '20:00' } })).toBe(false);
    expect(isRival(rule, { ...rule, prefix: '' })).toBe(false);
    expect(isRival(rule, { ...rule, environment: 'sandbox' })).toBe(false);
  });
});
