import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { type NodePlace, onlyNode } from '../../store/engine.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { createLaneBoard, type Paused } from './lane-board.ts';
import type { LaneReport } from './lane-meter.ts';

const report = (carrierId: string, up: boolean) =>
  ({
    status: { carrierId, up, binds: [] },
    since: 5,
    detail: null,
    inFlight: 3,
    silentSince: null,
  }) as unknown as LaneReport;

/** Two nodes over one store; the first acts. */
function nodes() {
  const clock = settlingClock();
  const settings = new Map<string, string>();
  const gate: { fails: Error | null; writes: string[] } = { fails: null, writes: [] };
  const node = (acts: boolean, count = 2) => {
    const place: NodePlace = { ...onlyNode, isShared: true, acts: () => acts, nodes: () => count };
    const own = new Map<string, LaneReport>();
    const paused: Paused[] = [];
    const links: string[] = [];
    const board = createLaneBoard({
      clock,
      logger: silentLogger,
      store: {
        place,
        getSetting: async (name) => settings.get(name) ?? null,
        putSetting: async (name, value) => {
          if (gate.fails !== null) throw gate.fails;
          gate.writes.push(name);
          settings.set(name, value);
        },
      },
      ownReports: () => own,
      pausedRead: (next) => paused.push(next),
      linkChanged: (carrierId, up) => links.push(`${carrierId} ${up ? 'up' : 'down'}`),
    });
    board.start();
    return { board, own, paused, links };
  };
  return { clock, gate, node };
}

describe('the board of the send queues', () => {
  it('shows their reports at the other nodes, and reports links that changed', async () => {
    const { clock, node } = nodes();
    const [acting, other] = [node(true), node(false)];
    acting.own.set('c1', report('c1', true));
    await clock.pass(2_000);
    expect(other.board.reports()).toEqual(acting.own);
    expect(acting.board.reports().size).toBe(0);
    acting.own.set('c1', report('c1', false));
    await clock.pass(2_000);
    expect(other.links).toEqual(['c1 up', 'c1 down']);
    acting.own.delete('c1');
    await clock.pass(2_000);
    expect(other.board.reports().size).toBe(0);
  });

  it('is written only for others, and when something has changed', async () => {
    const { clock, gate, node } = nodes();
    const alone = node(true, 1);
    alone.own.set('c1', report('c1', true));
    await clock.pass(3_000);
    expect(gate.writes).toEqual([]);
    const acting = node(true);
    acting.own.set('c1', report('c1', true));
    await clock.pass(5_000);
    expect(gate.writes).toEqual(['lane_board']);
  });

  it('shows every node which carriers are paused, whichever of them paused one', async () => {
    const { clock, node } = nodes();
    const [acting, other] = [node(true), node(false)];
    await other.board.writePaused(new Map([['c1', 7]]));
    await clock.pass(1_000);
    expect(acting.paused.at(-1)).toEqual(new Map([['c1', 7]]));
    await acting.board.writePaused(new Map());
    await clock.pass(1_000);
    expect(other.paused.at(-1)).toEqual(new Map());
  });

  it('goes on when the store is back, and ends', async () => {
    const { clock, gate, node } = nodes();
    const [acting, other] = [node(true), node(false)];
    acting.own.set('c1', report('c1', true));
    gate.fails = new StoreUnavailable('down', 'away');
    await clock.pass(2_000);
    expect(other.board.reports().size).toBe(0);
    gate.fails = null;
    await clock.pass(2_000);
    expect(other.board.reports().size).toBe(1);
    acting.board.stop();
    other.board.stop();
    await clock.pass(2_000);
    expect(clock.timers()).toBe(0);
  });
});
