import { describe, expect, it } from 'vitest';
import { silentLogger } from '../domain/logger.ts';
import { keptLog, type LogLine } from '../http/doors-fixture.ts';
import { createLifecycle, type Phase } from './lifecycle.ts';

/** A lifecycle whose parts write down what is done to them. */
function recorded(logger = silentLogger) {
  const done: string[] = [];
  const lifecycle = createLifecycle(logger);
  const add = (name: string, phase: Phase, stop: () => void | Promise<void> = () => {}) =>
    lifecycle.add({
      name,
      phase,
      quiesce: () => void done.push(`quiesce ${name}`),
      stop: async () => {
        await stop();
        done.push(`stop ${name}`);
      },
    });
  return { done, lifecycle, add };
}

describe('the lifecycle', () => {
  it('quiesces every part before it stops one, then stops phase by phase, the latest of a phase first', async () => {
    const { done, lifecycle, add } = recorded();
    add('store', 'store');
    add('carrier', 'peers');
    add('sweeper', 'sweeps');
    add('webhooks', 'followers');
    add('queues', 'send queues');
    add('log of calls', 'doors');
    add('server', 'doors');
    await lifecycle.stop();
    const names = ['server', 'log of calls', 'queues', 'webhooks', 'sweeper', 'carrier', 'store'];
    expect(done.slice(0, 7)).toEqual(names.map((name) => `quiesce ${name}`));
    expect(done.slice(7)).toEqual(
      ['server', 'log of calls', 'sweeper', 'queues', 'webhooks', 'carrier', 'store'].map((name) => `stop ${name}`),
    );
  });

  it('waits for a part before it stops the next', async () => {
    const { done, lifecycle, add } = recorded();
    const { promise, resolve } = Promise.withResolvers<void>();
    add('store', 'store');
    add('queues', 'send queues', () => promise);
    const stopped = lifecycle.stop();
    await new Promise(setImmediate);
    expect(done).not.toContain('stop store');
    resolve();
    await stopped;
    expect(done.slice(2)).toEqual(['stop queues', 'stop store']);
  });

  it('stops the others when one fails, logs it by name, and then throws what failed first', async () => {
    const lines: LogLine[] = [];
    const { done, lifecycle, add } = recorded(keptLog(lines));
    add('store', 'store');
    add('webhooks', 'followers', () => Promise.reject(new Error('second')));
    add('server', 'doors', () => {
      throw new Error('first');
    });
    await expect(lifecycle.stop()).rejects.toThrow('first');
    expect(done).toContain('stop store');
    const errors = lines.filter(({ level }) => level === 'error');
    expect(errors.map(({ fields }) => fields.part)).toEqual(['server', 'webhooks']);
  });

  it('stops each part once, however often it is asked', async () => {
    const { done, lifecycle, add } = recorded();
    add('store', 'store');
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(done).toEqual(['quiesce store', 'stop store']);
  });
});
