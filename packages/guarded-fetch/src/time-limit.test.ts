import { expect, it } from 'vitest';
import { settlingClock } from '../../../test/props/clock.ts';
import { timeLimit, unlessAborted } from './time-limit.ts';

const aborted = (signal: AbortSignal) => new Promise<string>((resolve) => (signal.onabort = () => resolve('aborted')));

it('a time limit aborts on time, and with its parent signal', async () => {
  const clock = settlingClock();
  const above = new AbortController();
  const inTime = timeLimit(clock, 10, above.signal, aborted);
  await clock.pass(10);
  expect(await inTime).toBe('aborted');
  const withParent = timeLimit(clock, 10, above.signal, aborted);
  above.abort();
  expect(await withParent).toBe('aborted');
  expect(await timeLimit(clock, 10, above.signal, async (signal) => signal.aborted)).toBe(true);
});

it('work is waited for unless aborted', async () => {
  const controller = new AbortController();
  expect(await unlessAborted(Promise.resolve(1), controller.signal)).toBe(1);
  await expect(unlessAborted(Promise.reject(new Error('bug')), controller.signal)).rejects.toThrow('bug');
  const waiting = unlessAborted(new Promise(() => {}), controller.signal);
  controller.abort();
  expect(await waiting).toBeNull();
  expect(await unlessAborted(Promise.resolve(1), controller.signal)).toBeNull();
});

it('a time limit leaves no timer behind', async () => {
  let timers = 0;
  const clock = {
    ...settlingClock(),
    after: () => {
      timers++;
      return () => void timers--;
    },
  };
  expect(await timeLimit(clock, 10, new AbortController().signal, async () => timers)).toBe(1);
  expect(timers).toBe(0);
});
