/**
 * What each of several nodes owns: send queues, in which only its transactions claim and settle (`hasLane`), and
 * duties, whose writes only it stores (`owned` of a write). Nothing is taken from a live node; the next owner of a dead
 * node's queue marks what that node was handing over as uncertain before it claims.
 */
import type { LaneId } from '../../../kernel/ids.ts';
import { type Duty, dutyOf } from '../../../model/duty.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import {
  type AnswerRow,
  clearOwner,
  deleteAnswer,
  deleteAnswersOf,
  deleteGoneNodes,
  deleteOwner,
  putAnswer,
  putMeantFor,
  putNode,
  selectAnswers,
  selectAnySending,
  selectNodes,
  selectOwner,
  selectOwners,
  setOwner,
} from '../statements/owners.ts';
import { recoverLane } from './sweep.ts';

/** The token of a node's start; no two starts have the same. */
export type NodeId = number;

export interface ClusterNode {
  node: NodeId;
  /** For display. */
  name: string;
  /** False while the node stops. */
  takesLanes: boolean;
  /** JSON with the reports of the node's send queues, as last written. */
  reports: string;
}

export interface Owner {
  /** The owner; null = none, or a dead node. */
  node: NodeId | null;
  meantFor: NodeId | null;
}

export interface ClusterBoard {
  /** Live nodes, oldest start first. `acts`: this one plans, and does what only one node may do. */
  nodes: (ClusterNode & { acts: boolean })[];
  lanes: (Owner & { lane: LaneId })[];
  duties: (Owner & { duty: Duty })[];
}

export function* clusterBoard(): Operation<ClusterBoard> {
  const nodes = yield* run(selectNodes, [{}]);
  const owners = yield* run(selectOwners, [{}]);
  return {
    nodes: nodes.map(({ takes_lanes, acts, ...node }) => ({
      ...node,
      takesLanes: takes_lanes === 1,
      acts: acts === 1,
    })),
    ...ownersByKind(
      owners.map(({ name, node, meant_for, lives }) => ({
        name,
        node: lives === 1 ? node : null,
        meantFor: meant_for,
      })),
    ),
  };
}

export function ownersByKind(rows: readonly (Owner & { name: string })[]): Pick<ClusterBoard, 'lanes' | 'duties'> {
  const found: Pick<ClusterBoard, 'lanes' | 'duties'> = { lanes: [], duties: [] };
  for (const { name, ...owner } of rows) {
    const duty = dutyOf(name);
    if (duty === null) found.lanes.push({ lane: name, ...owner });
    else found.duties.push({ duty, ...owner });
  }
  return found;
}

/** Stores what a node reports about itself only. */
export function* announceNode(items: readonly ClusterNode[], { token }: WriteContext): Operation<null[]> {
  for (const { node, name, takesLanes, reports } of items) {
    if (node === token) yield* run(putNode, [{ node, name, takes_lanes: takesLanes ? 1 : 0, reports }]);
  }
  return items.map(() => null);
}

export interface OwnerPlan {
  /** The node that should own each name. */
  meant: readonly { name: string; node: NodeId }[];
  /** Names that no longer exist. */
  gone: readonly string[];
}

export function* planOwners(items: readonly OwnerPlan[]): Operation<null[]> {
  for (const { meant, gone } of items) {
    yield* run(
      putMeantFor,
      meant.map(({ name, node }) => ({ name, meant_for: node })),
    );
    for (const name of gone) {
      yield* run(deleteOwner, [{ name }]);
      yield* run(deleteAnswersOf, [{ carrier: name }]);
    }
    yield* run(deleteGoneNodes, [{}]);
  }
  return items.map(() => null);
}

export interface TakeRequest {
  name: string;
  now: number;
  /** When the policy acts on messages that become uncertain. */
  dueAt: number;
  /** The most messages that become uncertain in one step. */
  limit: number;
}

export interface OwnedTaken {
  /**
   * `more`: more messages must become uncertain; call again. `refused`: it is planned for another node, or a live node
   * owns it.
   */
  kind: 'taken' | 'more' | 'refused';
  /** How many became uncertain. */
  uncertain: number;
}

export function* takeOwned(items: readonly TakeRequest[], context: WriteContext): Operation<OwnedTaken[]> {
  const results: OwnedTaken[] = [];
  for (const item of items) results.push(yield* takeOne(item, context));
  return results;
}

function* takeOne({ name, ...request }: TakeRequest, context: WriteContext): Operation<OwnedTaken> {
  const { token } = context;
  const [row] = yield* run(selectOwner, [{ name }]);
  const isFree = row !== undefined && (row.node === null || row.node === token || row.lives === 0);
  if (!isFree || row.meant_for !== token) return { kind: 'refused', uncertain: 0 };
  const moves = yield* recoverLane(name, { ...request, token }, context);
  const uncertain = moves.filter(({ state }) => state === 'uncertain').length;
  if (moves.length >= request.limit) return { kind: 'more', uncertain };
  yield* run(setOwner, [{ name, node: token }]);
  context.owned?.add(name);
  return { kind: 'taken', uncertain };
}

/** For each name, whether this node no longer owns it. A queue whose carrier still has messages stays. */
export function* giveUpOwned(items: readonly string[], context: WriteContext): Operation<boolean[]> {
  const done: boolean[] = [];
  for (const name of items) {
    const underWay = yield* run(selectAnySending, [{ lane: name }]);
    const stays = underWay.length > 0 && context.owned?.has(name) === true;
    done.push(!stays);
    if (stays) continue;
    yield* run(clearOwner, [{ name, node: context.token }]);
    context.owned?.delete(name);
  }
  return done;
}

/** What a carrier answered at a node that does not wait for it; `id` identifies the same answer. */
export type CarrierAnswer = AnswerRow;

export function* keepAnswer(items: readonly CarrierAnswer[]): Operation<null[]> {
  for (const item of items) yield* run(putAnswer, [item]);
  return items.map(() => null);
}

export function* carrierAnswers(carriers: readonly LaneId[]): Operation<CarrierAnswer[]> {
  return yield* run(
    selectAnswers,
    carriers.map((carrier) => ({ carrier })),
  );
}

export function* dropAnswers(items: readonly Pick<CarrierAnswer, 'carrier' | 'id'>[]): Operation<null[]> {
  for (const { carrier, id } of items) yield* run(deleteAnswer, [{ carrier, id }]);
  return items.map(() => null);
}
