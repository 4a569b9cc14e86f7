/** Contract: demo messages: in every list like real ones, sent to no endpoint, and removed without a trace. */
import { describe, expect, it } from 'vitest';
import { firstIdAt } from '../../kernel/ids.ts';
import { historyHourMs } from '../../model/carrier-history.ts';
import { type DemoOutcome, demoKeyId } from '../../model/demo.ts';
import type { DemoReceived, DemoRequest } from '../../subjects/sandbox/store/module.ts';
import { usageRows } from '../../subjects/usage/follow.ts';
import { acceptItem, hour, type ItemFields, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const own = '15550001111';
const peer = '14155550100';
const day = 24 * hour;
const month = { from: '2026-12-01', to: '2027-01-31' };
const owner = { accountId: 'acc1', environment: 'sandbox' } as const;

const delivered: DemoOutcome = {
  sendingAfterMs: 10,
  sentAfterMs: 50,
  to: 'delivered',
  endAfterMs: 900,
  code: 'DELIVERED',
  carrierCode: '000',
};
const refused: DemoOutcome = {
  sendingAfterMs: 10,
  sentAfterMs: null,
  to: 'failed',
  endAfterMs: 50,
  code: 'CARRIER_REJECTED',
  carrierCode: 'ESME_RSUBMITFAIL',
};

let serial = 0;
/** Ids of that time. */
const idAt = (prefix: string, at: number) => `${firstIdAt(prefix, at)}${String(++serial).padStart(16, '0')}`;

function request(at: number, outcomes: DemoOutcome[] = [delivered], fields: ItemFields = {}): DemoRequest {
  const item = acceptItem(at, { from: own, to: peer, ...fields });
  item.message.keyId = demoKeyId;
  item.message.requestId = idAt('req_', at);
  for (const delivery of item.deliveries) delivery.messageId = idAt('msg_', at);
  return { message: item.message, deliveries: item.deliveries, outcomes };
}

function reply(at: number): DemoReceived {
  const ids = { messageId: idAt('msg_', at), requestId: idAt('req_', at), accountId: 'acc1', carrier: 'c1' };
  return { ...ids, from: peer, to: own, text: 'YES', encoding: 'GSM-7', segments: 1, receivedAt: at };
}

const begins = start - 20 * day;
const until = start + 1;

async function removeAll(world: World, limit = 2): Promise<number> {
  let deleted = 0;
  for (let cursor: string | null = null, steps = 0; steps < 100; steps++) {
    const step = await world.store.removeDemo({ accountId: 'acc1', from: begins, until, limit, cursor });
    deleted += step.deleted;
    cursor = step.cursor;
    if (cursor === null) return deleted;
  }
  throw new Error('it never ends');
}

/** The number of messages in the history of carriers, and of their codes. */
async function historyOf({ store }: World): Promise<number[]> {
  const query = {
    stepMs: historyHourMs,
    from: begins - hour,
    until: start + hour,
    widthMs: hour,
    carrierId: null,
  } as const;
  const bars = await store.carrierHistory(query);
  const counts = await store.carrierHistoryCounts(query);
  return [bars.reduce((sum, { figures }) => sum + figures.taken, 0), counts.length];
}

const listed = (world: World, direction: 'outbound' | 'inbound') =>
  world.store.messages({ accountId: 'acc1', direction, from: null, to: null, before: null, limit: 100 });

/** Counts usage as the usage follower would. */
async function count(world: World): Promise<void> {
  // Messages in memory are not counted yet, so this flushes the journal.
  await world.store.healthy();
  const from = await world.store.countedTo();
  const { taken, position } = await world.store.countsAfter({ after: from, limit: 1_000 });
  const noRecords = { number: () => undefined, carrier: () => undefined } as never;
  await world.store.addUsage({ from, to: position, rows: usageRows(taken, noRecords) });
}

export function demoContract(factory: StoreFactory): void {
  describe('demo messages', () => {
    const world = useWorld(factory);

    it('have the timeline, the parts and the positions of real ones, at their own times', async () => {
      const one = request(begins, [delivered], { segments: 2 });
      await world.store.addDemo({ begins, sent: [one], received: [] });
      const { messageId } = one.deliveries[0]!;
      const view = (await world.view(messageId))!;
      expect(view).toMatchObject({
        state: 'delivered',
        code: 'DELIVERED',
        acceptedAt: begins,
        updatedAt: begins + 900,
      });
      expect(view.events.map(({ state, at }) => [state, at])).toEqual([
        ...[
          ['accepted', begins],
          ['queued', begins],
        ],
        ...[
          ['sending', begins + 10],
          ['sent', begins + 50],
          ['delivered', begins + 900],
        ],
      ]);
      expect(view.parts).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
      expect(await listed(world, 'outbound')).toMatchObject([{ messageId }]);
      expect(await world.claim('c1')).toEqual([]);
    });

    it('may have refused recipients, and several recipients in one request', async () => {
      const recipients = [peer, '14155550101'];
      const one = request(begins, [delivered, refused], { recipients });
      await world.store.addDemo({ begins, sent: [one], received: [] });
      const [first, second] = one.deliveries.map(({ messageId }) => messageId);
      expect(await world.timeline(first!)).toEqual(['accepted', 'queued', 'sending', 'sent', 'delivered']);
      expect(await world.timeline(second!)).toEqual(['accepted', 'queued', 'sending', 'failed']);
    });

    it('with pictures leave no media jobs', async () => {
      const one = request(begins);
      Object.assign(one.message, { messageType: 'MMS', mediaUrls: ['https://shop.example/a.jpg'] });
      await world.store.addDemo({ begins, sent: [one], received: [] });
      expect(await world.store.nextMediaJobAt()).toBeNull();
      expect(await world.timeline(one.deliveries[0]!.messageId)).toContain('delivered');
    });

    it('are in conversations, between real ones of their time', async () => {
      const real = await world.sent(['r1'], { from: own, to: peer });
      await world.receipts({ carrierMessageId: 'r1', to: peer });
      world.clock.set(start + hour);
      const [before, after] = [request(start - hour), request(start + minute)];
      const answer = reply(start + 2 * minute);
      await world.store.addDemo({ begins, sent: [before, after], received: [answer] });
      const talk = { accountId: 'acc1', own, peer, before: null, limit: 10 };
      const ids = (await world.store.threadMessages(talk)).map(({ messageId }) => messageId);
      expect(new Set(ids)).toEqual(
        new Set([real, before.deliveries[0]!.messageId, after.deliveries[0]!.messageId, answer.messageId]),
      );
      expect(await world.store.thread({ accountId: 'acc1', own, peer })).toMatchObject({ unread: 1, lastText: 'YES' });
      const step = await world.store.removeDemo({
        accountId: 'acc1',
        from: begins,
        until: start + hour,
        limit: 100,
        cursor: null,
      });
      await world.store.removeDemo({
        accountId: 'acc1',
        from: begins,
        until: start + hour,
        limit: 100,
        cursor: step.cursor,
      });
      expect((await world.store.threadMessages(talk)).map(({ messageId }) => messageId)).toEqual([real]);
      expect(await world.store.thread({ accountId: 'acc1', own, peer })).toBeNull();
    });

    it('send no events, and are counted under their own key', async () => {
      const last = (await world.store.eventPosition({ accountId: 'acc1', eventId: 'latest' })) ?? 0;
      await world.store.addDemo({
        begins,
        sent: [request(begins), request(begins + day)],
        received: [reply(begins + day)],
      });
      const page = await world.store.eventsAfter({ after: last, limit: 100 });
      expect(page.events).toEqual([]);
      expect(page.position).toBeGreaterThan(last);
      const own = await world.store.accountEvents({ accountId: 'acc1', after: last, types: null, limit: 100 });
      expect(own.events).toEqual([]);
      await count(world);
      const query = { ...owner, ...month, groupBy: 'key' as const, after: null, limit: 10 };
      expect(await world.store.usage(query)).toMatchObject([{ name: demoKeyId, smsMessages: 2 }]);
    });

    it('are removed in bounded steps with their usage, and real ones stay', async () => {
      const sent = Array.from({ length: 7 }, (_, n) => request(begins + n * hour));
      await world.store.addDemo({ begins, sent, received: [reply(begins + 8 * hour), reply(begins + 9 * hour)] });
      const counts = [{ part: 'refused' as const, name: 'CARRIER_REJECTED', count: 1 }];
      const history = { rows: [{ carrierId: 'c1', at: begins, figures: { taken: 3 }, counts }] };
      for (const demo of ['acc1', 'acc2', '']) await world.store.addCarrierHistory({ ...history, demo });
      const real = await world.sent(['r1'], { from: own, to: peer });
      const other = await world.sent(['o1'], { accountId: 'acc2' });
      const between = world.item({ from: own, to: peer, lane: 'c9' });
      between.message.acceptedAt = begins + 3 * hour;
      between.deliveries[0]!.messageId = idAt('msg_', begins + 3 * hour);
      await world.store.accept([between]);
      await count(world);
      expect(await removeAll(world)).toBe(9);
      // Real traffic, and the demo traffic of another company.
      expect(await historyOf(world)).toEqual([6, 1]);
      const left = (await listed(world, 'outbound')).map(({ messageId }) => messageId);
      expect(new Set(left)).toEqual(new Set([real, between.deliveries[0]!.messageId]));
      expect(await listed(world, 'inbound')).toEqual([]);
      expect(await world.view(other, 'acc2')).toMatchObject({ state: 'sent' });
      const query = { ...owner, ...month, groupBy: 'key' as const, after: null, limit: 10 };
      expect(await world.store.usage(query)).toMatchObject([{ name: 'key1' }]);
      expect(await removeAll(world)).toBe(0);
    });

    it('are stored all together or not at all', async () => {
      const good = request(begins);
      const bad = request(begins + 1, [{ ...delivered, sentAfterMs: null }]);
      await expect(world.store.addDemo({ begins, sent: [good, bad], received: [] })).rejects.toThrow('no arrow');
      expect(await listed(world, 'outbound')).toEqual([]);
    });
  });
}
