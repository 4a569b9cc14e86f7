import '../../language/english';

import { describe, expect, it } from 'vitest';
import { csvOf, fitting, type NumberRow } from './numbers';

const row = (number: string, more: Partial<NumberRow> = {}): NumberRow => ({
  number,
  environment: 'sandbox',
  smsEnabled: true,
  mmsEnabled: false,
  campaignId: null,
  campaignName: null,
  campaignStatus: null,
  verified: null,
  countries: null,
  messagesPerSecond: 0,
  name: '',
  canSend: { ok: true },
  version: 'v',
  last24h: { sent: 0, delivered: 0 },
  ...more,
});

const rows = [
  row('12025550199', { name: 'Shop', campaignId: 'C1', campaignName: 'Orders' }),
  row('12025550198', { canSend: { ok: false, sentence: 'SMS is off' } }),
];
const found = (filter: object) =>
  fitting(rows, { search: '', canSend: '', campaign: '', ...filter }).map(({ number }) => number.slice(-2));

describe('numbers that fit', () => {
  it.each([
    [{}, ['99', '98']],
    [{ search: '(202) 555-0198' }, ['98']],
    [{ search: 'shop' }, ['99']],
    [{ search: 'ORDERS' }, ['99']],
    [{ search: 'nobody' }, []],
    [{ search: '+++' }, []],
    [{ canSend: 'no' }, ['98']],
    [{ campaign: 'none' }, ['98']],
    [{ canSend: 'yes', campaign: 'C1' }, ['99']],
    [{ canSend: 'no', campaign: 'C1' }, []],
  ])('%j', (filter, expected) => {
    expect(found(filter)).toEqual(expected);
  });
});

describe('numbers as CSV', () => {
  it('hold no formula and keep their quotes', () => {
    const [, line] = csvOf([row('12025550199', { name: '=1+1, "x"' })]).split('\r\n');
    expect(line).toBe(`12025550199,"'=1+1, ""x""",true,false,,0,,true,`);
  });
});
