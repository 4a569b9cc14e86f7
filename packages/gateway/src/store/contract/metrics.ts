/** Contract: the counts agree with the commits, and the gauges with the waiting messages. */
import { describe, expect, it } from 'vitest';
import { type Exposition, readExposition } from '../../../../../test/props/exposition.ts';
import { createIds } from '../../kernel/ids.ts';
import { machineRandom } from '../../kernel/machine.ts';
import { createRegistry } from '../../kernel/metrics.ts';
import type { Settlement } from '../../model/delivery.ts';
import { createMessageMetrics } from '../../subjects/metrics/message-metrics.ts';
import { minute, type StoreFactory, start } from './fixture.ts';
import { giveOut, outcome, record } from './outbox.ts';
import { useWorld } from './world.ts';

export function metricsContract(factory: StoreFactory): void {
  describe('metrics', () => {
    const world = useWorld(factory);

    /** Opens the store again, with its commits counted; returns a scrape. */
    async function counted(): Promise<() => Promise<Exposition>> {
      const registry = createRegistry((_, error) => {
        throw error;
      });
      await world.store.close();
      world.store = await world.place.open('node', world.clock, createMessageMetrics(registry, world.clock));
      return async () => readExposition(await registry.text());
    }

    it('count what was stored, not what was repeated', async () => {
      const scrape = await counted();
      const key = { key: 'k', bodyHash: 'h' };
      await world.store.accept([world.item({ recipients: ['14155550100', '14155550101'], key })]);
      await world.store.accept([world.item({ recipients: ['14155550100', '14155550101'], key })]);
      await world.store.accept([world.item({ recipients: ['14155550102'], key: { ...key, bodyHash: 'other' } })]);
      const found = await scrape();
      expect(found.value('helio_accepted_total', { kind: 'SMS' })).toBe(2);
      expect(found.value('helio_accept_commit_seconds_count')).toBe(3);
    });

    it('count receipts by carrier and state, and those that matched nothing', async () => {
      const scrape = await counted();
      const id = await world.sent(['a1']);
      await world.receipts({ carrierMessageId: 'a1', state: 'interim' }, { carrierMessageId: 'other' });
      await world.receipts({ carrierMessageId: 'a1' });
      expect((await world.view(id))?.state).toBe('delivered');
      const found = await scrape();
      expect(found.value('helio_receipts_total', { carrier: 'c1', state: 'delivered' })).toBe(2);
      expect(found.value('helio_receipts_total', { carrier: 'c1', state: 'interim' })).toBe(1);
      expect(found.value('helio_receipts_unmatched_total')).toBe(1);
      expect(found.value('helio_receipts_unmatched_total', { carrier: 'c1', state: 'delivered' })).toBe(1);
    });

    it('time the way of a message by the time in its id', async () => {
      const scrape = await counted();
      const item = world.item();
      item.deliveries[0]!.messageId = createIds(world.clock, machineRandom).message();
      await world.store.accept([item]);
      const [claim] = await world.claim();
      world.clock.set(start + 2_000);
      await world.settle(claim!, { parts: [{ part: 1, carrierMessageId: 'a1' }] });
      world.clock.set(start + 90_000);
      await world.receipts({ carrierMessageId: 'a1' });
      const found = await scrape();
      expect(found.value('helio_accepted_to_sent_seconds_sum')).toBe(2);
      expect(found.value('helio_accepted_to_sent_seconds_count')).toBe(1);
      expect(found.value('helio_accepted_to_delivered_seconds_sum')).toBe(90);
    });

    it('count what became of messages in doubt, and which may come twice', async () => {
      const scrape = await counted();
      await world.uncertain({ lane: 'c1' });
      await world.uncertain({ lane: 'c2', accountId: 'acc2' });
      const proven = await world.claimed({ to: '14155550109' });
      await world.settle(proven, {
        to: 'uncertain',
        parts: [{ part: 1, carrierMessageId: 'p1' }],
        dueAt: start + minute,
      });
      expect((await world.receipts({ carrierMessageId: 'p1', to: '14155550109' })).map(({ from }) => from)).toEqual([
        'uncertain',
      ]);
      world.clock.set(start + 2 * minute);
      const swept = await world.sweep({ holdAccountIds: ['acc2'], repeats: { accounts: {}, carriers: {} } });
      const held = swept.moves.find(({ state }) => state === 'held')!;
      await world.store.decide({ ...held, accountId: 'acc2', to: 'queued', now: world.clock.now() });
      const found = await scrape();
      const resolved = (resolution: string) => found.value('helio_uncertain_total', { resolution });
      expect(['queued', 'held', 'delivered'].map(resolved)).toEqual([1, 1, 1]);
      expect(found.value('helio_uncertain_total')).toBe(3);
      expect(found.value('helio_dup_risk_total', { by: 'policy' })).toBe(1);
      expect(found.value('helio_dup_risk_total', { by: 'person' })).toBe(1);
    });

    it('count failures by code, and not the outcome of an outdated try', async () => {
      const scrape = await counted();
      const claim = await world.claimed();
      const failed: Partial<Settlement> = { to: 'failed', code: 'CARRIER_REJECTED', parts: [] };
      await world.settle(claim, failed);
      await world.settle(claim, failed);
      expect((await scrape()).value('helio_failed_total')).toBe(1);
      expect((await scrape()).value('helio_failed_total', { code: 'CARRIER_REJECTED' })).toBe(1);
    });

    it('count replies once, opt-outs that change something, and webhook attempts', async () => {
      const scrape = await counted();
      const stop = () => {
        const item = world.inboundItem({ text: 'STOP' });
        return { ...item, consent: { keyword: 'out', scope: 'campaign:c1', confirmation: null } as const };
      };
      await world.store.inbound([stop()]);
      await world.store.inbound([stop()]);
      await world.store.inbound([world.inboundItem({ concat: { reference: 1, total: 2, sequence: 1 } })]);
      const [event] = await giveOut(world);
      const { position } = event!;
      await record(world, outcome(position, { to: 'waiting', status: 503 }));
      await record(world, outcome(position, { to: 'waiting', status: null, tries: 1 }));
      await record(world, outcome(position, { tries: 2 }));
      const found = await scrape();
      expect(found.value('helio_inbound_total', { kind: 'SMS' })).toBe(2);
      expect(found.value('helio_consent_changes_total', { change: 'out' })).toBe(1);
      const attempts = (result: string) => found.value('helio_webhook_attempts_total', { result });
      expect(['server_error', 'no_answer', 'delivered'].map(attempts)).toEqual([1, 1, 1]);
    });

    it('read what waits: in lanes, in doubt, for media and for endpoints', async () => {
      const { store } = world;
      const { oldestSnapshotMs, ...empty } = await store.storedFigures(start);
      expect(empty).toEqual({ queued: [], uncertain: [], mediaJobs: { due: 0, waiting: 0 }, webhooks: [] });
      if (store.engine === 'sqlite') expect(oldestSnapshotMs).toBeNull();
      else expect(oldestSnapshotMs).toBeGreaterThanOrEqual(0);
      await world.uncertain({ lane: 'c2' });
      await world.accept();
      world.clock.set(start + 5);
      await world.accept();
      await giveOut(world, 1, ['ep_1', 'ep_2'], start - minute);
      await giveOut(world, 1, ['ep_1'], start);
      // Moves SQLite's journal into the database.
      await store.queueCounts();
      expect(await store.storedFigures(start)).toMatchObject({
        queued: [{ lane: 'c1', count: 2, oldestDueAt: start }],
        uncertain: [{ lane: 'c2', count: 1, oldestDueAt: start + minute }],
        webhooks: expect.arrayContaining([
          expect.objectContaining({ endpointId: 'ep_1', oldestAt: start - minute }),
          { endpointId: 'ep_2', waiting: expect.any(Number), oldestAt: start - minute },
        ]),
      });
    });
  });
}
