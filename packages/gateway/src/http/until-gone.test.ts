import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { type Answer, type Exchange, rejection } from './exchange.ts';
import { admissionEveryMs, untilGone } from './until-gone.ts';

const refusal = rejection('NOT_AUTHORIZED', 'The credentials were not accepted.');

function world(again: () => Answer | null | Promise<Answer | null>) {
  const clock = movedClock();
  const socket = new EventEmitter();
  const exchange = { request: { socket }, admission: { clock, again }, refused: null } as unknown as Exchange;
  const ended = untilGone(
    exchange,
    (signal) => new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('ended'))),
  );
  return { clock, socket, exchange, ended };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a wait', () => {
  it('ends when the caller is let in no more, and leaves the refusal', async () => {
    let verdict: Answer | null = null;
    const { clock, exchange, ended } = world(async () => verdict);
    clock.pass(admissionEveryMs);
    await turn();
    verdict = refusal;
    clock.pass(admissionEveryMs);
    expect(await ended).toBe('ended');
    expect(exchange.refused).toBe(refusal);
  });

  it('goes on while nobody can say, and ends when the caller is gone', async () => {
    const { clock, socket, exchange, ended } = world(() => (socket.listenerCount('close') > 0 ? failing() : null));
    clock.pass(admissionEveryMs);
    await turn();
    socket.emit('close');
    expect(await ended).toBe('ended');
    expect(exchange.refused).toBeNull();
  });
});

async function failing(): Promise<null> {
  throw new Error('the store does not answer');
}
