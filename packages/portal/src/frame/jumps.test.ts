import '../language/english';

import { describe, expect, it } from 'vitest';
import { byId, numbersLike, phoneDigits, phonesLike, reasonsLike, recordsLike, talkedTo } from './jumps';

const own = ['12025550195', '12025550199'];
const sent = (from: string, to: string) => ({ direction: 'outbound' as const, from, to });
const got = (from: string, to: string) => ({ direction: 'inbound' as const, from, to });

describe('the conversations of a telephone', () => {
  it('are with the numbers it had contact with, the latest first', () => {
    const newestFirst = [
      got('12025550100', own[1]!),
      sent(own[0]!, '12025550100'),
      sent(own[1]!, '12025550100'),
      sent('19995550100', '12025550100'),
    ];
    expect(talkedTo(newestFirst, '12025550100', own)).toEqual([own[1], own[0]]);
  });

  it('is one that could be begun where there was none', () => {
    expect(talkedTo([sent(own[1]!, '12025550101')], '12025550100', own)).toEqual([own[0]]);
    expect(talkedTo([], '12025550100', [])).toEqual([]);
  });
});

it.each([
  ['(202) 555-0199', '12025550199'],
  ['+1 202 555 0199', '12025550199'],
  ['5550199', null],
  ['order 12025550199', null],
])('%s is the telephone %s', (text, digits) => expect(phoneDigits(text)).toBe(digits));

it.each([
  ['0199', ['12025550199']],
  ['555-01', own],
  ['19', []],
  ['ref 0199', []],
])('%s finds the numbers %s', (text, found) => expect(numbersLike(text, own)).toEqual(found));

it.each([
  [`msg_${'0'.repeat(26)}`, `/messages/msg_${'0'.repeat(26)}`],
  [`evt_${'0'.repeat(26)}_3`, `/messages/msg_${'0'.repeat(26)}`],
  ['req_7H2', '/requests/req_7H2'],
  ['OPTED_OUT', '/reasons/OPTED_OUT'],
])('%s leads to %s', (text, to) => expect(byId(text).map((one) => one.to)).toEqual([to]));

it('other words are no id', () => expect(byId('Numbers')).toEqual([]));

it('records are found by a part of their name or id', () => {
  const kind = { id: 'endpointId', label: (name: string) => `E ${name}`, page: (id: string) => `/webhooks/${id}` };
  const rows = [
    { endpointId: 'ep_1', name: 'Orders' },
    { endpointId: 'ep_2', name: 'Billing' },
  ];
  expect(recordsLike('ep_', kind, rows)).toHaveLength(2);
  expect(recordsLike('bill', kind, rows)).toEqual([{ to: '/webhooks/ep_2', label: 'E Billing' }]);
  expect(recordsLike('x', kind, rows)).toEqual([]);
});

it('reason codes are found by a part, a whole one once', () => {
  const codes = ['OPTED_OUT', 'NO_RECEIPT', 'NO_RECEIPT'];
  expect(reasonsLike('receipt', codes).map(({ to }) => to)).toEqual(['/reasons/NO_RECEIPT']);
  expect(reasonsLike('opted o', codes)).toHaveLength(1);
  expect(reasonsLike('OPTED_OUT', codes)).toEqual([]);
  expect(reasonsLike('no', codes)).toEqual([]);
});

describe('what a telephone number leads to', () => {
  const to = (...args: Parameters<typeof phonesLike>) => phonesLike(...args).map((jump) => jump.to);
  const known = ['12025550100', '12025550199'];

  it('is the own number alone for one of those', () => {
    expect(to('+1 (202) 555-0199', '12025550199', own, known)).toEqual(['/numbers/12025550199']);
  });

  it('is the handset of any other', () => {
    expect(to('12025550142', '12025550142', own, known)).toEqual(['/handsets/12025550142']);
    expect(to('12025550142', '12025550142', own, null)).toEqual([]);
  });

  it('is own numbers, then known handsets, for a part', () => {
    const numbers = own.map((number) => `/numbers/${number}`);
    expect(to('5550', null, own, known)).toEqual([...numbers, '/handsets/12025550100']);
  });
});
