/**
 * What several nodes share about the send queues, through the store: the owner of each queue and duty, the queues'
 * reports, and which carriers are paused. Each node writes the reports of its own queues; any node may pause a carrier.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import type { LaneId } from '../../kernel/ids.ts';
import type { Duty } from '../../model/duty.ts';
import type { StoreBase } from '../../store/create-store.ts';
import type { SystemStore } from '../../store/system/module.ts';
import type { OwnerStore } from '../store/modules/owners.ts';
import type { ClusterBoard } from '../store/operations/owners.ts';
import type { LaneReport, ReceiptGap } from './lane-meter.ts';

const pausedSetting = 'paused_carriers';
/** By id: since when. Separate, so that the list above keeps its form. */
const pausedSinceSetting = 'paused_carriers_since';

/** By carrier id: since when; null = unknown. */
export type Paused = ReadonlyMap<string, EpochMs | null>;

/** What other nodes need to know about a send queue. */
export interface SharedReport {
  report: LaneReport;
  /** Maximum media bytes of the carrier. */
  mediaBytesMax: number;
  /** With wall-clock times, so that the report stays equal while nothing happens. */
  gap: Omit<ReceiptGap, 'ageMs' | 'partsForMs'> & { lastAt: EpochMs; partsSince: EpochMs | null };
}

/** Tolerated difference between two readings of the two clocks. */
const sameMs = 2_000;

export function sharedGap(
  { ageMs, partsForMs, ...gap }: ReceiptGap,
  now: EpochMs,
  before: SharedReport['gap'] | undefined,
): SharedReport['gap'] {
  const steady = (at: EpochMs, was: EpochMs | null = null) => (was !== null && Math.abs(at - was) < sameMs ? was : at);
  const partsSince = gap.parts === 0 ? null : steady(now - partsForMs, before?.partsSince);
  return { ...gap, lastAt: steady(now - ageMs, before?.lastAt), partsSince };
}

export function gapOf({ lastAt, partsSince, ...gap }: SharedReport['gap'], now: EpochMs): ReceiptGap {
  return { ...gap, ageMs: Math.max(0, now - lastAt), partsForMs: Math.max(0, now - (partsSince ?? now)) };
}

/** What one of several nodes owns. */
export interface NodeOwns {
  /** For display. */
  name: string;
  acts: boolean;
  lanes: LaneId[];
  duties: Duty[];
}

export interface LaneBoard {
  /** This node's name, for display. */
  readonly node: string;
  /** Reports of the queues of other nodes, as last written. */
  reports(): ReadonlyMap<string, SharedReport>;
  /** As last read. */
  latest(): ClusterBoard;
  /** The live nodes and what each owns, as last read. */
  nodes(): NodeOwns[];
  /** Writes this node's reports if they changed, and reads those of all nodes. */
  exchange(takesLanes: boolean): Promise<ClusterBoard>;
  readPaused(): Promise<Paused>;
  writePaused(paused: Paused): Promise<void>;
}

export interface LaneBoardParts {
  store: Pick<SystemStore, 'getSetting' | 'putSetting'> &
    Pick<OwnerStore, 'announceNode' | 'clusterBoard'> &
    Pick<StoreBase, 'token'>;
  /** This node's name, for display. */
  nodeName: string;
  /** The reports of this node's send queues. */
  ownReports(): ReadonlyMap<string, SharedReport>;
  /** The link of another node's queue has changed. */
  linkChanged(carrierId: string, up: boolean): void;
}

export function createLaneBoard({ store, nodeName, ownReports, linkChanged }: LaneBoardParts): LaneBoard {
  const { token } = store;
  const name = `${nodeName}/${token}`;
  let latest: ClusterBoard = { nodes: [], lanes: [], duties: [] };
  let reports: ReadonlyMap<string, SharedReport> = new Map();
  let written = '';

  async function announce(takesLanes: boolean): Promise<void> {
    const node = { node: token, name, takesLanes, reports: JSON.stringify([...ownReports()]) };
    const text = JSON.stringify(node);
    if (text === written) return;
    await store.announceNode(node);
    written = text;
  }

  function show(board: ClusterBoard): void {
    const before = reports;
    reports = othersReports(board, token);
    latest = board;
    for (const [carrierId, { report }] of reports) {
      const { up } = report.status;
      if (before.get(carrierId)?.report.status.up !== up) linkChanged(carrierId, up);
    }
  }

  return {
    node: name,
    reports: () => reports,
    latest: () => latest,
    nodes: () => nodesOf(latest),
    exchange: async (takesLanes) => {
      await announce(takesLanes);
      const board = await store.clusterBoard();
      show(board);
      return board;
    },
    readPaused: async () => {
      const ids = JSON.parse((await store.getSetting(pausedSetting)) ?? '[]') as string[];
      const since = JSON.parse((await store.getSetting(pausedSinceSetting)) ?? '{}') as Record<string, EpochMs | null>;
      return new Map(ids.map((carrierId) => [carrierId, since[carrierId] ?? null]));
    },
    writePaused: async (paused) => {
      await store.putSetting(pausedSinceSetting, JSON.stringify(Object.fromEntries(paused)));
      await store.putSetting(pausedSetting, JSON.stringify([...paused.keys()]));
    },
  };
}

function nodesOf({ nodes, lanes, duties }: ClusterBoard): NodeOwns[] {
  return nodes.map(({ node: id, name, acts }) => ({
    name,
    acts,
    lanes: lanes.filter(({ node }) => node === id).map(({ lane }) => lane),
    duties: duties.filter(({ node }) => node === id).map(({ duty }) => duty),
  }));
}

/** For each queue, the report of the node that owns it. */
function othersReports({ nodes, lanes }: ClusterBoard, token: number): Map<string, SharedReport> {
  const byNode = new Map(
    nodes.map(({ node, reports }) => [node, new Map(JSON.parse(reports) as [string, SharedReport][])]),
  );
  const found = new Map<string, SharedReport>();
  for (const { lane, node } of lanes) {
    const report = node === null || node === token ? undefined : byNode.get(node)?.get(lane);
    if (report !== undefined) found.set(lane, report);
  }
  return found;
}
