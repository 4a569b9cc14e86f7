/** A lane whose process lacks a change by another process. */
import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../store/faults.ts';
import { claim, laneWith } from './lane-fixture.ts';

/** Behind until `caughtUp` settles. */
function behind(optedOut: string[] = []) {
  const world = laneWith(
    [1, 2, 3].map((n) => claim(n)),
    2,
    undefined,
    optedOut,
  );
  const caughtUp = Promise.withResolvers<void>();
  let isBehind = true;
  world.memory.isBehind = () => isBehind;
  world.memory.catchUp = () =>
    caughtUp.promise.then(() => {
      isBehind = false;
    });
  return { ...world, caughtUp };
}

describe('a lane that is behind', () => {
  it('hands over what it has claimed only when memory has caught up, and no more than the window meanwhile', async () => {
    const { clock, lane, peer, store, caughtUp } = behind();
    lane.nudge();
    await clock.pass(1_000);
    expect(peer.open()).toEqual([]);
    expect(lane.inFlight()).toBe(2);
    expect(lane.reserve(1)).toBeNull();
    expect(store.claims).toHaveLength(1);
    caughtUp.resolve();
    await clock.pass(0);
    expect(peer.open()).toEqual(['msg_1', 'msg_2']);
  });

  it('stops what an opt-out of another process is about', async () => {
    const optedOut: string[] = [];
    const { clock, lane, peer, store, caughtUp } = behind(optedOut);
    lane.nudge();
    await clock.pass(0);
    optedOut.push(`campaign:C1 ${claim(1).to}`);
    caughtUp.resolve();
    await clock.pass(0);
    expect(peer.open()).not.toContain('msg_1');
    expect(store.settlements).toMatchObject([{ messageId: 'msg_1', code: 'OPTED_OUT' }]);
  });

  it('gives its claims back when the store does not answer', async () => {
    const { clock, lane, peer, store, caughtUp } = behind();
    lane.nudge();
    await clock.pass(0);
    caughtUp.reject(new StoreUnavailable('down', 'away'));
    await clock.pass(0);
    expect(peer.open()).toEqual([]);
    expect(store.settlements.slice(0, 2)).toMatchObject([
      { messageId: 'msg_1', to: 'queued', countsAttempt: false },
      { messageId: 'msg_2', to: 'queued', countsAttempt: false },
    ]);
  });

  it('gives its claims back when it closes, and hands nothing over after that', async () => {
    const { clock, lane, peer, store, caughtUp } = behind();
    lane.nudge();
    await clock.pass(0);
    const stopped = lane.stop(0);
    await clock.pass(0);
    expect(store.settlements.map(({ messageId, to }) => [messageId, to])).toEqual([
      ['msg_1', 'queued'],
      ['msg_2', 'queued'],
    ]);
    caughtUp.resolve();
    await stopped;
    await clock.pass(0);
    expect(peer.open()).toEqual([]);
    expect(store.settlements).toHaveLength(2);
  });
});

describe('a lane whose campaigns are limited over several nodes', () => {
  function limited() {
    const lent = Promise.withResolvers<void>();
    const calls: string[] = [];
    const pace = {
      lacks: () => calls.length === 0,
      lend: () => {
        calls.push('lend');
        return lent.promise;
      },
      ask: () => {
        calls.push('ask');
        return null;
      },
      giveBack: () => {},
    };
    return { ...laneWith([claim(1)], 2, undefined, [], undefined, pace), lent, calls };
  }

  it('hands over only what was lent first', async () => {
    const { clock, lane, peer, lent, calls } = limited();
    lane.nudge();
    await clock.pass(1_000);
    expect([peer.open(), lane.inFlight()]).toEqual([[], 1]);
    lent.resolve();
    await clock.pass(0);
    expect([peer.open(), calls]).toEqual([['msg_1'], ['lend', 'ask']]);
  });

  it('catches up before it goes on, when others changed something meanwhile', async () => {
    const { clock, lane, peer, memory, lent, calls } = limited();
    let isBehind = false;
    memory.isBehind = () => isBehind;
    memory.catchUp = async () => {
      calls.push('catch up');
      isBehind = false;
    };
    lane.nudge();
    await clock.pass(0);
    isBehind = true;
    lent.resolve();
    await clock.pass(0);
    expect([peer.open(), calls]).toEqual([['msg_1'], ['lend', 'catch up', 'ask']]);
  });

  it('gives its claims back when the store does not answer', async () => {
    const { clock, lane, peer, store, lent } = limited();
    lane.nudge();
    await clock.pass(0);
    lent.reject(new StoreUnavailable('down', 'away'));
    await clock.pass(0);
    expect(peer.open()).toEqual([]);
    expect(store.settlements).toMatchObject([{ messageId: 'msg_1', to: 'queued', countsAttempt: false }]);
  });
});
