/** Requests beyond what is stored at once: in order, limited in number and time, and none is lost or run twice. */
import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { createAcceptQueue } from './accept-queue.ts';

const atOnce = 64;
const queueMax = 2_000;

/** Requests by number that end when the test says so. */
function stage({ sending = { handed: 0, waiting: 0, busy: true } } = {}) {
  const clock = settlingClock();
  const queue = createAcceptQueue(clock, () => sending);
  const begun: number[] = [];
  const refused: number[] = [];
  const ends = new Map<number, { end: () => void; fail: (error: Error) => void }>();
  let failed = 0;
  function ask(from: number, count = 1, recipients = 1): void {
    for (let nth = from; nth < from + count; nth += 1) {
      const work = () => {
        begun.push(nth);
        return new Promise<void>((end, fail) => ends.set(nth, { end, fail }));
      };
      queue.inTurn(recipients, work).catch((error: unknown) => {
        if (error instanceof StoreUnavailable && error.reason === 'busy') refused.push(nth);
        else failed += 1;
      });
    }
  }
  async function end(nth: number): Promise<void> {
    ends.get(nth)!.end();
    await clock.pass(0);
  }
  return { clock, queue, begun, refused, ends, ask, end, failed: () => failed };
}

describe('the line of requests', () => {
  it('lets so many in at once, then one for each that leaves, in order', async () => {
    const s = stage();
    s.ask(0, atOnce + 3);
    expect(s.begun).toHaveLength(atOnce);
    await s.end(5);
    await s.end(atOnce);
    expect(s.begun.slice(atOnce)).toEqual([atOnce, atOnce + 1]);
    expect(s.refused).toEqual([]);
  });

  it('lets the next one in when one fails, and hands its error on', async () => {
    const s = stage();
    s.ask(0, atOnce + 1);
    s.ends.get(0)!.fail(new Error('a bug'));
    await s.clock.pass(0);
    expect([s.begun.at(-1), s.failed()]).toEqual([atOnce, 1]);
  });

  it('refuses at once what is beyond its bound, and takes more when it is shorter', async () => {
    const s = stage();
    s.ask(0, atOnce + queueMax + 2);
    await s.clock.pass(0);
    expect(s.refused).toEqual([atOnce + queueMax, atOnce + queueMax + 1]);
    await s.end(0);
    s.ask(9_000, 2);
    await s.clock.pass(0);
    expect(s.refused.slice(2)).toEqual([9_001]);
  });

  it('refuses after five seconds what still waits, and nothing younger', async () => {
    const s = stage();
    s.ask(0, atOnce + 2);
    await s.clock.pass(3_000);
    s.ask(100);
    await s.clock.pass(1_999);
    expect(s.refused).toEqual([]);
    await s.clock.pass(1);
    expect(s.refused).toEqual([atOnce, atOnce + 1]);
    await s.end(0);
    expect(s.begun.at(-1)).toBe(100);
    expect(s.clock.timers()).toBeLessThanOrEqual(1);
    await s.clock.pass(10_000);
    expect(s.refused).toHaveLength(2);
    expect(s.clock.timers()).toBe(0);
  });

  it('has no timer and no memory of what has passed', async () => {
    const s = stage();
    s.ask(0, 3 * queueMax);
    for (let nth = 0; nth < atOnce + queueMax; nth += 1) await s.end(nth);
    await s.clock.pass(10_000);
    expect(s.begun).toHaveLength(atOnce + queueMax);
    s.ask(10_000, atOnce);
    expect(s.begun).toHaveLength(2 * atOnce + queueMax);
    expect(s.clock.timers()).toBe(0);
  });

  it('refuses at once what would wait for more than half a second at the speed of the line', async () => {
    const s = stage();
    // One request of 100 recipients leaves every 10 ms.
    s.ask(0, atOnce, 100);
    s.ask(100, 100, 100);
    const leaveEvery10Ms = async (from: number, count: number) => {
      for (let nth = from; nth < from + count; nth += 1) {
        await s.clock.pass(10);
        await s.end(nth);
      }
    };
    // Nothing is known of its speed at first.
    expect([s.refused.length, s.queue.isFull()]).toEqual([0, false]);
    await leaveEvery10Ms(0, atOnce);
    await leaveEvery10Ms(100, 40);
    // 58 wait.
    s.ask(1_000, 1, 100);
    await s.clock.pass(0);
    expect([s.refused, s.queue.isFull()]).toEqual([[1_000], true]);
    await leaveEvery10Ms(140, 10);
    // 48 wait, and 51 would.
    s.ask(2_000, 4, 100);
    await s.clock.pass(0);
    expect(s.refused).toEqual([1_000, 2_003]);
  });

  it('refuses nobody because the store has paused for a second', async () => {
    const s = stage();
    s.ask(0, atOnce + 300);
    for (let nth = 0; nth < 100; nth += 1) {
      await s.clock.pass(0.1);
      await s.end(nth);
    }
    await s.clock.pass(1_000);
    s.ask(1_000, 100);
    await s.end(100);
    s.ask(2_000, 10);
    await s.clock.pass(0);
    expect([s.refused, s.queue.isFull()]).toEqual([[], false]);
  });

  it('lets no request in while sending goes first', async () => {
    const sending = { handed: 0, waiting: 20_000, busy: true };
    const s = stage({ sending });
    s.ask(0, atOnce + 30);
    await s.end(0);
    await s.clock.pass(20);
    await s.end(1);
    expect(s.begun).toHaveLength(atOnce + 1);
    sending.waiting = 0;
    await s.clock.pass(5);
    expect(s.begun).toHaveLength(atOnce + 2);
  });

  it('refuses what has waited for 0.7 s when sending lets requests in again', async () => {
    const sending = { handed: 0, waiting: 20_000, busy: true };
    const s = stage({ sending });
    s.ask(0, atOnce + 3);
    await s.clock.pass(690);
    s.ask(1_000, 2);
    await s.end(0);
    await s.clock.pass(20);
    await s.end(1);
    expect(s.refused).toEqual([]);
    sending.waiting = 0;
    await s.clock.pass(5);
    expect(s.refused).toEqual([atOnce + 1, atOnce + 2]);
    expect(s.begun.slice(atOnce)).toEqual([atOnce, 1_000]);
  });

  it('stores few recipients at once while others wait, and at least one request', async () => {
    const s = stage();
    s.ask(0, atOnce);
    s.ask(100, 3, 100);
    s.ask(200, 1, 1_000);
    s.ask(300, 1);
    for (let nth = 0; nth < atOnce - 56; nth += 1) await s.end(nth);
    // 56 + 100 + 100 = 256.
    expect(s.begun.slice(atOnce)).toEqual([100, 101]);
    for (let nth = atOnce - 56; nth < atOnce; nth += 1) await s.end(nth);
    expect(s.begun.slice(atOnce)).toEqual([100, 101]);
    await s.end(100);
    expect(s.begun.slice(atOnce)).toEqual([100, 101, 102]);
    await s.end(101);
    await s.end(102);
    // A request with more recipients than the limit is stored alone.
    expect(s.begun.slice(atOnce)).toEqual([100, 101, 102, 200]);
    await s.end(200);
    expect(s.begun.at(-1)).toBe(300);
  });
});
