/**
 * Spreads the send queues over the nodes that share them: as evenly as they can be, and with as few moves as that takes,
 * as each move ends the connections of a carrier. Pure.
 */
import type { LaneId } from '../../kernel/ids.ts';
import type { ClusterBoard, OwnerPlan, NodeId } from '../store/operations/owners.ts';

/** `meant`: as planned before; what is not there, or means a node that is gone, is planned anew. */
export function spread(
  lanes: readonly LaneId[],
  nodes: readonly NodeId[],
  meant: ReadonlyMap<LaneId, NodeId>,
): Map<LaneId, NodeId> {
  const byNode = new Map<NodeId, LaneId[]>(nodes.map((node) => [node, []]));
  if (byNode.size === 0) return new Map();
  for (const lane of lanes) byNode.get(meant.get(lane) ?? Number.NaN)?.push(lane);
  const placed = new Set([...byNode.values()].flat());
  for (const lane of lanes) if (!placed.has(lane)) byCount(byNode)[0]!.push(lane);
  for (;;) {
    const ordered = byCount(byNode);
    const [fewest, most] = [ordered[0]!, ordered.at(-1)!];
    if (most.length - fewest.length <= 1) break;
    fewest.push(most.pop()!);
  }
  return new Map([...byNode].flatMap(([node, own]) => own.map((lane) => [lane, node] as const)));
}

/** Fewest first; among equals the one that started first. */
const byCount = (byNode: ReadonlyMap<NodeId, LaneId[]>): LaneId[][] =>
  [...byNode.values()].sort((one, other) => one.length - other.length);

/** What has to change on the board; null = nothing. */
export function planFor(board: ClusterBoard, lanes: readonly LaneId[]): OwnerPlan | null {
  const nodes = board.nodes.filter(({ takesLanes }) => takesLanes).map(({ node }) => node);
  const meant = new Map(board.lanes.flatMap(({ lane, meantFor }) => (meantFor === null ? [] : [[lane, meantFor]])));
  const wanted = new Set(lanes);
  const gone = board.lanes.filter(({ lane, node }) => node === null && !wanted.has(lane)).map(({ lane }) => lane);
  const changed = [...spread(lanes, nodes, meant)].filter(([lane, node]) => meant.get(lane) !== node);
  if (changed.length + gone.length === 0) return null;
  return { meant: changed.map(([name, node]) => ({ name, node })), gone };
}
