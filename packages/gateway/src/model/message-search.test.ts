import { describe, expect, it } from 'vitest';
import { emptyFilter, parseMessageSearch, phoneDigits, searchLimits, searchTokens } from './message-search.ts';
import { reasons } from './reason.ts';

const filterOf = (query: string) => parseMessageSearch(query).filter;
const tokensOf = (query: string) => parseMessageSearch(query).problems.map(({ token }) => token);

describe('the search of messages', () => {
  it('reads every token', () => {
    const query =
      'to:12025550100 from:12025550199 status:failed reason:opted_out ref:order-77 text:"your code" ' +
      'after:2026-11-20 before:2026-11-21T06:30 type:mms key:"Sandbox key" carrier:telco-a direction:inbound';
    expect(parseMessageSearch(query)).toEqual({
      problems: [],
      filter: {
        ...emptyFilter(),
        to: ['12025550100'],
        from: ['12025550199'],
        states: ['failed'],
        codes: ['OPTED_OUT'],
        reference: 'order-77',
        text: 'your code',
        after: Date.UTC(2026, 10, 20),
        before: Date.UTC(2026, 10, 21, 6, 30),
        type: 'MMS',
        keys: ['Sandbox key'],
        carriers: ['telco-a'],
        direction: 'inbound',
      },
    });
  });

  it('knows each token it offers, by its example', () => {
    for (const { name, example } of searchTokens) {
      if (name !== 'request') expect(tokensOf(`${name}:${example}`), name).toEqual([]);
    }
  });

  it.each([
    '12025550100',
    '+12025550100',
    '+1 202 555 0100',
    '(202) 555-0100',
    '1 (202) 555-0100',
    '202.555.0100',
    '202-555-0100',
    '1-202-555-0100',
    '+1 (202) 555-0100',
    '+1-202-555-0100',
    '+1(202)555-0100',
    '202 555 0100',
    '(202) 555 0100',
    '1 202 555-0100',
    '"(202) 555-0100"',
    '"+1 202 555 0100"',
  ])('finds both directions of a bare number: %s', (spelling) => {
    expect(parseMessageSearch(spelling)).toEqual({
      problems: [],
      filter: { ...emptyFilter(), numbers: ['12025550100'] },
    });
  });

  it('distinguishes two numbers', () => {
    expect(filterOf('12025550100 12025550101').numbers).toEqual(['12025550100', '12025550101']);
    expect(filterOf('(202) 555-0100 +1 202 555 0101').numbers).toEqual(['12025550100', '12025550101']);
  });

  it('takes a number in quotation marks with spaces behind to:', () => {
    expect(filterOf('to:"+1 (202) 555-0100"').to).toEqual(['12025550100']);
  });

  it('takes a name that sends behind from:', () => {
    expect(filterOf('from:"Acme Shop"').from).toEqual(['Acme Shop']);
    expect(filterOf('from:12025550199').from).toEqual(['12025550199']);
  });

  it('keeps numbers of other countries and short codes as they are', () => {
    expect(phoneDigits('+49 151 23456789'.replaceAll(' ', ''))).toBe('4915123456789');
    expect(phoneDigits('72345')).toBe('72345');
    expect(phoneDigits('1234')).toBeNull();
    expect(phoneDigits('order77')).toBeNull();
  });

  it('finds messages and requests by their id', () => {
    const id = '01JD8Z6QF2ABCDEFGHJKMNPQRS';
    expect(filterOf(`msg_${id}`).messageIds).toEqual([`msg_${id}`]);
    expect(filterOf(`req_${id}`).requestId).toBe(`req_${id}`);
  });

  it('names what it cannot read, and applies the rest', () => {
    const { filter, problems } = parseMessageSearch(
      'staus:failed to:12025550100 hello type:fax after:2026-02-31 before:2026-02-31T10:00',
    );
    expect(filter.to).toEqual(['12025550100']);
    expect(problems.map(({ token }) => token)).toEqual([
      'staus:failed',
      'hello',
      'type:fax',
      'after:2026-02-31',
      'before:2026-02-31T10:00',
    ]);
    for (const { sentence } of problems) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  it('knows every reason of the catalogue, and names what is none with those that are like it', () => {
    for (const { code } of reasons) expect(filterOf(`reason:${code.toLowerCase()}`).codes).toEqual([code]);
    const { filter, problems } = parseMessageSearch('reason:OPTED_OUTT to:12025550100');
    expect([filter.codes, filter.to]).toEqual([[], ['12025550100']]);
    expect(problems).toMatchObject([{ token: 'reason:OPTED_OUTT' }]);
    expect(problems[0]?.sentence).toMatch(/^There is no reason OPTED_OUTT\. Did you mean .*OPTED_OUT.*\?$/);
    expect(parseMessageSearch('reason:OPTED_OUT,NOPE_NOT').filter.codes).toEqual([]);
    expect(parseMessageSearch('reason:30007').problems[0]?.sentence).toMatch(/^A reason is a code/);
  });

  it('reads the words on the screen as well as the technical ones, and lists all of them', () => {
    const states = (query: string) => parseMessageSearch(query).filter.states;
    expect(states('status:not-sent status:no-receipt,sent-to-carrier')).toEqual(['failed', 'unconfirmed', 'sent']);
    expect(states('status:"Sent to carrier" status:FAILED')).toEqual(['sent', 'failed']);
    expect(parseMessageSearch('direction:received').filter.direction).toBe('inbound');
    expect(parseMessageSearch('direction:sent').filter.direction).toBe('outbound');
    expect(filterOf('status:refused,failed')).toMatchObject({ refused: true, states: ['failed'] });
    const [problem] = parseMessageSearch('status:lost').problems;
    expect(problem?.sentence).toContain('not-sent (failed)');
    expect(problem?.sentence).toContain('no-receipt (unconfirmed)');
    expect(problem?.sentence).toContain('refused');
  });

  it.each(['constructor:x', '__proto__:x', 'direction:constructor', 'status:', 'to:', 'text:""', 'key:""', 'ref:""'])(
    'is not taken in by %s',
    (query) => {
      expect(tokensOf(query)).toEqual([query]);
      expect(filterOf(query)).toEqual(emptyFilter());
    },
  );

  it('is nothing for nothing', () => {
    expect(parseMessageSearch('   ')).toEqual({ filter: emptyFilter(), problems: [] });
  });

  it('is bounded, and quick with garbage', () => {
    expect(tokensOf('x '.repeat(10_000)).length).toBeLessThanOrEqual(searchLimits.values);
    expect(filterOf('12025550100 '.repeat(100)).numbers.length).toBeLessThanOrEqual(searchLimits.values);
    expect(tokensOf(`${'('.repeat(480)}`)).toHaveLength(1);
  });
});
