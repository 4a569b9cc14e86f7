/** Gauges from figures that other parts already have: read at the scrape, not counted again. */
import { isBindUp } from '../../carriers/carrier.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { EventLoopDelay } from '../../kernel/event-loop.ts';
import type { Registry } from '../../kernel/metrics.ts';
import type { CampaignUse, Pace } from '../../messaging/pace/pace.ts';
import type { Lanes } from '../../messaging/send-queue/lanes.ts';
import { type Obstacle, obstacleOf } from '../../messaging/send-queue/limiting-factor.ts';
import { historyFactors } from '../../model/carrier-history.ts';
import type { Directory } from '../../model/directory.ts';
import { duties } from '../../model/duty.ts';
import type { CarrierRecord } from '../../model/records.ts';
import type { StoreBase } from '../../store/create-store.ts';
import type { SystemStore } from '../../store/system/module.ts';
import type { NumberWatch } from '../cells/number-watch.ts';
import type { Peers } from '../cells/peers.ts';
import type { RateLending } from '../cells/rate-lending.ts';
import type { MetricsStore, StoredFigures } from './store/module.ts';

const carrier = { carrier: null } as const;
const factors: readonly (Obstacle['why'] | 'none')[] = [...historyFactors, 'none'];

const rateParts = ['own', 'lent', 'borrowed'] as const;

export interface GaugePorts {
  clock: Pick<Clock, 'now'>;
  store: Pick<MetricsStore, 'storedFigures'> &
    Pick<SystemStore, 'healthy'> &
    Pick<StoreBase, 'mayHandOver' | 'leaseLeftMs' | 'engine' | 'place'>;
  lanes: Pick<Lanes, 'report' | 'isPaused' | 'receiptGap' | 'isHere' | 'hasDuty'>;
  pace: Pick<Pace, 'use'>;
  directory(): Directory;
  /** The other cells; null = there are none. */
  cells: {
    peers: Pick<Peers, 'names' | 'isUp'>;
    lending: Pick<RateLending, 'figures'>;
    numbers: Pick<NumberWatch, 'shared'>;
  } | null;
  /** Free on the disk of the data folder, and how much of it should stay free. */
  disk(): { freeBytes: number; reserveBytes: number };
  loopDelay: EventLoopDelay;
  process: Pick<NodeJS.Process, 'memoryUsage' | 'cpuUsage' | 'versions'>;
  version: string;
}

export function addGauges(registry: Registry, ports: GaugePorts): void {
  addCarrierGauges(registry, ports);
  addMachineGauges(registry, ports);
}

function addCarrierGauges(registry: Registry, { clock, store, lanes, pace, directory }: GaugePorts): void {
  const depth = registry.gauge({
    name: 'helio_lane_depth',
    help: 'Messages that wait for a carrier.',
    labels: carrier,
  });
  const oldest = registry.gauge({
    name: 'helio_lane_oldest_seconds',
    help: 'For how long the oldest of them has been due; 0 = none is.',
    labels: carrier,
  });
  const factor = registry.gauge({
    name: 'helio_lane_limiting_factor',
    help: 'What keeps a carrier from sending faster: 1 for that, 0 for all others.',
    labels: { carrier: null, factor: factors },
  });
  const up = registry.gauge({ name: 'helio_carrier_up', help: '1 while a carrier can be reached.', labels: carrier });
  const bind = registry.gauge({
    name: 'helio_bind_state',
    help: '1 while a bind is bound (SMPP), or its peer is reachable (MM7, MM4).',
    labels: { carrier: null, bind: null },
  });
  const window = registry.gauge({
    name: 'helio_window_size',
    help: 'Submissions that a carrier may have without an answer.',
    labels: carrier,
  });
  const inUse = registry.gauge({
    name: 'helio_window_in_use',
    help: 'Submissions that wait for its answer.',
    labels: carrier,
  });
  const receiptAge = registry.gauge({
    name: 'helio_last_receipt_age_seconds',
    help: 'Since the last receipt of a carrier, or since the start while none came.',
    labels: carrier,
  });
  const unreported = registry.gauge({
    name: 'helio_unreported_parts',
    help: 'Parts that a carrier took since its last receipt.',
    labels: carrier,
  });
  const unreportedFor = registry.gauge({
    name: 'helio_unreported_seconds',
    help: 'Since the first of them; 0 = there is none.',
    labels: carrier,
  });
  const uncertain = registry.gauge({ name: 'helio_uncertain_now', help: 'Messages in doubt.', labels: carrier });
  const overdue = registry.gauge({
    name: 'helio_uncertain_overdue_seconds',
    help: 'For how long the policy should have acted on the oldest message in doubt; 0 = its time is still to come.',
    labels: carrier,
  });
  const jobs = registry.gauge({
    name: 'helio_media_jobs',
    help: 'Requests whose media are not prepared: due now, or waiting for their next try.',
    labels: { state: ['due', 'waiting'] },
  });
  const backlog = registry.gauge({
    name: 'helio_webhook_backlog',
    help: 'Webhooks that wait, of endpoints that are enabled; of each up to 10,000.',
  });
  const webhookOldest = registry.gauge({
    name: 'helio_webhook_oldest_seconds',
    help: 'The age of the oldest event among them; 0 = none waits.',
  });
  const capUsed = registry.gauge({
    name: 'helio_campaign_cap_used_ratio',
    help: 'Of each kind of campaign limit, how much is used by the campaign that is nearest to its own: 1 = all of it.',
    labels: { limit: ['day', 'minute', 'minute_mms'] },
  });
  const snapshot = registry.gauge({
    name: 'helio_store_oldest_snapshot_seconds',
    help: 'PostgreSQL: for how long the oldest transaction has kept dead rows from being cleaned up.',
  });

  function showCarrier(record: CarrierRecord, { queued, uncertain: inDoubt }: StoredFigures): void {
    const { carrierId } = record;
    const labels = { carrier: carrierId };
    const waiting = queued.find(({ lane }) => lane === carrierId);
    depth.set(waiting?.count ?? 0, labels);
    oldest.set(secondsSince(waiting?.oldestDueAt), labels);
    const doubt = inDoubt.find(({ lane }) => lane === carrierId);
    uncertain.set(doubt?.count ?? 0, labels);
    overdue.set(secondsSince(doubt?.oldestDueAt), labels);
    const report = lanes.report(carrierId);
    const held = { record, report, paused: lanes.isPaused(carrierId), queued: waiting?.count ?? 0 };
    const why = obstacleOf(held)?.why ?? 'none';
    for (const one of factors) factor.set(one === why ? 1 : 0, { ...labels, factor: one });
  }

  function showLink({ carrierId }: CarrierRecord): void {
    const labels = { carrier: carrierId };
    const report = lanes.report(carrierId);
    up.set(report?.status.up === true ? 1 : 0, labels);
    if (report === null) return;
    const { binds } = report.status;
    for (const [index, one] of binds.entries()) {
      bind.set(isBindUp(one) ? 1 : 0, { ...labels, bind: String(index + 1) });
    }
    window.set(
      binds.reduce((sum, one) => sum + one.window, 0),
      labels,
    );
    inUse.set(
      binds.reduce((sum, one) => sum + one.inFlight, 0),
      labels,
    );
    const gap = lanes.receiptGap(carrierId);
    if (gap === null) return;
    receiptAge.set(gap.ageMs / 1_000, labels);
    unreported.set(gap.parts, labels);
    unreportedFor.set(gap.partsForMs / 1_000, labels);
  }

  const secondsSince = (at: number | null | undefined): number =>
    at === null || at === undefined ? 0 : Math.max(0, clock.now() - at) / 1_000;

  function showCaps(): void {
    const nearest = { day: 0, minute: 0, minute_mms: 0 };
    for (const { campaignId } of directory().records.campaigns) {
      const { segmentsToday, segmentsThisMinute, mmsThisMinute } = pace.use(campaignId);
      nearest.day = Math.max(nearest.day, usedOf(segmentsToday));
      nearest.minute = Math.max(nearest.minute, usedOf(segmentsThisMinute));
      nearest.minute_mms = Math.max(nearest.minute_mms, usedOf(mmsThisMinute));
    }
    for (const [limit, ratio] of Object.entries(nearest)) capUsed.set(ratio, { limit });
  }

  const enabled = () => enabledCarriers(directory());
  // With several nodes only the acting one shows what they share, so that sums count nothing twice.
  registry.collect('carriers', () => {
    if (!store.place.acts()) return;
    enabled().forEach(showLink);
    showCaps();
  });
  registry.collect('store', async () => {
    if (!store.place.acts()) return;
    const found = await store.storedFigures(clock.now());
    for (const record of enabled()) showCarrier(record, found);
    jobs.set(found.mediaJobs.due, { state: 'due' });
    jobs.set(found.mediaJobs.waiting, { state: 'waiting' });
    const off = new Set(
      directory().records.endpoints.flatMap((one) =>
        one.disabled === null && one.deletedAt === null ? [] : [one.endpointId],
      ),
    );
    const waiting = found.webhooks.filter(({ endpointId }) => !off.has(endpointId));
    backlog.set(waiting.reduce((sum, one) => sum + one.waiting, 0));
    webhookOldest.set(Math.max(0, ...waiting.map(({ oldestAt }) => secondsSince(oldestAt))));
    if (found.oldestSnapshotMs !== null) snapshot.set(found.oldestSnapshotMs / 1_000);
  });
}

const enabledCarriers = ({ records }: Directory): CarrierRecord[] => records.carriers.filter((one) => one.enabled);

function usedOf(use: CampaignUse[keyof CampaignUse]): number {
  return use === null ? 0 : use.used / use.limit;
}

function addMachineGauges(registry: Registry, ports: GaugePorts): void {
  const { store, lanes, directory, disk, loopDelay, process, version, cells } = ports;
  const takesWrites = registry.gauge({ name: 'helio_store_up', help: '1 while the store takes writes.' });
  const acting = registry.gauge({
    name: 'helio_node_acting',
    help: '1 while this node does what only one may do; 0 when another may have taken over.',
  });
  const leaseLeft = registry.gauge({
    name: 'helio_node_lease_seconds_left',
    help: 'PostgreSQL: for how long this node may still act, or take messages, unless its lease is renewed.',
  });
  const ownLanes = registry.gauge({
    name: 'helio_node_lanes',
    help: 'Send queues that this node has: carriers that it keeps connections to.',
  });
  const ownDuties = registry.gauge({
    name: 'helio_node_duty',
    help: '1 for each duty that this node has; of several gateways one has each.',
    labels: { duty: duties },
  });
  const nodes = registry.gauge({
    name: 'helio_nodes',
    help: 'Gateways that live now on the same store, this one included.',
  });
  const cellUp = registry.gauge({
    name: 'helio_cell_up',
    help: '1 while another cell answers this gateway.',
    labels: { cell: null },
  });
  const sharedNumbers = registry.gauge({
    name: 'helio_cell_shared_numbers',
    help: 'Numbers of this cell that the records of another cell have too.',
    labels: { cell: null },
  });
  const lentRate = registry.gauge({
    name: 'helio_carrier_lent_rate',
    help: 'Messages a second of a carrier that lends its rate between cells: the own share of this cell, lent of it, and borrowed.',
    labels: { carrier: null, part: rateParts },
  });
  const free = registry.gauge({ name: 'helio_store_disk_free_bytes', help: 'Free on the disk of the data folder.' });
  const reserve = registry.gauge({ name: 'helio_store_disk_reserve_bytes', help: 'What should stay free on it.' });
  const delay = registry.gauge({
    name: 'helio_event_loop_delay_seconds',
    help: 'How late the event loop was since the last scrape.',
    labels: { stat: ['mean', 'p50', 'p99', 'max'] },
  });
  const memory = registry.gauge({ name: 'helio_process_resident_bytes', help: 'Memory of the process.' });
  const cpu = registry.counter({
    name: 'helio_process_cpu_seconds_total',
    help: 'Processor time of the process, all threads.',
    label: { name: 'mode', values: ['user', 'system'] },
  });
  const build = registry.gauge({
    name: 'helio_build_info',
    help: 'Always 1; its labels say what runs.',
    labels: { version: null, node: null, engine: ['sqlite', 'postgres'] },
  });
  let before = { user: 0, system: 0 };

  registry.collect('machine', () => {
    const { freeBytes, reserveBytes } = disk();
    free.set(freeBytes);
    reserve.set(reserveBytes);
  });
  registry.collect('process', () => {
    acting.set(store.place.acts() && store.mayHandOver() ? 1 : 0);
    const leftMs = store.leaseLeftMs();
    if (leftMs !== null) leaseLeft.set(leftMs / 1_000);
    const shared = cells?.numbers.shared() ?? [];
    for (const cell of cells?.peers.names ?? []) {
      cellUp.set(cells!.peers.isUp(cell) ? 1 : 0, { cell });
      sharedNumbers.set(shared.filter((one) => one.cells[1] === cell).length, { cell });
    }
    for (const [carrierId, figures] of cells?.lending.figures() ?? []) {
      for (const part of rateParts) lentRate.set(figures[part], { carrier: carrierId, part });
    }
    nodes.set(store.place.nodes());
    ownLanes.set(enabledCarriers(directory()).filter(({ carrierId }) => lanes.isHere(carrierId)).length);
    for (const duty of duties) ownDuties.set(lanes.hasDuty(duty) && store.mayHandOver() ? 1 : 0, { duty });
    for (const [stat, seconds] of Object.entries(loopDelay.sinceLast())) delay.set(seconds, { stat });
    memory.set(process.memoryUsage.rss());
    const now = process.cpuUsage();
    cpu.add('user', (now.user - before.user) / 1e6);
    cpu.add('system', (now.system - before.system) / 1e6);
    before = now;
    build.set(1, { version, node: process.versions.node, engine: store.engine });
  });
  registry.collect('store', async () => takesWrites.set((await store.healthy()) ? 1 : 0));
}
