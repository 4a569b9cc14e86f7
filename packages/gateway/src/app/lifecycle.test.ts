import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { keptLog, type LogLine } from '../http/server-fixture.ts';
import type { Timers } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/logger.ts';
import type { Duty } from '../model/duty.ts';
import { type NodePlace, onlyNode } from '../store/engine.ts';
import { StoreUnavailable } from '../store/faults.ts';
import { createLifecycle, type PartName, startOrder, stopOrder } from './lifecycle.ts';

/** A lifecycle whose parts record what is called on them. */
function recorded(logger = silentLogger, broken: (error: unknown) => void = () => {}, timers?: Timers) {
  const done: string[] = [];
  const lifecycle = createLifecycle(logger, broken, timers);
  const add = (name: PartName, stop: () => void | Promise<void> = () => {}) =>
    lifecycle.add({
      name,
      quiesce: () => void done.push(`quiesce ${name}`),
      stop: async () => {
        await stop();
        done.push(`stop ${name}`);
      },
    });
  return { done, lifecycle, add };
}

describe('the lifecycle', () => {
  it('quiesces every part before it stops one, then stops phase by phase, in whatever order they were added', async () => {
    const { done, lifecycle, add } = recorded();
    const written = ['server', 'request log', 'directory', 'sweeper', 'send queues', 'webhooks', 'simulator', 'store'];
    const added = ['store', 'sweeper', 'directory', 'simulator', 'server', 'webhooks', 'send queues', 'request log'];
    for (const name of added) add(name as PartName);
    await lifecycle.stop();
    expect(done.slice(0, 8)).toEqual(written.map((name) => `quiesce ${name}`));
    expect(done.slice(8)).toEqual(written.map((name) => `stop ${name}`));
  });

  it('begins the stop of every part before it waits for anything, also for a duty that is still starting', async () => {
    const { done, lifecycle } = recorded();
    const starting = Promise.withResolvers<void>();
    lifecycle.add({ name: 'usage', duty: 'usage', start: () => starting.promise });
    lifecycle.add({
      name: 'store',
      stopBegins: () => {
        done.push('stop begins');
        starting.reject(new StoreUnavailable('down', 'given up'));
      },
      stop: () => void done.push('stop store'),
    });
    await lifecycle.start({ ...onlyNode, isShared: true });
    lifecycle.duties.begin('usage');
    await new Promise(setImmediate);
    await lifecycle.stop();
    expect(done).toEqual(['stop begins', 'stop store']);
  });

  it('says what a stop waits for that takes long', async () => {
    const clock = movedClock();
    const lines: LogLine[] = [];
    const { lifecycle, add } = recorded(keptLog(lines), () => {}, clock);
    const { promise, resolve } = Promise.withResolvers<void>();
    add('server');
    add('webhooks', () => promise);
    const stopped = lifecycle.stop();
    await new Promise(setImmediate);
    clock.pass(7_999);
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
    clock.pass(1);
    resolve();
    await stopped;
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([{ fields: { part: 'webhooks' } }]);
    expect(clock.timers()).toBe(0);
  });

  it('starts parts in their written order, one after the other, in whatever order they were added', async () => {
    const done: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const { lifecycle } = recorded();
    for (const name of startOrder.toReversed()) {
      lifecycle.add({
        name,
        start: async () => {
          if (name === 'webhooks') await promise;
          done.push(name);
        },
      });
    }
    const started = lifecycle.start(onlyNode);
    await new Promise(setImmediate);
    expect(done).toEqual(['recovery', 'send queues', 'events']);
    resolve();
    await started;
    expect(done).toEqual(startOrder);
  });

  it('starts what only the acting node does when it begins to act, and calls takeOver of the others', async () => {
    const done: string[] = [];
    const faults: unknown[] = [];
    const lines: LogLine[] = [];
    const { lifecycle } = recorded(keptLog(lines), (error) => faults.push(error));
    const note = (what: string) => () => void done.push(what);
    const tries = Array(2).fill(new StoreUnavailable('busy', 'not now'));
    lifecycle.add(
      { name: 'usage', onlyActing: true, start: note('start usage') },
      { name: 'recovery', onlyActing: true, start: note('recover') },
      {
        name: 'send queues',
        start: note('start queues'),
        takeOver: () => {
          const failure = tries.pop();
          if (failure !== undefined) throw failure;
          done.push('queues take over');
        },
      },
    );
    const { promise: acting, resolve } = Promise.withResolvers<void>();
    const place: NodePlace = { ...onlyNode, acts: () => false, acting };
    await lifecycle.start(place);
    expect(done).toEqual(['start queues']);
    resolve();
    const all = ['start queues', 'recover', 'queues take over', 'start usage'];
    await expect.poll(() => done).toEqual(all);
    await lifecycle.stop();
    expect(faults).toEqual([]);
    const waits = lines.filter(({ message }) => message === 'taking over waits for the store');
    expect(waits).toMatchObject([{ level: 'warn', fields: { part: 'send queues', reason: 'busy' } }]);
  });

  it('takes nothing over once it stops, and reports what could not be taken over', async () => {
    const faults: unknown[] = [];
    const { lifecycle } = recorded(silentLogger, (error) => faults.push(error));
    const broken = new Error('no recovery');
    const start = () => Promise.reject(broken);
    lifecycle.add({ name: 'recovery', onlyActing: true, start });
    await lifecycle.start({ ...onlyNode, acts: () => false, acting: Promise.resolve() });
    await expect.poll(() => faults).toEqual([broken]);
    await lifecycle.stop();
    const { lifecycle: stopped } = recorded();
    stopped.add({ name: 'recovery', onlyActing: true, start: () => expect.fail('started') });
    const { promise: acting, resolve } = Promise.withResolvers<void>();
    await stopped.start({ ...onlyNode, acts: () => false, acting });
    await stopped.stop();
    resolve();
    await acting;
  });

  it('starts the parts of a duty when this node has it, and stops them when it has it no more, as often as that happens', async () => {
    const done: string[] = [];
    const faults: unknown[] = [];
    const { lifecycle } = recorded(silentLogger, (error) => faults.push(error));
    const part = (name: 'usage' | 'sweeper', duty: Duty) =>
      lifecycle.add({
        name,
        duty,
        start: () => void done.push(`start ${name}`),
        stop: () => void done.push(`stop ${name}`),
      });
    part('usage', 'usage');
    part('sweeper', 'sweeper');
    lifecycle.duties.begin('usage');
    await new Promise(setImmediate);
    expect(done).toEqual([]);
    await lifecycle.start({ ...onlyNode, isShared: true });
    await expect.poll(() => done).toEqual(['start usage']);
    lifecycle.duties.begin('sweeper');
    await lifecycle.duties.end('usage');
    lifecycle.duties.begin('usage');
    await lifecycle.duties.end('usage');
    expect(done).toEqual(['start usage', 'start sweeper', 'stop usage', 'start usage', 'stop usage']);
    await lifecycle.stop();
    lifecycle.duties.begin('usage');
    await lifecycle.duties.end('sweeper');
    expect(done.filter((step) => step.startsWith('start'))).toHaveLength(3);
    expect(faults).toEqual([]);
  });

  it('starts the parts of all duties where nothing is shared, and what does not start on a shared store is tried again', async () => {
    const done: string[] = [];
    const { lifecycle } = recorded();
    lifecycle.add({ name: 'usage', duty: 'usage', start: () => void done.push('alone') });
    await lifecycle.start(onlyNode);
    expect(done).toEqual(['alone']);
    const shared = recorded().lifecycle;
    const tries = [new StoreUnavailable('busy', 'not now')];
    const start = () => {
      const failure = tries.pop();
      if (failure !== undefined) throw failure;
      done.push('shared');
    };
    shared.add({ name: 'usage', duty: 'usage', start });
    await shared.start({ ...onlyNode, isShared: true });
    shared.duties.begin('usage');
    await expect.poll(() => done).toEqual(['alone', 'shared']);
    await shared.stop();
  });

  it('starts nothing after a part that does not start, and still stops every part', async () => {
    const { done, lifecycle, add } = recorded();
    add('store');
    const start = (name: 'send queues' | 'usage' | 'sweeper', fails: boolean) =>
      lifecycle.add({
        name,
        start: () => {
          if (fails) throw new Error(`no ${name}`);
          done.push(`start ${name}`);
        },
        stop: () => void done.push(`stop ${name}`),
      });
    start('sweeper', false);
    start('usage', true);
    start('send queues', false);
    await expect(lifecycle.start(onlyNode)).rejects.toThrow('no usage');
    await lifecycle.stop();
    expect(done).toEqual([
      'start send queues',
      'quiesce store',
      'stop sweeper',
      'stop send queues',
      'stop usage',
      'stop store',
    ]);
  });

  it('has a place in the stop order for each part that starts, and each place once', () => {
    const names: readonly PartName[] = stopOrder.flatMap(({ parts }) => parts);
    expect(names.length).toBe(new Set(names).size);
    expect(startOrder.filter((name) => !names.includes(name))).toEqual([]);
    expect(stopOrder.map(({ phase }) => phase)).toEqual([
      'http',
      'sweeps',
      'send queues',
      'followers',
      'peers',
      'store',
    ]);
  });

  it('refuses a second part of a name, which would stop in the place of the first', () => {
    const { add } = recorded();
    add('store');
    expect(() => add('store')).toThrow('two parts of the name store');
  });

  it('waits for a part before it stops the next', async () => {
    const { done, lifecycle, add } = recorded();
    const { promise, resolve } = Promise.withResolvers<void>();
    add('store');
    add('send queues', () => promise);
    const stopped = lifecycle.stop();
    await new Promise(setImmediate);
    expect(done).not.toContain('stop store');
    resolve();
    await stopped;
    expect(done.slice(2)).toEqual(['stop send queues', 'stop store']);
  });

  it('stops the others when one fails, logs it by name, and then throws what failed first', async () => {
    const lines: LogLine[] = [];
    const { done, lifecycle, add } = recorded(keptLog(lines));
    add('store');
    add('webhooks', () => Promise.reject(new Error('second')));
    add('server', () => {
      throw new Error('first');
    });
    await expect(lifecycle.stop()).rejects.toThrow('first');
    expect(done).toContain('stop store');
    const errors = lines.filter(({ level }) => level === 'error');
    expect(errors.map(({ fields }) => fields.part)).toEqual(['server', 'webhooks']);
  });

  it('stops each part once, however often stop is called', async () => {
    const { done, lifecycle, add } = recorded();
    add('store');
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(done).toEqual(['quiesce store', 'stop store']);
  });
});
