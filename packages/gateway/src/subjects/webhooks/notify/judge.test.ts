import { describe, expect, it } from 'vitest';
import { t0 } from '../../../../../../test/props/clock.ts';
import { judge } from './judge.ts';
import { answered, day, hour } from './notify-fixture.ts';
import { delivered } from './outbox-fixture.ts';

const times = { at: t0, now: t0 + 40, fraction: 0.5 };
const health = { endpointId: 'ep_a', failingSince: null, lastSuccessAt: t0 - hour };

describe('judge', () => {
  it('keeps waiting what is on its last attempt when that disables the endpoint', () => {
    const last = { tries: 12, event: delivered(3) };
    expect(judge(last, answered(410) as never, health, times)).toMatchObject({
      outcome: { endpointId: 'ep_a', position: 3, tries: 12, to: 'waiting' },
      disable: 'gone',
    });
    expect(judge(last, answered(500) as never, health, times)).toMatchObject({
      outcome: { to: 'failed' },
      disable: null,
    });
    const failing = { ...health, failingSince: t0 - 7 * day };
    expect(judge(last, answered(500) as never, failing, times)).toMatchObject({
      outcome: { to: 'waiting' },
      health: { failingSince: t0 - 7 * day },
      disable: 'failing',
    });
  });

  it('counts the wait from the end of the attempt, and failure from its beginning', () => {
    const { outcome, health: after } = judge({ tries: 0, event: delivered(1) }, answered(500) as never, health, times);
    expect(outcome).toMatchObject({ dueAt: t0 + 40 + 5_000, attempt: { at: t0, durationMs: 7 } });
    expect(after).toEqual({ ...health, failingSince: t0 });
  });

  it('keeps the time on the clock of the endpoint, with the attempt', () => {
    const skewOf = (answer: object) => {
      const posted = { ...answered(200), ...answer } as never;
      return judge({ tries: 0, event: delivered(1) }, posted, health, times).outcome.attempt.skewSeconds;
    };
    expect(skewOf({ skewSeconds: -7 })).toBe(-7);
    expect(skewOf({})).toBeNull();
    expect(skewOf({ kind: 'unreachable', error: 'dns' })).toBeNull();
  });
});
