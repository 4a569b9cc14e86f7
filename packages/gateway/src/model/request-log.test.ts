import { describe, expect, it } from 'vitest';
import { withoutNumber } from './request-log.ts';

describe('a call without a number', () => {
  it('is the same call where the number is not in it', () => {
    const call = { path: '/SendSMS', detail: '', body: '{"to":["12025550100"]}' };
    expect(withoutNumber(call, '12025550101')).toBeNull();
  });

  it('loses it however it was written', () => {
    const call = {
      path: '/x/12025550100',
      detail: 'No "1-202-555-0100".',
      body: '{"to":["1 202 555 0100",12025550100,"1"]}',
    };
    const left = withoutNumber(call, '12025550100')!;
    expect(JSON.stringify(left).replace(/\D/g, '')).not.toContain('12025550100');
    expect(left).toMatchObject({ path: '/x/1202•••0100', body: '{"to":["1202•••0100","1202•••0100","1"]}' });
  });
});
