/** Tests of the checker: it must see each kind of loss and each unflagged copy, and report no false ones. */
import { describe, expect, it } from 'vitest';
import { judge, settledLog } from './checker.ts';
import type { LoggedMessage } from './message-log.ts';

const message = (to: string, state: string, code: string | null, dupRisk = false): LoggedMessage => ({
  messageId: `msg_${to}`,
  to,
  text: '',
  state,
  code,
  dupRisk,
  events: [],
});

const acknowledged = (...to: string[]) => new Map(to.map((number) => [number, `msg_${number}`]));

describe('the checker', () => {
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
    expect(verdict).toMatchObject({ duplicates: 3, unflaggedDuplicates: ['2'] });
  });

  it('reads the log until nothing is under way, and gives up on stuck messages', async () => {
    let reads = 0;
    const log = { all: async () => [message('1', ++reads < 3 ? 'queued' : 'sent', null)] };
    expect((await settledLog(log, () => 0))[0]!.state).toBe('sent');
    const stuck = { all: async () => [message('1', 'queued', null)] };
    expect((await settledLog(stuck, () => 0, 1))[0]!.state).toBe('queued');
  });
});
