/** The output at the end of a run: when it passes, and the table and the sentence. */
import { describe, expect, it } from 'vitest';
import type { FaultName } from './faults.ts';
import { type JudgedMessage, judge } from './judge.ts';
import { type PlayedRound, type RunResult, reportOf, tableOf } from './report.ts';

const round = (fault: FaultName, readyMs: number | null = null): PlayedRound => ({
  fault,
  readyMs,
  endedItself: false,
});

interface Facts {
  acknowledged?: string[];
  copies?: Record<string, number>;
  messages?: JudgedMessage[] | null;
}

function resultOf(
  { acknowledged = [], copies = {}, messages = null }: Facts,
  more: Partial<RunResult> = {},
): RunResult {
  const evidence = {
    acknowledged: new Map(acknowledged.map((to) => [to, to])),
    copies: new Map(Object.entries(copies)),
    messages,
  };
  return {
    gateway: 'toy',
    hasFlags: messages !== null,
    seconds: 9,
    rounds: [round('kill', 1_234), round('drop'), round('kill', 900)],
    skipped: [],
    failure: null,
    others: {},
    verdictOf: () => judge(evidence),
    ...more,
  };
}

const message = (to: string, dupRisk: boolean, state = 'sent', code: string | null = null): JudgedMessage => ({
  ...{ messageId: to, to, state, code, dupRisk },
});

describe('a run', () => {
  it('passes when all arrived once, and says so', () => {
    const report = reportOf(resultOf({ acknowledged: ['1'], copies: { 1: 1 }, messages: [message('1', false)] }));
    expect(report).toMatchObject({
      passed: true,
      verdict: 'Nothing acknowledged was lost, and nothing arrived twice.',
    });
    expect(report.faults.map(({ fault, rounds, readyMs }) => [fault, rounds, readyMs])).toEqual([
      ['kill', 2, 1_234],
      ['drop', 1, null],
    ]);
  });

  it('passes when every double is flagged, not when one is not', () => {
    const facts = { acknowledged: ['1', '2'], copies: { 1: 2, 2: 3 } };
    const all = reportOf(resultOf({ ...facts, messages: [message('1', true), message('2', true)] }));
    expect(all).toMatchObject({ passed: true, total: { doubled: 2, flagged: 2 } });
    expect(all.verdict).toContain('each of the 2 doubles is flagged');
    const one = reportOf(resultOf({ ...facts, messages: [message('1', true), message('2', false)] }));
    expect(one).toMatchObject({ passed: false, total: { doubled: 2, flagged: 1 }, doubledWithoutFlag: ['2'] });
    expect(one.verdict).toBe('1 message arrived more than once without a flag.');
    expect(tableOf(one)).toContain('Doubled without a flag: 2\n');
  });

  it('counts all doubles of a gateway without flags as unflagged, and says why', () => {
    const report = reportOf(resultOf({ acknowledged: ['1'], copies: { 1: 2 } }));
    expect(report).toMatchObject({ passed: false, total: { doubled: 1, flagged: null } });
    expect(report.verdict).toContain('cannot ask toy for flags');
    expect(tableOf(report)).toContain('not told');
  });

  it('does not pass when something acknowledged is missing, and names some of it', () => {
    const sent = Array.from({ length: 30 }, (_, number) => String(number));
    const report = reportOf(resultOf({ acknowledged: sent, copies: { 0: 1 } }));
    expect(report).toMatchObject({ passed: false, total: { acknowledged: 30, arrived: 1, lost: 29 } });
    expect(report.verdict).toBe('Of 30 acknowledged messages, 29 did not arrive.');
    expect(report.lost).toHaveLength(20);
    expect(tableOf(report)).toMatch(/Lost: 5\nLost: and 24 more\n/);
  });

  it('does not count a message that ended with a reason as lost', () => {
    const ended = message('1', false, 'failed', 'CARRIER_REJECTED');
    const report = reportOf(resultOf({ acknowledged: ['1'], messages: [ended] }));
    expect(report).toMatchObject({ passed: true, total: { lost: 0, arrived: 0, endedWithReason: 1 } });
    expect(tableOf(report)).toContain('Not sent, with a reason on record: 1.');
  });

  it('proves nothing when nothing was acknowledged', () => {
    const report = reportOf(resultOf({ messages: [] }, { others: { 0: 3, 503: 2 } }));
    expect(report).toMatchObject({ passed: false, verdict: 'Nothing was acknowledged, so nothing is proved.' });
    expect(tableOf(report)).toContain('acknowledged nothing: 3 without an answer, 2 answered 503.');
  });

  it('does not pass when the gateway could not be started, and claims no missing flags', () => {
    const facts = { acknowledged: ['1'], copies: { 1: 2 } };
    const report = reportOf(resultOf(facts, { hasFlags: true, failure: 'it ended with 78' }));
    expect(report).toMatchObject({ passed: false, verdict: 'The gateway failed: it ended with 78.' });
    expect(report.total.flagged).toBeNull();
    const nothing = 'Nothing was acknowledged, so nothing is proved.';
    for (const failure of ['it printed nothing', 'No disk.']) {
      const { verdict } = reportOf(resultOf({ messages: [] }, { failure }));
      expect(verdict).toBe(`The gateway failed: ${failure.replace('.', '')}. ${nothing}`);
    }
  });

  it('says which faults were skipped, and why', () => {
    const skipped = [{ fault: 'power', why: 'power cuts need root' }] as const;
    expect(tableOf(reportOf(resultOf({}, { skipped })))).toContain(
      'Skipped: power cut under load: power cuts need root.\n',
    );
  });
});
