import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { duties, ownedDuty } from '../../model/duty.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { createLaneBoard } from './lane-board.ts';
import { createOwners } from './owners.ts';
import { sharedBoard } from './owners-fixture.ts';

function cluster(carriers: string[]) {
  const clock = settlingClock();
  const shared = sharedBoard();
  const recovered: number[] = [];
  const node = (token: number) => {
    const store = {
      ...shared.of(token),
      recover: async () => {
        recovered.push(token);
        return [];
      },
      getSetting: async () => null,
      putSetting: async () => {},
    };
    const board = createLaneBoard({ store, nodeName: 'gw', ownReports: () => new Map(), linkChanged: () => {} });
    const steps: string[] = [];
    const dutySteps: string[] = [];
    const held = { drain: null, end: null } as Record<'drain' | 'end', PromiseWithResolvers<void> | null>;
    const owners = createOwners({
      clock,
      logger: silentLogger,
      store,
      board,
      uncertainWaitMs: 60_000,
      lanes: () => carriers,
      taken: async (lane) => void steps.push(`taken ${lane}`),
      drain: async (lane) => {
        steps.push(`drain ${lane}`);
        await held.drain?.promise;
      },
      gone: async (lane) => void steps.push(`gone ${lane}`),
      looked: async () => {},
      duties: {
        begin: (duty) => void dutySteps.push(`begin ${duty}`),
        end: async (duty) => {
          dutySteps.push(`end ${duty}`);
          await held.end?.promise;
        },
      },
    });
    const own = () => [...'abcdef'].filter((lane) => owners.has(lane)).join('');
    const does = () => duties.filter(owners.hasDuty);
    return { owners, steps, dutySteps, own, does, held };
  };
  return { clock, shared, node, recovered };
}

describe('send queues of several nodes', () => {
  it('all belong to the first one, and are shared with those that join', async () => {
    const { clock, node } = cluster(['a', 'b', 'c', 'd']);
    const first = node(1);
    await first.owners.start();
    expect(first.own()).toBe('abcd');
    const second = node(2);
    await second.owners.start();
    await clock.pass(2_000);
    expect([first.own(), second.own()]).toEqual(['ab', 'cd']);
    expect(first.steps.slice(4).sort()).toEqual(['drain c', 'drain d', 'gone c', 'gone d']);
    await clock.pass(5_000);
    expect(second.steps).toEqual(['taken c', 'taken d']);
  });

  it('are taken only when the node before has given them up, with nothing under way', async () => {
    const { clock, node, shared } = cluster(['a', 'b']);
    const [first, second] = [node(1), node(2)];
    await first.owners.start();
    first.held.drain = Promise.withResolvers();
    await second.owners.start();
    await clock.pass(3_000);
    expect([first.own(), second.own(), first.owners.isLeaving('b')]).toEqual(['ab', '', true]);
    shared.underWay.add('b');
    first.held.drain.resolve();
    await clock.pass(3_000);
    expect([first.own(), second.own()]).toEqual(['ab', '']);
    shared.underWay.delete('b');
    await clock.pass(1_000);
    expect([first.own(), second.own(), first.owners.isLeaving('b')]).toEqual(['a', 'b', false]);
  });

  it('go to the others when their node stops, and when it is gone', async () => {
    const { clock, node, shared, recovered } = cluster(['a', 'b', 'c']);
    const [first, second, third] = [node(1), node(2), node(3)];
    for (const { owners } of [first, second, third]) await owners.start();
    await clock.pass(3_000);
    expect([first, second, third].map(({ own }) => own().length)).toEqual([1, 1, 1]);
    await third.owners.leave();
    await third.owners.giveUpAll();
    await clock.pass(2_000);
    expect([first.own() + second.own(), third.own()].map((text) => text.length)).toEqual([3, 0]);
    const before = recovered.length;
    shared.gone.add(1);
    shared.world.acting = 2;
    await clock.pass(2_000);
    expect(second.own()).toBe('abc');
    expect(recovered.slice(before)).toContain(2);
  });

  it('are planned by the node that acts, and by no other', async () => {
    const { clock, node, shared } = cluster(['a']);
    const [first, second] = [node(1), node(2)];
    shared.world.acting = 2;
    await first.owners.start();
    await clock.pass(2_000);
    expect([first.own(), shared.owners.size]).toEqual(['', 0]);
    await second.owners.start();
    await clock.pass(2_000);
    expect(first.own() + second.own()).toBe('a');
    expect(shared.world.writes.filter((write) => write === '1 plan')).toEqual([]);
  });

  it('of a carrier that is switched off are given up and forgotten', async () => {
    const carriers = ['a', 'b'];
    const { clock, node, shared } = cluster(carriers);
    const first = node(1);
    await first.owners.start();
    carriers.pop();
    await clock.pass(2_000);
    expect([first.own(), [...shared.owners.keys()]]).toEqual(['a', ['a', ...duties.map(ownedDuty)]]);
  });

  it('stay while the store is away, and nothing is written when nothing changes', async () => {
    const { clock, node, shared } = cluster(['a']);
    const first = node(1);
    await first.owners.start();
    shared.world.fails = new StoreUnavailable('down', 'away');
    await clock.pass(5_000);
    expect(first.own()).toBe('a');
    shared.world.fails = null;
    shared.world.writes.length = 0;
    await clock.pass(5_000);
    expect(shared.world.writes).toEqual([]);
    await first.owners.leave();
    expect(clock.timers()).toBe(0);
  });
});

describe('duties of several nodes', () => {
  it('are all of the only one, and are shared with one that joins, most of them there', async () => {
    const { clock, node } = cluster([]);
    const first = node(1);
    await first.owners.start();
    expect(first.does()).toEqual(duties);
    expect(first.dutySteps).toEqual(duties.map((duty) => `begin ${duty}`));
    const second = node(2);
    await second.owners.start();
    await clock.pass(2_000);
    expect([first.does().length, second.does().length]).toEqual([3, 2]);
    expect([...first.does(), ...second.does()].sort()).toEqual([...duties].sort());
    expect(first.dutySteps.slice(duties.length)).toEqual(second.does().map((duty) => `end ${duty}`));
  });

  it('begin at the next node only when nothing of them is under way at the one before', async () => {
    const { clock, node } = cluster([]);
    const [first, second] = [node(1), node(2)];
    await first.owners.start();
    first.held.end = Promise.withResolvers();
    await second.owners.start();
    await clock.pass(3_000);
    expect([first.does(), second.does()]).toEqual([duties, []]);
    first.held.end.resolve();
    await clock.pass(1_000);
    expect([first.does().length, second.does().length]).toEqual([3, 2]);
  });

  it('go to the others when their node is gone, and stay at one that stops until its store is closed', async () => {
    const { clock, node, shared } = cluster([]);
    const [first, second] = [node(1), node(2)];
    await first.owners.start();
    await second.owners.start();
    await clock.pass(2_000);
    await second.owners.leave();
    await second.owners.giveUpAll();
    await clock.pass(2_000);
    expect([first.does().length, second.does().length]).toEqual([3, 2]);
    shared.gone.add(2);
    await clock.pass(2_000);
    expect(first.does()).toEqual(duties);
  });
});
