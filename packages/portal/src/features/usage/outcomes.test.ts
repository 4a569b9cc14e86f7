/** Sums of outcomes: every message in one column, and shares that are never rounded up. */
import { describe, expect, it } from 'vitest';
import { messagesSearch } from './messages-search';
import { deliveredShare, groupedOutcomes, type OutcomeRow, outcomesByDay, outcomesCsv } from './outcomes';

const row = (state: string, count: number, more: Partial<OutcomeRow> = {}): OutcomeRow => ({
  day: '2026-11-20',
  number: '12025550199',
  campaignId: 'C1',
  state,
  count,
  ...more,
});

describe('outcomes', () => {
  const rows = [
    row('delivered', 2),
    row('canceled', 1),
    row('held', 4),
    row('undelivered', 1, { day: '2026-11-21', number: '12025550198', campaignId: null }),
  ];

  it('are added up by what is asked for', () => {
    const [newest, older] = groupedOutcomes(rows, 'day');
    expect(newest).toMatchObject({ name: '2026-11-21', undelivered: 1, all: 1 });
    expect(older).toMatchObject({ name: '2026-11-20', delivered: 2, failed: 1, open: 4, all: 7 });
    expect(groupedOutcomes(rows, 'number').map(({ name }) => name)).toEqual(['12025550198', '12025550199']);
    expect(groupedOutcomes(rows, 'campaign').map(({ name }) => name)).toEqual(['', 'C1']);
    expect(groupedOutcomes([], 'day')).toEqual([]);
  });

  it('have a share of what is over, cut and never rounded up', () => {
    const [, older] = groupedOutcomes(rows, 'day');
    expect(deliveredShare(older!)).toBe(66.6);
    expect(deliveredShare(groupedOutcomes([row('delivered', 9_999), row('failed', 1)], 'day')[0]!)).toBe(99.9);
    expect(deliveredShare(groupedOutcomes([row('queued', 1)], 'day')[0]!)).toBeNull();
  });

  it('stand for each day of a period, also one without messages', () => {
    expect(outcomesByDay(rows, ['2026-11-19', '2026-11-20'])).toMatchObject([
      { delivered: 0, open: 0 },
      { delivered: 2, open: 4 },
    ]);
  });

  it('are saved as a table', () => {
    expect(outcomesCsv(groupedOutcomes(rows, 'day'), 'day').split('\r\n')).toEqual([
      '\uFEFFday,messages,delivered,undelivered,not_sent,expired,no_receipt,under_way,delivered_percent',
      ...['2026-11-21,1,0,1,0,0,0,0,0', '2026-11-20,7,2,0,1,0,0,4,66.6', ''],
    ]);
  });

  it('know whose messages they are', () => {
    expect(groupedOutcomes(rows, 'campaign').map(({ numbers }) => numbers)).toEqual([['12025550198'], ['12025550199']]);
  });
});

describe('the search of the messages of a row', () => {
  const month = { from: '2026-02-01', to: '2026-02-28' };

  it('asks for what was sent in the period, and no more', () => {
    expect(messagesSearch(month, {})).toBe('direction:outbound after:2026-02-01 before:2026-03-01');
    expect(messagesSearch(month, { numbers: ['1', '2'], states: ['failed', 'canceled'] })).toBe(
      'direction:outbound from:1 from:2 status:failed status:canceled after:2026-02-01 before:2026-03-01',
    );
    expect(messagesSearch(month, { kind: 'MMS', key: 'key_1' })).toContain('type:mms key:"key_1"');
  });

  it('is none where the log could not be asked for all of it', () => {
    expect(messagesSearch(month, { numbers: Array.from({ length: 21 }, String) })).toBeNull();
  });
});
