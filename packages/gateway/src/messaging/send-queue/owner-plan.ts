/**
 * Spreads send queues and duties over the nodes that share them: as evenly as possible and with as few moves as
 * possible, because a move closes a carrier's connections or interrupts a duty. Pure.
 */
import type { LaneId } from '../../kernel/ids.ts';
import { duties, ownedDuty } from '../../model/duty.ts';
import type { ClusterBoard, NodeId, OwnerPlan } from '../store/operations/owners.ts';

/**
 * `meant`: the previous plan; names that are missing there, or planned for a node that is gone, are planned again.
 * Among nodes with equally many, the first of `nodes` gets the next one.
 */
export function spread(
  names: readonly string[],
  nodes: readonly NodeId[],
  meant: ReadonlyMap<string, NodeId>,
): Map<string, NodeId> {
  const byNode = new Map<NodeId, string[]>(nodes.map((node) => [node, []]));
  if (byNode.size === 0) return new Map();
  for (const name of names) byNode.get(meant.get(name) ?? Number.NaN)?.push(name);
  const placed = new Set([...byNode.values()].flat());
  for (const name of names) if (!placed.has(name)) byCount(byNode)[0]!.push(name);
  for (;;) {
    const ordered = byCount(byNode);
    const [fewest, most] = [ordered[0]!, ordered.at(-1)!];
    if (most.length - fewest.length <= 1) break;
    fewest.push(most.pop()!);
  }
  return new Map([...byNode].flatMap(([node, own]) => own.map((name) => [name, node] as const)));
}

/** Nodes with the fewest first. */
const byCount = (byNode: ReadonlyMap<NodeId, string[]>): string[][] =>
  [...byNode.values()].sort((one, other) => one.length - other.length);

/** The changes that the board needs; null = none. */
export function planFor(board: ClusterBoard, lanes: readonly LaneId[]): OwnerPlan | null {
  const nodes = board.nodes.filter(({ takesLanes }) => takesLanes).map(({ node }) => node);
  const rows = [
    ...board.lanes.map(({ lane, ...row }) => ({ name: lane, ...row })),
    ...board.duties.map(({ duty, ...row }) => ({ name: ownedDuty(duty), ...row })),
  ];
  const meant = new Map<string, NodeId>();
  for (const { name, meantFor } of rows) if (meantFor !== null) meant.set(name, meantFor);
  const names = duties.map(ownedDuty);
  // The oldest node usually acts, which brings work of its own, so the duties go to the others first.
  const wanted = new Map([...spread(lanes, nodes, meant), ...spread(names, nodes.toReversed(), meant)]);
  const known = new Set<string>([...lanes, ...names]);
  const gone = rows.filter(({ name, node }) => node === null && !known.has(name)).map(({ name }) => name);
  const changed = [...wanted].filter(([name, node]) => meant.get(name) !== node);
  if (changed.length + gone.length === 0) return null;
  return { meant: changed.map(([name, node]) => ({ name, node })), gone };
}
