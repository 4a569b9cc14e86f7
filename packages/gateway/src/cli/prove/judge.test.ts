/** Tests of the judge: it must find each kind of loss and each unflagged copy, and report no false ones. */
import { describe, expect, it } from 'vitest';
import { type JudgedMessage, judge } from './judge.ts';

const message = (to: string, state: string, code: string | null, dupRisk = false): JudgedMessage => ({
  messageId: `msg_${to}`,
  to,
  state,
  code,
  dupRisk,
});

const acknowledged = (...to: string[]) => new Map(to.map((number) => [number, `msg_${number}`]));

describe('the judge', () => {
  it('finds nothing wrong when everything arrived once', () => {
    const verdict = judge({
      acknowledged: acknowledged('1', '2'),
      copies: new Map([
        ['1', 1],
        ['2', 1],
        ['3', 1],
      ]),
      messages: [message('1', 'sent', null), message('2', 'sent', null)],
    });
    expect(verdict).toEqual({
      acknowledged: 2,
      received: 3,
      lost: [],
      unrecorded: [],
      doubled: 0,
      duplicates: 0,
      unflaggedDuplicates: [],
      accountedFor: 0,
      unacknowledged: 1,
    });
  });

  it('reports as lost: not on record, only claimed to be sent, ended without a reason', () => {
    const verdict = judge({
      acknowledged: acknowledged('1', '2', '3', '4'),
      copies: new Map(),
      messages: [message('2', 'sent', null), message('3', 'failed', null), message('4', 'queued', null)],
    });
    expect(verdict.lost).toEqual([
      '1 is not on record',
      '2 is sent without a code',
      '3 is failed without a code',
      '4 is queued without a code',
    ]);
  });

  it('names messages that are not on record, even if they arrived', () => {
    const verdict = judge({
      acknowledged: acknowledged('1', '2'),
      copies: new Map([
        ['1', 1],
        ['2', 1],
      ]),
      messages: [message('2', 'sent', null)],
    });
    expect(verdict).toMatchObject({ lost: [], unrecorded: ['1'] });
  });

  it('accepts a held or failed message that says why', () => {
    const verdict = judge({
      acknowledged: acknowledged('1', '2'),
      copies: new Map(),
      messages: [message('1', 'held', 'UNCERTAIN'), message('2', 'failed', 'CARRIER_REJECTED')],
    });
    expect(verdict).toMatchObject({ lost: [], accountedFor: 2 });
  });

  it('counts extra copies and names those without dupRisk', () => {
    const verdict = judge({
      acknowledged: acknowledged('1', '2'),
      copies: new Map([
        ['1', 3],
        ['2', 2],
      ]),
      messages: [message('1', 'sent', null, true), message('2', 'sent', null)],
    });
    expect(verdict).toMatchObject({ doubled: 2, duplicates: 3, unflaggedDuplicates: ['2'] });
  });

  it('without records, counts what did not arrive as lost and every double as unflagged', () => {
    const verdict = judge({ acknowledged: acknowledged('1', '2'), copies: new Map([['1', 2]]), messages: null });
    expect(verdict).toMatchObject({ lost: ['2'], unrecorded: [], doubled: 1, unflaggedDuplicates: ['1'] });
  });
});
