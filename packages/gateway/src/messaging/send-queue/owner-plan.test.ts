import { describe, expect, it } from 'vitest';
import { duties, ownedDuty } from '../../model/duty.ts';
import { planFor, spread } from './owner-plan.ts';

const lanes = ['a', 'b', 'c', 'd', 'e'];
const counts = (plan: Map<string, number>, nodes: number[]) =>
  nodes.map((node) => [...plan.values()].filter((one) => one === node).length);

describe('send queues over nodes', () => {
  it('are spread evenly, whichever nodes live', () => {
    for (const nodes of [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4, 5, 6]]) {
      const plan = spread(lanes, nodes, new Map());
      expect([...plan.keys()].sort()).toEqual(lanes);
      const each = counts(plan, nodes);
      expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1);
    }
    expect(spread(lanes, [], new Map())).toEqual(new Map());
  });

  it('stay where they are, but for those that a node must give to one that joins', () => {
    const before = spread(lanes, [1, 2], new Map());
    const joined = spread(lanes, [1, 2, 3], before);
    expect(lanes.filter((lane) => joined.get(lane) !== before.get(lane))).toHaveLength(1);
    expect(spread(lanes, [1, 2, 3], joined)).toEqual(joined);
  });

  it('of a node that is gone go to the others; no other one moves', () => {
    const before = spread(lanes, [1, 2, 3], new Map());
    const after = spread(lanes, [1, 3], before);
    for (const lane of lanes) if (before.get(lane) !== 2) expect(after.get(lane)).toBe(before.get(lane));
    expect(counts(after, [1, 2, 3])).toEqual([3, 0, 2]);
  });
});

describe('the plan', () => {
  const node = (id: number, takesLanes = true) => ({
    node: id,
    name: `n${id}`,
    takesLanes,
    reports: '[]',
    acts: id === 1,
  });
  const allAt = (id: number) => duties.map((duty) => ({ duty, node: id, meantFor: id }));

  it('says only what changes', () => {
    const lane = (id: string, has: number | null, meantFor: number | null) => ({ lane: id, node: has, meantFor });
    const shared = [...allAt(1).slice(0, 3), ...allAt(2).slice(3)];
    const board = { nodes: [node(1), node(2)], lanes: [lane('a', 1, 1), lane('b', 2, 2)], duties: shared };

    expect(planFor(board, ['a', 'b'])).toBeNull();
    expect(planFor(board, ['a', 'b', 'c'])).toEqual({ meant: [{ name: 'c', node: 1 }], gone: [] });
  });

  it('gives nothing to a node that stops, and forgets a carrier that is gone once nobody has it', () => {
    const board = {
      nodes: [node(1, false), node(2)],
      lanes: [
        { lane: 'a', node: 1, meantFor: 1 },
        { lane: 'old', node: null, meantFor: 1 },
        { lane: 'older', node: 2, meantFor: 2 },
      ],
      duties: allAt(2),
    };
    expect(planFor(board, ['a'])).toEqual({ meant: [{ name: 'a', node: 2 }], gone: ['old'] });
  });

  it('spreads the duties apart from the queues, the youngest node first, and moves those of a node that stops', () => {
    const none = { lanes: [], duties: [] };
    const planned = planFor({ nodes: [node(1), node(2)], ...none }, [])!.meant;
    expect(planned.map(({ name }) => name).sort()).toEqual(duties.map(ownedDuty).sort());
    expect(planned.filter(({ node: id }) => id === 2)).toHaveLength(3);
    const leaving = planFor({ nodes: [node(1), node(2, false)], lanes: [], duties: allAt(2) }, [])!;
    expect(leaving).toEqual({ meant: duties.map((duty) => ({ name: ownedDuty(duty), node: 1 })), gone: [] });
  });
});
