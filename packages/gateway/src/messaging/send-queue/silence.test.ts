import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import type { Submission, SubmissionOutcome, SubmissionResult } from '../../carriers/carrier.ts';
import { scriptedCarrier } from './lane-fixture.ts';
import { createSilence, probeEveryMs, silentAfter } from './silence.ts';

const unanswered: SubmissionOutcome = { kind: 'uncertain', cause: 'unanswered', detail: 'no answer', parts: [] };
const broken: SubmissionOutcome = { ...unanswered, cause: 'broken' };
const accepted: SubmissionOutcome = { kind: 'accepted', parts: [{ part: 1, carrierMessageId: 'A' }] };
const refused: SubmissionOutcome = {
  kind: 'refused',
  retry: 'later',
  code: 'CARRIER_UNAVAILABLE',
  detail: 'busy',
  countsAttempt: true,
  parts: [],
  carrierCode: 'ESME_RSYSERR 0x00000008',
};
const notConnected: SubmissionOutcome = { ...refused, carrierCode: null };

function world(silentSince: number | null = null) {
  const clock = settlingClock();
  const peer = scriptedCarrier('a', 20);
  const changes: (number | null)[] = [];
  const silence = createSilence({ clock, silentSince, changed: (since) => changes.push(since) });
  const carrier = silence.watch(peer.carrier);
  const results: SubmissionResult[] = [];
  carrier.start({ results: (list: SubmissionResult[]) => void results.push(...list) } as never);
  let count = 0;
  const submit = (texts = 1): string[] => {
    const ids = Array.from({ length: texts }, () => `msg_${++count}`);
    carrier.submit(ids.map((messageId) => ({ messageId }) as Submission));
    return ids;
  };
  const answer = (...outcomes: SubmissionOutcome[]) => {
    for (const outcome of outcomes) peer.answer(submit(), outcome);
  };
  return { clock, peer, silence, carrier, submit, answer, changes, results };
}

const row = (outcome: SubmissionOutcome, times: number) => Array.from({ length: times }, () => outcome);

describe('a carrier that answers nothing', () => {
  it('gets nothing new after ten in a row but one probe every 30 s, until it answers one', async () => {
    const { clock, peer, silence, carrier, submit, answer, changes } = world();
    answer(...row(unanswered, silentAfter - 1));
    expect([carrier.capacity(), silence.since()]).toEqual([20, null]);
    answer(unanswered);
    const since = clock.now();
    expect([carrier.capacity(), silence.since()]).toEqual([0, since]);
    await clock.pass(probeEveryMs - 1);
    expect(carrier.capacity()).toBe(0);
    await clock.pass(1);
    expect(carrier.capacity()).toBe(1);
    const [probe] = submit();
    expect(carrier.capacity()).toBe(0);
    await clock.pass(probeEveryMs);
    expect(carrier.capacity()).toBe(1);
    peer.answer([probe!], accepted);
    expect([carrier.capacity(), silence.since(), changes]).toEqual([20, null, [since, null]]);
  });

  it.each([
    ['an acceptance', accepted],
    ['a refusal', refused],
  ])('%s ends the row', (_, outcome) => {
    const { silence, answer } = world();
    answer(...row(unanswered, silentAfter - 1), outcome, ...row(unanswered, silentAfter - 1));
    expect(silence.since()).toBeNull();
  });

  it.each([
    ['links that broke', broken],
    ['tries that could not be handed over', notConnected],
  ])('%s neither count nor end the row', (_, outcome) => {
    const { silence, answer } = world();
    answer(...row(outcome, 3 * silentAfter));
    expect(silence.since()).toBeNull();
    answer(...row(unanswered, silentAfter - 1), ...row(outcome, 3), unanswered);
    expect(silence.since()).not.toBeNull();
  });

  it('what was on its way when it fell silent is given back unsent, but for one probe', async () => {
    const { clock, peer, answer, submit, results } = world();
    answer(...row(unanswered, silentAfter));
    await clock.pass(probeEveryMs);
    const handed = peer.submitted.length;
    submit(3);
    await clock.pass(0);
    expect(peer.submitted).toHaveLength(handed + 1);
    expect(results.slice(-2).map(({ submission }) => submission.messageId)).toEqual(['msg_12', 'msg_13']);
    expect(results.at(-1)?.outcome).toMatchObject({ kind: 'refused', retry: 'later', countsAttempt: false });
  });

  it('is still known as such after a restart', () => {
    const { clock, silence, carrier, submit } = world(1_000);
    expect([silence.since(), carrier.capacity()]).toEqual([1_000, 1]);
    submit();
    expect(carrier.capacity()).toBe(0);
    expect(clock.now()).toBeGreaterThan(1_000);
  });
});
