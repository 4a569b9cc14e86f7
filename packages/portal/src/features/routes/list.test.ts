import '../../language/english';

import { describe, expect, it } from 'vitest';
import { fittingRules, rulesCsv } from './list';
import type { Rule } from './routes';

const rule = (routeId: string, more: Partial<Rule> = {}): Rule => ({
  routeId,
  environment: 'live',
  prefix: '',
  number: null,
  kind: null,
  weight: 1,
  priority: 100,
  carrierIds: ['telco-a'],
  version: 'v',
  moves: { up: false, down: false },
  ...more,
});
const rules = [
  rule('uk', { prefix: '44', carrierIds: ['telco-b', 'telco-a'] }),
  rule('one-sender', { number: '12025550199', campaignId: 'CNEWS' }),
  rule('rest', { environment: 'sandbox', kind: 'MMS' }),
];

describe('the list of rules', () => {
  it.each([
    ['', ['uk', 'one-sender', 'rest']],
    ['UK', ['uk']],
    ['telco-b', ['uk']],
    ['telco-a', ['uk', 'one-sender', 'rest']],
    ['cnews', ['one-sender']],
    ['mms', ['rest']],
    ['4', ['uk']],
    ['+44 20 7946 0000', ['uk']],
    ['(202) 555-0199', ['one-sender']],
    ['99', []],
    ['nothing', []],
  ])('is searched for "%s"', (search, found) => {
    expect(fittingRules(rules, search).map(({ routeId }) => routeId)).toEqual(found);
  });

  it('is a table with the place among all rules', () => {
    const hours = { days: ['mon' as const], from: '08:00', to: '18:00' };
    const [head, line, end] = rulesCsv([rule('rest', { hours })], rules).split('\r\n');
    expect(head).toBe(
      '\uFEFFplace,rule,environment,recipients_prefix,sender,sender_digits,kind,campaign,times,carriers,weight,priority',
    );
    expect([line, end]).toEqual(['3,rest,live,,,,,,Mon 08:00–18:00,telco-a,1,100', '']);
  });
});
