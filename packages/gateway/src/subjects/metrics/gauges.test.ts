/** The gauges of a gateway's parts, as a scrape reads them. */
import { describe, expect, it } from 'vitest';
import { readExposition } from '../../../../../test/props/exposition.ts';
import { createRegistry } from '../../kernel/metrics.ts';
import type { LaneReport } from '../../messaging/send-queue/lane-meter.ts';
import type { Duty } from '../../model/duty.ts';
import { campaign, carrier, directoryOf, endpoint } from '../../model/world-fixture.ts';
import { type NodePlace, onlyNode } from '../../store/engine.ts';
import { addGauges, type GaugePorts } from './gauges.ts';
import type { StoredFigures } from './store/module.ts';

const now = 1_800_000_000_000;
const bind = (state: string, inFlight: number) => ({ state, detail: null, window: 10, inFlight });
const report = (binds: ReturnType<typeof bind>[], up = true): LaneReport => ({
  status: { carrierId: 'c1', up, binds },
  since: now,
  detail: null,
  inFlight: 0,
  outPerSecond: 0,
  inPerSecond: 0,
  outHistory: [],
  accepted: 0,
  receipts: 0,
  tries: 0,
  refused: 0,
  throttled: 0,
  reported: null,
  responseP95Ms: null,
  silentSince: null,
});
const receiptGap = () => ({ ageMs: 90_000, parts: 12, partsForMs: 61_000, isReported: true, usualMs: null });
const isHere = () => true;
const hasDuty = () => true;
const nothing: StoredFigures = {
  queued: [],
  uncertain: [],
  mediaJobs: { due: 0, waiting: 0 },
  webhooks: [],
  oldestSnapshotMs: null,
};

type Given = Partial<GaugePorts> & { stored?: StoredFigures | Error; place?: NodePlace; leaseLeftMs?: number | null };

function scrapeOf({ stored = nothing, place = onlyNode, leaseLeftMs = null, ...more }: Given = {}) {
  const failures: string[] = [];
  const registry = createRegistry((source) => failures.push(source));
  addGauges(registry, {
    cells: null,
    clock: { now: () => now },
    store: {
      engine: 'sqlite',
      place,
      mayHandOver: () => true,
      leaseLeftMs: () => leaseLeftMs,
      healthy: async () => true,
      storedFigures: async () => {
        if (stored instanceof Error) throw stored;
        return stored;
      },
    },
    lanes: {
      report: () => report([bind('bound_trx', 10), bind('connecting', 0)]),
      isPaused: () => false,
      receiptGap,
      isHere,
      hasDuty,
    },
    pace: { use: () => ({ segmentsThisMinute: null, mmsThisMinute: null, segmentsToday: null }) },
    directory: () => directoryOf({ carriers: [carrier('c1'), carrier('off', 'smpp', { enabled: false })] }),
    disk: () => ({ freeBytes: 5, reserveBytes: 7 }),
    loopDelay: { sinceLast: () => ({ mean: 0.001, p50: 0, p99: 0.02, max: 0.3 }), stop: () => {} },
    process,
    version: '1.2.3',
    ...more,
  });
  return registry.text().then((text) => ({ ...readExposition(text), failures }));
}

describe('gauges', () => {
  it('show each enabled carrier: its link, its window, and its receipts', async () => {
    const found = await scrapeOf();
    expect(found.value('helio_carrier_up', { carrier: 'c1' })).toBe(1);
    expect(found.value('helio_bind_state', { carrier: 'c1', bind: '1' })).toBe(1);
    expect(found.value('helio_bind_state', { carrier: 'c1', bind: '2' })).toBe(0);
    expect(found.value('helio_window_size', { carrier: 'c1' })).toBe(20);
    expect(found.value('helio_window_in_use', { carrier: 'c1' })).toBe(10);
    expect(found.value('helio_last_receipt_age_seconds', { carrier: 'c1' })).toBe(90);
    expect(found.value('helio_unreported_parts', { carrier: 'c1' })).toBe(12);
    expect(found.value('helio_unreported_seconds', { carrier: 'c1' })).toBe(61);
    expect(found.value('helio_carrier_up', { carrier: 'off' })).toBeUndefined();
  });

  it('show of each kind of limit the campaign that is nearest to it', async () => {
    const use = (campaignId: string) => ({
      segmentsToday:
        campaignId === 'k1' ? { used: 30, limit: 100, resetsAt: now } : { used: 90, limit: 100, resetsAt: now },
      segmentsThisMinute: campaignId === 'k1' ? { used: 6, limit: 5 } : null,
      mmsThisMinute: null,
    });
    const campaigns = [campaign('k1'), campaign('k2')];
    const found = await scrapeOf({ pace: { use }, directory: () => directoryOf({ campaigns }) });
    const used = (limit: string) => found.value('helio_campaign_cap_used_ratio', { limit });
    expect([used('day'), used('minute'), used('minute_mms')]).toEqual([0.9, 1.2, 0]);
  });

  it('show how many send queues this node has', async () => {
    const carriers = [carrier('c1'), carrier('c2'), carrier('off', 'smpp', { enabled: false })];
    const lanes = {
      report: () => null,
      isPaused: () => false,
      receiptGap,
      isHere: (id: string) => id !== 'c2',
      hasDuty,
    };
    const found = await scrapeOf({ lanes, directory: () => directoryOf({ carriers }) });
    expect(found.value('helio_node_lanes')).toBe(1);
  });

  it('show which duties this node has, while it has its lease', async () => {
    const lanes = {
      report: () => null,
      isPaused: () => false,
      receiptGap,
      isHere,
      hasDuty: (one: Duty) => one === 'usage',
    };
    const found = await scrapeOf({ lanes });
    const value = (duty: Duty) => found.value('helio_node_duty', { duty });
    expect([value('usage'), value('webhooks')]).toEqual([1, 0]);
  });

  it('show which other cells answer, and what they lend each other', async () => {
    const found = await scrapeOf({
      cells: {
        peers: { names: ['b', 'c'], isUp: (cell) => cell === 'c' },
        lending: { figures: () => new Map([['smsc', { own: 100, lent: 0, borrowed: 30 }]]) },
        numbers: { shared: () => [{ number: '12025550111', cells: ['a', 'c'] }] },
      },
    });
    expect(['b', 'c'].map((cell) => found.value('helio_cell_up', { cell }))).toEqual([0, 1]);
    expect(['b', 'c'].map((cell) => found.value('helio_cell_shared_numbers', { cell }))).toEqual([0, 1]);
    const rate = (part: string) => found.value('helio_carrier_lent_rate', { carrier: 'smsc', part });
    expect(['own', 'lent', 'borrowed'].map(rate)).toEqual([100, 0, 30]);
  });

  it('show what is left of a lease, where there is one', async () => {
    expect((await scrapeOf({ leaseLeftMs: 3_200 })).value('helio_node_lease_seconds_left')).toBe(3.2);
    expect((await scrapeOf({ leaseLeftMs: 0 })).value('helio_node_lease_seconds_left')).toBe(0);
    expect((await scrapeOf()).value('helio_node_lease_seconds_left')).toBeUndefined();
  });

  it('show what waits for it and what holds it back, one factor at a time', async () => {
    const stored: StoredFigures = {
      ...nothing,
      queued: [{ lane: 'c1', count: 3, oldestDueAt: now - 90_000 }],
      uncertain: [{ lane: 'c1', count: 2, oldestDueAt: now + 1_000 }],
    };
    const full = { report: () => report([bind('bound_trx', 10)]), isPaused: () => false, receiptGap, isHere, hasDuty };
    const found = await scrapeOf({ stored, lanes: full });
    expect(found.value('helio_lane_depth', { carrier: 'c1' })).toBe(3);
    expect(found.value('helio_lane_oldest_seconds', { carrier: 'c1' })).toBe(90);
    expect(found.value('helio_uncertain_now', { carrier: 'c1' })).toBe(2);
    expect(found.value('helio_uncertain_overdue_seconds', { carrier: 'c1' })).toBe(0);
    expect(found.value('helio_lane_limiting_factor', { factor: 'window' })).toBe(1);
    expect(found.value('helio_lane_limiting_factor')).toBe(1);
    const overdue = [{ lane: 'c1', count: 2, oldestDueAt: now - 70_000 }];
    const later = await scrapeOf({
      stored: { ...nothing, uncertain: overdue },
      lanes: { ...full, isPaused: () => true },
    });
    expect(later.value('helio_uncertain_overdue_seconds')).toBe(70);
    expect(later.value('helio_lane_depth')).toBe(0);
    expect(later.value('helio_lane_limiting_factor', { factor: 'paused' })).toBe(1);
  });

  it('show webhooks of endpoints that are enabled only', async () => {
    const endpoints = [
      endpoint('ep_1'),
      endpoint('ep_2', { disabled: { at: now, why: 'failing' } }),
      endpoint('ep_3', { deletedAt: now }),
    ];
    const webhooks = [
      { endpointId: 'ep_1', waiting: 4, oldestAt: now - 30_000 },
      { endpointId: 'ep_2', waiting: 100, oldestAt: now - 9_000_000 },
      { endpointId: 'ep_3', waiting: 1, oldestAt: now - 9_000_000 },
    ];
    const found = await scrapeOf({ stored: { ...nothing, webhooks }, directory: () => directoryOf({ endpoints }) });
    expect(found.value('helio_webhook_backlog')).toBe(4);
    expect(found.value('helio_webhook_oldest_seconds')).toBe(30);
    expect((await scrapeOf()).value('helio_webhook_oldest_seconds')).toBe(0);
  });

  it('show the machine, and PostgreSQL’s oldest snapshot where it is the store', async () => {
    const found = await scrapeOf({
      stored: { ...nothing, oldestSnapshotMs: 61_500, mediaJobs: { due: 2, waiting: 1 } },
    });
    expect(found.value('helio_store_oldest_snapshot_seconds')).toBe(61.5);
    expect(found.value('helio_media_jobs', { state: 'due' })).toBe(2);
    expect(found.value('helio_store_disk_free_bytes')).toBe(5);
    expect(found.value('helio_store_disk_reserve_bytes')).toBe(7);
    expect(found.value('helio_event_loop_delay_seconds', { stat: 'max' })).toBe(0.3);
    expect(found.value('helio_process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(found.value('helio_build_info', { version: '1.2.3', engine: 'sqlite' })).toBe(1);
    expect((await scrapeOf()).value('helio_store_oldest_snapshot_seconds')).toBeUndefined();
  });

  it('are shown by the node that acts, where nodes share them', async () => {
    const place = { ...onlyNode, isShared: true, nodes: () => 3 };
    const acting = await scrapeOf({ place });
    const other = await scrapeOf({ place: { ...place, acts: () => false } });
    for (const name of ['helio_carrier_up', 'helio_lane_depth', 'helio_webhook_backlog', 'helio_media_jobs']) {
      expect([acting.value(name) === undefined, other.value(name)], name).toEqual([false, undefined]);
    }
    expect([acting.value('helio_nodes'), other.value('helio_nodes')]).toEqual([3, 3]);
    expect(other.value('helio_store_up')).toBe(1);
  });

  it('leave out what the store does not say, and keep the rest', async () => {
    const found = await scrapeOf({ stored: new Error('away') });
    expect(found.failures).toEqual(['store']);
    expect(found.value('helio_lane_depth')).toBeUndefined();
    expect(found.value('helio_carrier_up', { carrier: 'c1' })).toBe(1);
    expect(found.value('helio_store_up')).toBe(1);
  });
});
