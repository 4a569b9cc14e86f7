/** Nodes that share send queues and duties, on a board in memory that behaves like the store. */
import type { LaneId } from '../../kernel/ids.ts';
import { type NodePlace, onlyNode } from '../../store/engine.ts';
import type { OwnerStore } from '../store/modules/owners.ts';
import { type CarrierAnswer, type ClusterNode, type OwnedTaken, ownersByKind } from '../store/operations/owners.ts';

export function sharedBoard() {
  const nodes = new Map<number, ClusterNode>();
  const owners = new Map<string, { node: number | null; meantFor: number | null }>();
  /** Send queues whose carrier still has messages. */
  const underWay = new Set<LaneId>();
  const gone = new Set<number>();
  const answers: CarrierAnswer[] = [];
  const world = { fails: null as Error | null, acting: 1, writes: [] as string[] };
  const lives = (node: number | null) => node !== null && !gone.has(node);

  function of(token: number): OwnerStore & { token: number; place: NodePlace } {
    const step = <A extends unknown[], T>(name: string, work: (...given: A) => T) => {
      return async (...given: A): Promise<T> => {
        if (world.fails !== null) throw world.fails;
        if (name !== '') world.writes.push(`${token} ${name}`);
        return work(...given);
      };
    };
    return {
      token,
      place: { ...onlyNode, isShared: true, acts: () => world.acting === token, nodes: () => nodes.size },
      announceNode: step('announce', (node) => void nodes.set(node.node, node)),
      clusterBoard: step('', () => ({
        nodes: [...nodes.values()]
          .filter(({ node }) => !gone.has(node))
          .map((node) => ({ ...node, acts: node.node === world.acting })),
        ...ownersByKind(
          [...owners].map(([name, { node, meantFor }]) => ({ name, node: lives(node) ? node : null, meantFor })),
        ),
      })),
      planOwners: step('plan', ({ meant, gone: old }) => {
        for (const { name, node } of meant) {
          owners.set(name, { node: owners.get(name)?.node ?? null, meantFor: node });
        }
        for (const name of old) owners.delete(name);
      }),
      takeOwned: step('take', ({ name }): OwnedTaken => {
        const row = owners.get(name);
        const isFree = row !== undefined && (row.node === token || !lives(row.node));
        if (!isFree || row.meantFor !== token) return { kind: 'refused', uncertain: 0 };
        row.node = token;
        return { kind: 'taken', uncertain: 0 };
      }),
      keepAnswer: step('keep', (answer) => void answers.push(answer)),
      carrierAnswers: step('', (carriers) => answers.filter(({ carrier }) => carriers.includes(carrier))),
      dropAnswers: step('drop', (taken) => {
        for (const { id } of taken)
          answers.splice(
            answers.findIndex((one) => one.id === id),
            1,
          );
      }),
      giveUpOwned: step('give up', (lane) => {
        if (underWay.has(lane)) return false;
        const row = owners.get(lane);
        if (row?.node === token) row.node = null;
        return true;
      }),
    };
  }
  return { of, owners, nodes, underWay, gone, answers, world };
}
