/** When requests are held so that sending goes first: not in a burst, not because a carrier is slow, and never for long. */
import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import { createSendingFirst } from './sending-first.ts';

const recipients = 100;

/**
 * A gateway that is queried every millisecond whether the next request may be let in. It sends at one of two speeds, and has
 * something to do all the time, or not while requests are held.
 */
function overload({ freePerMs, heldPerMs, busy = true }: { freePerMs: number; heldPerMs: number; busy?: boolean }) {
  const clock = movedClock();
  const figures = { handed: 0, waiting: 0, busy };
  const sendingFirst = createSendingFirst(
    clock,
    () => ({ ...figures }),
    () => {
      letIn += 1;
    },
  );
  let letIn = 0;
  let accepted = 0;
  let heldMs = 0;
  let heldAtOnceMs = 0;
  let longestMs = 0;
  function run(ms: number): { accepted: number; handed: number; heldMs: number } {
    const before = { accepted, handed: figures.handed, heldMs };
    for (let i = 0; i < ms; i += 1) {
      const mayEnter = sendingFirst.mayEnter(recipients);
      if (mayEnter) {
        accepted += recipients;
        figures.waiting += recipients;
        heldAtOnceMs = 0;
      } else {
        heldMs += 1;
        heldAtOnceMs += 1;
        longestMs = Math.max(longestMs, heldAtOnceMs);
      }
      const sent = Math.min(figures.waiting, mayEnter ? freePerMs : heldPerMs);
      figures.handed += sent;
      figures.waiting -= sent;
      clock.pass(1);
    }
    return {
      accepted: accepted - before.accepted,
      handed: figures.handed - before.handed,
      heldMs: heldMs - before.heldMs,
    };
  }
  return { clock, figures, sendingFirst, run, letIn: () => letIn, longestMs: () => longestMs };
}

describe('sending first', () => {
  it('takes a burst as fast as it comes, until 16,384 messages wait', () => {
    const s = overload({ freePerMs: 10, heldPerMs: 30 });
    expect(s.run(180).heldMs).toBe(0);
    expect(s.figures.waiting).toBeLessThan(16_384);
    expect(s.run(100).heldMs).toBeGreaterThan(50);
  });

  it('never has many more waiting than that', () => {
    const s = overload({ freePerMs: 5, heldPerMs: 15 });
    s.run(200);
    for (let second = 0; second < 10; second += 1) {
      s.run(1_000);
      expect(s.figures.waiting).toBeLessThan(20_000);
      expect(s.figures.waiting).toBeGreaterThan(12_000);
    }
  });

  it('lets in two recipients for each three messages that are sent while a long queue becomes shorter', () => {
    const s = overload({ freePerMs: 5, heldPerMs: 15 });
    s.figures.waiting = 200_000;
    s.run(2_000);
    const { accepted, handed } = s.run(10_000);
    expect(handed).toBeGreaterThan(0.9 * 15 * 10_000);
    expect(accepted / handed).toBeGreaterThan(0.6);
    expect(accepted / handed).toBeLessThan(0.7);
    expect(s.longestMs()).toBeLessThanOrEqual(500);
    expect(s.letIn()).toBeGreaterThan(10);
  });

  it('lets requests in where a carrier is what limits sending, however long its queue is', () => {
    const s = overload({ freePerMs: 1, heldPerMs: 1, busy: false });
    s.figures.waiting = 1_000_000;
    const { heldMs } = s.run(20_000);
    expect(heldMs).toBeLessThan(0.06 * 20_000);
    expect(heldMs).toBeGreaterThan(0);
  });

  it('lets them in where a carrier is down', () => {
    const s = overload({ freePerMs: 0, heldPerMs: 0, busy: false });
    s.figures.waiting = 1_000_000;
    expect(s.run(20_000).heldMs).toBeLessThan(0.06 * 20_000);
  });

  it('holds nobody while messages leave as fast as they come', () => {
    const s = overload({ freePerMs: recipients, heldPerMs: recipients });
    expect(s.run(5_000).heldMs).toBe(0);
  });

  it('lets in again at once when the queue is empty', () => {
    const s = overload({ freePerMs: 10, heldPerMs: 30 });
    s.run(200);
    while (s.sendingFirst.mayEnter(recipients)) s.run(1);
    s.figures.waiting = 0;
    s.clock.pass(5);
    expect(s.sendingFirst.mayEnter(recipients)).toBe(true);
  });

  it('leaves no timer behind', () => {
    const s = overload({ freePerMs: 10, heldPerMs: 30 });
    s.run(3_000);
    s.clock.pass(1_000);
    expect(s.clock.timers()).toBe(0);
  });
});
