import type { SmPart } from '@heliograph/smpp';
import { describe, expect, it } from 'vitest';
import { type Submission, unavailable } from '../carrier.ts';
import { refusalOf } from './status.ts';
import { addRefusal, isEnded, isHalted, outcomeOf, type SubmitTry, startTry, unsentParts } from './submit-try.ts';

const part = (n: number): SmPart => ({ part: n, esm_class: 0, data_coding: 0, short_message: new Uint8Array() });

function tryOf(count: number): SubmitTry {
  return startTry(
    {} as Submission,
    Array.from({ length: count }, (_, i) => part(i + 1)),
  );
}

function send(attempt: SubmitTry): void {
  attempt.next++;
  attempt.open++;
}

describe('one try at a submission', () => {
  it('ends accepted when the last part is', () => {
    const attempt = tryOf(2);
    send(attempt);
    attempt.open--;
    attempt.accepted.push({ part: 1, carrierMessageId: 'A' });
    expect(isEnded(attempt)).toBe(false);
    expect(unsentParts(attempt)).toBe(1);
    send(attempt);
    expect(isEnded(attempt)).toBe(false);
    attempt.open--;
    attempt.accepted.push({ part: 2, carrierMessageId: 'B' });
    expect(isEnded(attempt)).toBe(true);
    expect(outcomeOf(attempt)).toEqual({
      kind: 'accepted',
      parts: [
        { part: 1, carrierMessageId: 'A' },
        { part: 2, carrierMessageId: 'B' },
      ],
    });
  });

  it('sends no further part after a refusal, and waits for those under way', () => {
    const attempt = tryOf(3);
    send(attempt);
    send(attempt);
    attempt.open--;
    addRefusal(attempt, refusalOf(0x58));
    expect(isHalted(attempt)).toBe(true);
    expect(isEnded(attempt)).toBe(false);
    attempt.open--;
    attempt.accepted.push({ part: 2, carrierMessageId: 'B' });
    expect(isEnded(attempt)).toBe(true);
    expect(outcomeOf(attempt)).toMatchObject({
      kind: 'refused',
      retry: 'later',
      parts: [{ part: 2, carrierMessageId: 'B' }],
    });
  });

  it('of several refusals the gravest counts, in any order', () => {
    for (const statuses of [
      [0x58, 0x08, 0x0b],
      [0x0b, 0x08, 0x58],
    ]) {
      const attempt = tryOf(3);
      for (const command_status of statuses) addRefusal(attempt, refusalOf(command_status));
      expect(attempt.refused?.code).toBe('UNKNOWN_SUBSCRIBER');
    }
    const attempt = tryOf(2);
    addRefusal(attempt, unavailable);
    addRefusal(attempt, refusalOf(0x08));
    expect(attempt.refused?.countsAttempt).toBe(true);
  });

  it('doubt outweighs a refusal for now, not one for good', () => {
    const attempt = tryOf(2);
    attempt.uncertain = { cause: 'broken', detail: 'lost' };
    addRefusal(attempt, refusalOf(0x58));
    expect(outcomeOf(attempt)).toEqual({ kind: 'uncertain', cause: 'broken', detail: 'lost', parts: [] });
    addRefusal(attempt, refusalOf(0x0b));
    expect(outcomeOf(attempt)).toMatchObject({ kind: 'refused', retry: 'never' });
  });
});
