import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import type { SubmissionOutcome } from '../../carriers/carrier.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { SmsClaim } from '../../model/delivery.ts';
import { claim } from './lane-fixture.ts';
import { retryWaitMs, type SettleParts, toSettlement } from './settle.ts';

const clock = settlingClock();

const parts: SettleParts = {
  clock,
  random: { fraction: () => 0.5, bytes: (count) => new Uint8Array(count) },
  logger: silentLogger,
  store: { settle: async () => [] },
  uncertainWaitMs: 60_000,
  isSandbox: (lane) => lane === 'sim',
  nextLane: (claimed) => (claimed.lane === 'down' ? 'other' : claimed.lane),
};

const refused = (more: Partial<Extract<SubmissionOutcome, { kind: 'refused' }>> = {}): SubmissionOutcome => ({
  kind: 'refused',
  retry: 'later',
  code: 'CARRIER_UNAVAILABLE',
  carrierCode: 'ESME_RMSGQFUL 0x00000014',
  detail: 'queue full',
  countsAttempt: true,
  parts: [],
  ...more,
});

function settled(outcome: SubmissionOutcome, more: Partial<SmsClaim> = {}) {
  const { dueAt, ...rest } = toSettlement(claim(1, more), outcome, parts);
  return { ...rest, waitMs: dueAt - clock.now() };
}

describe('the end of a try', () => {
  it('accepted: sent, and 72 hours for a receipt', () => {
    const outcome: SubmissionOutcome = { kind: 'accepted', parts: [{ part: 1, carrierMessageId: 'A1' }] };
    expect(settled(outcome)).toMatchObject({ to: 'sent', code: null, waitMs: 72 * 3_600_000 });
    expect(settled(outcome, { lane: 'sim', to: '12025550115' }).waitMs).toBe(120_000);
    expect(settled(outcome, { lane: 'a', to: '12025550115' }).waitMs).toBe(72 * 3_600_000);
  });

  it.each(['unanswered', 'broken'] as const)('%s: uncertain with its cause, and a while for a receipt', (cause) => {
    const outcome: SubmissionOutcome = { kind: 'uncertain', cause, detail: 'connection lost', parts: [] };
    expect(settled(outcome)).toMatchObject({ to: 'uncertain', code: 'UNCERTAIN', cause, waitMs: 60_000 });
  });

  it('refused for now: queued, later each time', () => {
    expect(settled(refused())).toMatchObject({ to: 'queued', code: 'CARRIER_UNAVAILABLE', waitMs: 1_000 });
    expect(settled(refused(), { attempt: 3 }).waitMs).toBe(30_000);
    expect(settled(refused({ afterMs: 45_000 })).waitMs).toBe(45_000);
  });

  it('throttled: queued without spending a try', () => {
    const throttled = refused({ countsAttempt: false, afterMs: 1_000 });
    expect(settled(throttled, { attempt: 4 })).toMatchObject({ to: 'queued', countsAttempt: false, waitMs: 1_000 });
  });

  it('goes to the next carrier when its own is down', () => {
    expect(settled(refused(), { lane: 'down' })).toMatchObject({ lane: 'other', carrier: 'down' });
  });

  it('stays with it when it took a part of the text, in this try or an earlier one', () => {
    const part = [{ part: 1, carrierMessageId: 'A' }];
    expect(settled(refused({ parts: part }), { lane: 'down' })).toMatchObject({ to: 'queued', lane: 'down' });
    expect(settled(refused(), { lane: 'down', partsAccepted: [1] })).toMatchObject({ to: 'queued', lane: 'down' });
  });

  it('refused for good: failed, with the parts that were taken', () => {
    const outcome = refused({
      retry: 'never',
      code: 'UNKNOWN_SUBSCRIBER',
      parts: [{ part: 1, carrierMessageId: 'A' }],
    });
    expect(settled(outcome)).toMatchObject({ to: 'failed', code: 'UNKNOWN_SUBSCRIBER', parts: [{ part: 1 }] });
  });

  it('gives up on a fault of our own after five tries', () => {
    const ours = refused({ code: 'GATEWAY_ERROR', carrierCode: null });
    expect(settled(ours, { attempt: 4 }).to).toBe('queued');
    expect(settled(ours, { attempt: 5 }).to).toBe('failed');
  });
});

it('waits 1 s, 5 s, 30 s, 2 min, 10 min, then 15 min, ±10 %', () => {
  const middle = [1, 2, 3, 4, 5, 6, 7, 40].map((attempt) => retryWaitMs(attempt, 0.5));
  expect(middle).toEqual([1_000, 5_000, 30_000, 120_000, 600_000, 900_000, 900_000, 900_000]);
  expect(retryWaitMs(1, 0)).toBe(900);
  expect(retryWaitMs(1, 0.999_999)).toBe(1_100);
});
