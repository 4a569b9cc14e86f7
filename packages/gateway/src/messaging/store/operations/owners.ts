/**
 * What one of several nodes has: send queues, in which only its transactions claim and settle (`hasLane`), and duties, whose
 * writes only it stores (`owned` of a write). Nobody takes anything from a node that lives; the next node of a queue
 * marks what a dead one was handing over as uncertain before it claims anything.
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

/** The token of a node's start, which no other start ever has. */
export type NodeId = number;

export interface ClusterNode {
  node: NodeId;
  /** For people. */
  name: string;
  /** False while it stops. */
  takesLanes: boolean;
  /** JSON of its own send queues, as it wrote them last. */
  reports: string;
}

export interface Owner {
  /** Who has it; null = nobody, or a node that does not live. */
  node: NodeId | null;
  meantFor: NodeId | null;
}

export interface ClusterBoard {
  /** Those that live, oldest start first. `acts`: does what only one may do, and plans. */
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

/** What a node reports of itself; of another nothing is taken. */
export function* announceNode(items: readonly ClusterNode[], { token }: WriteContext): Operation<null[]> {
  for (const { node, name, takesLanes, reports } of items) {
    if (node === token) yield* run(putNode, [{ node, name, takes_lanes: takesLanes ? 1 : 0, reports }]);
  }
  return items.map(() => null);
}

export interface OwnerPlan {
  /** By the name of what is owned, the node that shall have it. */
  meant: readonly { name: string; node: NodeId }[];
  /** Names that nothing has any more. */
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
  /** When the policy acts on what becomes uncertain. */
  dueAt: number;
  /** At most so many become uncertain in one step. */
  limit: number;
}

export interface OwnedTaken {
  /** `more`: there is more to mark as uncertain; ask again. `refused`: it is meant for another node, or a node that lives has it. */
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
  if (moves.length >= request.limit) return { kind: 'more', uncertain: moves.length };
  yield* run(setOwner, [{ name, node: token }]);
  context.owned?.add(name);
  return { kind: 'taken', uncertain: moves.length };
}

/** For each whether this node has it no more. One of which the carrier still has something stays. */
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
