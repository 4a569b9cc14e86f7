import { describe, expect, it } from 'vitest';
import { createLaneBoard, gapOf, type SharedReport, sharedGap } from './lane-board.ts';
import { sharedBoard } from './owners-fixture.ts';

const report = (carrierId: string, up: boolean) =>
  ({ report: { status: { carrierId, up, binds: [] } }, mediaBytesMax: 7 }) as unknown as SharedReport;

/** Two nodes on one store; the first one owns `c1`. */
function nodes() {
  const shared = sharedBoard();
  shared.owners.set('c1', { node: 1, meantFor: 1 });
  const settings = new Map<string, string>();
  const node = (token: number) => {
    const own = new Map<string, SharedReport>();
    const links: string[] = [];
    const store = {
      ...shared.of(token),
      getSetting: async (name: string) => settings.get(name) ?? null,
      putSetting: async (name: string, value: string) => void settings.set(name, value),
    };
    const linkChanged = (carrierId: string, up: boolean) => links.push(`${carrierId} ${up ? 'up' : 'down'}`);
    return { board: createLaneBoard({ store, nodeName: 'gw', ownReports: () => own, linkChanged }), own, links };
  };
  return { shared, first: node(1), second: node(2) };
}

describe('the board of the send queues', () => {
  it('shows their reports at the other nodes, and reports links that changed', async () => {
    const { first, second } = nodes();
    const round = async () => {
      await first.board.exchange(true);
      await second.board.exchange(true);
    };
    first.own.set('c1', report('c1', true));
    await round();
    expect(second.board.reports()).toEqual(first.own);
    expect(first.board.reports().size).toBe(0);
    first.own.set('c1', report('c1', false));
    await round();
    expect([first.links, second.links]).toEqual([[], ['c1 up', 'c1 down']]);
    expect(second.board.latest().nodes.map(({ name }) => name)).toEqual(['gw/1', 'gw/2']);
  });

  it('believes of a send queue only the node that has it', async () => {
    const { first, second, shared } = nodes();
    second.own.set('c1', report('c1', true));
    await second.board.exchange(true);
    await first.board.exchange(true);
    expect([first.board.reports().size, second.board.reports().size]).toEqual([0, 0]);
    shared.owners.set('c1', { node: 2, meantFor: 2 });
    await first.board.exchange(true);
    expect(first.board.reports().size).toBe(1);
    shared.gone.add(2);
    await first.board.exchange(true);
    expect(first.board.reports().size).toBe(0);
  });

  it('is written only when something has changed', async () => {
    const { first, shared } = nodes();
    first.own.set('c1', report('c1', true));
    for (let round = 0; round < 3; round += 1) await first.board.exchange(true);
    expect(shared.world.writes).toEqual(['1 announce']);
    await first.board.exchange(false);
    expect([...shared.nodes.values()]).toMatchObject([{ node: 1, takesLanes: false }]);
  });

  it('shows every node which carriers are paused, whichever of them paused one', async () => {
    const { first, second } = nodes();
    await second.board.writePaused(new Map([['c1', 7]]));
    expect(await first.board.readPaused()).toEqual(new Map([['c1', 7]]));
    await first.board.writePaused(new Map());
    expect(await second.board.readPaused()).toEqual(new Map());
  });
});

describe('the receipts of a carrier', () => {
  it('are given by the wall clock, and stay the same while none comes', () => {
    const gap = { ageMs: 5_000, parts: 2, partsForMs: 3_000, isReported: true, usualMs: null };
    const report = sharedGap(gap, 100_000, undefined);
    expect(report).toMatchObject({ lastAt: 95_000, partsSince: 97_000 });
    expect(sharedGap({ ...gap, ageMs: 65_003, partsForMs: 62_998 }, 160_000, report)).toEqual(report);
    expect(gapOf(report, 160_000)).toEqual({ ...gap, ageMs: 65_000, partsForMs: 63_000 });
    expect(sharedGap({ ...gap, parts: 0, partsForMs: 0 }, 100_000, report).partsSince).toBeNull();
  });
});
