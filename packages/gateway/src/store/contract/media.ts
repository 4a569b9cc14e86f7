/** Contract: an MMS waits for its media, once, and then in the queue; without its media it expires. */
import { describe, expect, it } from 'vitest';
import type { AcceptItem } from '../../messaging/store/items.ts';
import type { MediaPreparation } from '../../messaging/store/media-items.ts';
import { hour, type ItemFields, minute, type StoreFactory, start } from './fixture.ts';
import {
  inboundMmsItem,
  mediaLink,
  mediaOf,
  medium,
  mmsItem,
  preparedMedia,
  queuedMedia,
  shownMedia,
  urls,
} from './media-fixture.ts';
import { useWorld, type World } from './world.ts';

const blocked = { to: 'failed', code: 'MEDIA_BLOCKED', detail: 'no' } as const;

async function accepted(world: World, fields: ItemFields = {}): Promise<AcceptItem> {
  const item = mmsItem(world.clock.now(), fields);
  expect(await world.store.accept([item])).toEqual([{ kind: 'stored' }]);
  return item;
}

function prepare(world: World, item: AcceptItem, outcome?: MediaPreparation['outcome']): Promise<string[][]> {
  const ready = queuedMedia(item, world.clock.now());
  return world.store.prepareMedia([outcome ? { ...ready, outcome } : ready]);
}

const jobs = (world: World, limit = 100) => world.store.mediaJobs({ now: world.clock.now(), limit });
const states = (world: World, { deliveries }: AcceptItem) =>
  Promise.all(deliveries.map(async ({ messageId }) => (await world.view(messageId))!.state));

export function mediaContract(factory: StoreFactory): void {
  describe('an accepted MMS', () => {
    const world = useWorld(factory);

    it('is queued but not due, and has one job for all its recipients', async () => {
      const item = mmsItem(start, { recipients: ['14155550100', '14155550101', '14155550102'] });
      item.deliveries[1]!.lane = 'c0';
      item.deliveries[2]!.expiresAt = start + 5 * hour;
      await world.store.accept([item, world.item()]);
      expect(await states(world, item)).toEqual(['queued', 'queued', 'queued']);
      expect(await world.claim('c0')).toEqual([]);
      expect(await world.claim()).toMatchObject([{ messageType: 'SMS' }]);
      expect(await jobs(world)).toEqual([
        {
          requestId: item.message.requestId,
          accountId: 'acc1',
          mediaUrls: urls,
          lanes: ['c0', 'c1'],
          expiresAt: start + 5 * hour,
          tries: 0,
        },
      ]);
      expect(await world.store.nextMediaJobAt()).toBe(start);
      await world.restart();
      expect(await jobs(world)).toHaveLength(1);
    });

    it('shows that its media are missing and when they are tried next, and no time that holds it', async () => {
      const item = await accepted(world);
      const waitOf = async () => (await world.view(item.deliveries[0]!.messageId))!.wait;
      const missing = { accountId: 'acc1', lane: 'c1', mediaDueAt: start, dueAt: null };
      expect(await waitOf()).toEqual(missing);
      await prepare(world, item, { to: 'later', dueAt: start + minute });
      expect(await waitOf()).toEqual({ ...missing, mediaDueAt: start + minute });
      await world.restart();
      await prepare(world, item);
      expect(await waitOf()).toEqual({ ...missing, mediaDueAt: null, dueAt: start });
      await world.claim();
      expect(await waitOf()).toBeUndefined();
    });

    it('is made due by its media when texts were made due in the same session', async () => {
      const item = await accepted(world);
      const text = await world.accept();
      await world.store.makeDue([text], start);
      expect(await prepare(world, item)).toEqual([['c1']]);
      const endpointId = 'end_1';
      await world.store.waitingFor({ codes: [], now: start, after: null, limit: 10 });
      expect(await world.store.dueWebhooks({ endpointId, now: start, limit: 10 })).toEqual([]);
    });

    it('that is a replay or has no accepted recipient has no job', async () => {
      const key = { key: 'k', bodyHash: 'aa' };
      const [first, again] = [mmsItem(start, { key }), mmsItem(start, { key })];
      await world.store.accept([first]);
      expect(await world.store.accept([again, mmsItem(start, { recipients: [] })])).toMatchObject([
        { kind: 'replay' },
        { kind: 'stored' },
      ]);
      expect((await jobs(world)).map(({ requestId }) => requestId)).toEqual([first.message.requestId]);
      await prepare(world, first);
      expect(await world.store.nextMediaJobAt()).toBeNull();
    });

    describe('that is held while its media are prepared', () => {
      const hold = () => world.store.treatWaiting({ way: 'hold', past: 'promotion', after: '', limit: 10 });
      const release = (item: AcceptItem) => {
        const { messageId } = item.deliveries[0]!;
        return world.store.decide({ accountId: 'acc1', messageId, to: 'queued', now: world.clock.now() });
      };

      it('waits for them when it is released first', async () => {
        const item = await accepted(world);
        await hold();
        expect(await states(world, item)).toEqual(['held']);
        expect(await jobs(world)).toMatchObject([{ lanes: ['c1'] }]);
        const { wait } = (await world.view(item.deliveries[0]!.messageId))!;
        expect(wait).toEqual({ accountId: 'acc1', lane: 'c1', mediaDueAt: start, dueAt: null });
        expect(await release(item)).toBe(true);
        expect(await world.claim()).toEqual([]);
        expect(await prepare(world, item)).toEqual([['c1']]);
        expect((await world.claim()).map(mediaOf)).toEqual([preparedMedia()]);
      });

      it('stays held when they come first, and has them when it is released', async () => {
        const item = await accepted(world);
        await hold();
        expect(await prepare(world, item)).toEqual([[]]);
        expect(await states(world, item)).toEqual(['held']);
        expect(await jobs(world)).toEqual([]);
        await release(item);
        expect((await world.claim()).map(mediaOf)).toEqual([preparedMedia()]);
      });

      it('is held whatever becomes of them, and fails for them once it is released', async () => {
        const item = await accepted(world);
        await hold();
        expect(await prepare(world, item, blocked)).toEqual([[]]);
        expect(await states(world, item)).toEqual(['held']);
        expect(await jobs(world)).toEqual([]);
        await release(item);
        expect(await jobs(world)).toMatchObject([{ lanes: ['c1'], tries: 0 }]);
        expect(await world.claim()).toEqual([]);
        await prepare(world, item, blocked);
        expect(await states(world, item)).toEqual(['failed']);
        expect(await jobs(world)).toEqual([]);
      });
    });

    it('whose media never come expires with its job', async () => {
      const item = await accepted(world, { expiresAt: start + hour });
      expect(await world.store.nextDueAt(start)).toBe(start + hour);
      world.clock.set(start + hour - 1);
      expect((await world.sweep()).moves).toEqual([]);
      expect(await jobs(world)).toHaveLength(1);
      world.clock.set(start + hour);
      expect(await world.claim()).toEqual([]);
      expect((await world.sweep()).moves).toMatchObject([{ state: 'expired', code: 'EXPIRED' }]);
      expect(await jobs(world)).toEqual([]);
      expect(await world.store.nextMediaJobAt()).toBeNull();
      expect(await prepare(world, item)).toEqual([[]]);
      expect(await states(world, item)).toEqual(['expired']);
    });

    it('keeps its job while one of its deliveries is valid, and the sweep deletes jobs in steps', async () => {
      const item = mmsItem(start, { recipients: ['14155550100', '14155550101'] });
      item.deliveries[0]!.expiresAt = start + hour;
      await world.store.accept([item]);
      world.clock.set(start + hour);
      await world.sweep();
      expect(await states(world, item)).toEqual(['expired', 'queued']);
      expect(await prepare(world, item)).toEqual([['c1']]);
      for (let n = 0; n < 3; n += 1) await accepted(world, { expiresAt: start + hour });
      expect([(await world.sweep({ limit: 2 })).more, (await jobs(world)).length]).toEqual([true, 1]);
      expect([(await world.sweep({ limit: 2 })).more, (await jobs(world)).length]).toEqual([false, 0]);
    });
  });

  describe('media jobs', () => {
    const world = useWorld(factory);

    it('come earliest first, up to the limit, and only when due', async () => {
      const later = await accepted(world);
      world.clock.set(start + 1);
      const second = await accepted(world);
      world.clock.set(start + 2);
      const third = await accepted(world);
      const ids = async (limit: number) => (await jobs(world, limit)).map(({ requestId }) => requestId);
      await prepare(world, later, { to: 'later', dueAt: start + minute });
      expect(await ids(9)).toEqual([second.message.requestId, third.message.requestId]);
      expect(await ids(1)).toEqual([second.message.requestId]);
      expect(await world.store.nextMediaJobAt()).toBe(start + 1);
      world.clock.set(start + minute);
      expect((await jobs(world)).map(({ requestId, tries }) => [requestId, tries])).toEqual([
        [second.message.requestId, 0],
        [third.message.requestId, 0],
        [later.message.requestId, 1],
      ]);
    });

    it('come in turns by account, the earliest of each first, however many one of them has', async () => {
      const names = new Map<string, string>();
      const add = async (accountId: string, count: number) => {
        for (let n = 1; n <= count; n += 1) {
          const item = await accepted(world, { accountId });
          names.set(item.message.requestId, `${accountId} ${n}`);
          world.clock.set(world.clock.now() + 1);
        }
      };
      await add('acc2', 5);
      await add('acc1', 2);
      await add('acc3', 1);
      const order = async (more: { served?: string[] } = {}, limit = 99, now = world.clock.now()) =>
        (await world.store.mediaJobs({ now, limit, ...more })).map(({ requestId }) => names.get(requestId));
      expect(await order()).toEqual([
        ...['acc2 1', 'acc1 1', 'acc3 1'],
        ...['acc2 2', 'acc1 2'],
        ...['acc2 3', 'acc2 4', 'acc2 5'],
      ]);
      expect(await order({}, 4)).toEqual(['acc2 1', 'acc1 1', 'acc3 1', 'acc2 2']);
      expect(await order({}, 2)).toEqual(['acc2 1', 'acc1 1']);
      expect(await order({ served: ['nobody', 'acc1', 'acc2'] }, 5)).toEqual([
        ...['acc3 1', 'acc1 1', 'acc2 1'],
        ...['acc1 2', 'acc2 2'],
      ]);
      expect(await order({ served: ['acc2'] }, 1)).toEqual(['acc1 1']);
      // Only due jobs: the first six were accepted by then.
      expect(await order({}, 99, start + 5)).toEqual(['acc2 1', 'acc1 1', 'acc2 2', 'acc2 3', 'acc2 4', 'acc2 5']);
    });

    it('of one account come in turns by host, however many jobs one host has', async () => {
      const names = new Map<string, string>();
      const add = async (name: string, mediaUrls: string[]) => {
        const item = mmsItem(world.clock.now());
        Object.assign(item.message, { mediaUrls });
        await world.store.accept([item]);
        names.set(item.message.requestId, name);
        world.clock.set(world.clock.now() + 1);
      };
      for (let n = 1; n <= 12; n += 1) await add(`slow ${n}`, [`https://slow.example/${n}.png`]);
      await add('both', ['https://slow.example/a.png', 'https://sound.example/a.png']);
      for (let n = 1; n <= 2; n += 1) await add(`sound ${n}`, [`https://sound.example/${n}.png`]);
      const order = async (limit: number) => (await jobs(world, limit)).map(({ requestId }) => names.get(requestId));
      expect(await order(5)).toEqual(['slow 1', 'both', 'sound 1', 'slow 2', 'sound 2']);
      expect((await order(99)).slice(0, 6)).toEqual(['slow 1', 'both', 'sound 1', 'slow 2', 'sound 2', 'slow 3']);
      expect(await order(99)).toHaveLength(15);
    });

    it('that are postponed change no delivery', async () => {
      const item = await accepted(world);
      expect(await prepare(world, item, { to: 'later', dueAt: start + minute })).toEqual([[]]);
      world.clock.set(start + minute);
      await prepare(world, item, { to: 'later', dueAt: start + 2 * minute });
      expect(await world.store.nextMediaJobAt()).toBe(start + 2 * minute);
      expect(await world.timeline(item.deliveries[0]!.messageId)).toEqual(['accepted', 'queued']);
      expect(await world.claim()).toEqual([]);
      world.clock.set(start + 2 * minute);
      expect(await jobs(world)).toMatchObject([{ tries: 2 }]);
    });

    it('name no lane when no delivery waits any more, else the lane of the deliveries', async () => {
      const [item, moved] = [await accepted(world), await accepted(world)];
      const now = start;
      await world.store.decide({
        accountId: 'acc1',
        messageId: item.deliveries[0]!.messageId,
        to: 'canceled',
        now,
      });
      const messageId = moved.deliveries[0]!.messageId;
      expect(await world.store.relane([{ messageId, lane: 'c9' }], now)).toBe(1);
      expect((await jobs(world)).map(({ lanes }) => lanes)).toEqual([[], ['c9']]);
      expect(await world.claim('c9')).toEqual([]);
      expect(await world.store.prepareMedia([queuedMedia(item, now), queuedMedia(moved, now)])).toEqual([[], ['c9']]);
      expect(await states(world, item)).toEqual(['canceled']);
      expect(await world.claim('c9')).toMatchObject([{ messageId }]);
      expect(await world.claim()).toEqual([]);
    });
  });

  describe('prepared media', () => {
    const world = useWorld(factory);

    it('are claimed with their message, in order, after a restart and for a second attempt', async () => {
      const item = await accepted(world, { recipients: ['14155550100', '14155550101'] });
      await world.accept();
      world.clock.set(start + 5);
      expect(await prepare(world, item)).toEqual([['c1']]);
      await world.restart();
      const claims = await world.claim();
      expect(claims.map(mediaOf)).toEqual([null, preparedMedia(), preparedMedia()]);
      expect(claims[1]).toMatchObject({ messageType: 'MMS', mediaUrls: urls, attempt: 1, dupRisk: false });
      expect(await jobs(world)).toEqual([]);
      await world.settle(claims[1]!, { to: 'queued', parts: [], dueAt: start + minute, lane: 'c2' });
      await world.settle(claims[2]!, { to: 'uncertain', parts: [], dueAt: start + minute });
      world.clock.set(start + minute);
      await world.sweep();
      expect(await world.claim('c2')).toMatchObject([{ attempt: 2, media: preparedMedia() }]);
      expect(await world.claim('c1')).toMatchObject([{ attempt: 2, dupRisk: true, media: preparedMedia() }]);
    });

    it('of two requests are kept apart, in one call and one claim', async () => {
      const [first, second] = [await accepted(world), await accepted(world, { lane: 'c2' })];
      await world.store.relane([{ messageId: second.deliveries[0]!.messageId, lane: 'c1' }], start);
      const ready = [queuedMedia(first, start, preparedMedia('x')), queuedMedia(second, start, preparedMedia('y'))];
      const [prepared, claims] = await Promise.all([world.store.prepareMedia(ready), world.claim()]);
      expect(prepared).toEqual([['c1'], ['c1']]);
      expect(claims.map(mediaOf)).toEqual([preparedMedia('x'), preparedMedia('y')]);
    });

    it('are written once: a second write finds no job and changes nothing', async () => {
      const item = await accepted(world);
      const other = queuedMedia(item, start, preparedMedia('other'));
      expect(await world.store.prepareMedia([queuedMedia(item, start), other])).toEqual([['c1'], []]);
      const [claim] = await world.claim();
      await world.settle(claim!, { to: 'queued', parts: [], dueAt: start + hour });
      const outcomes = [blocked, { to: 'later', dueAt: start + 9 * hour }, other.outcome] as const;
      for (const outcome of outcomes) expect(await prepare(world, item, outcome)).toEqual([[]]);
      const nobody = { ...other, requestId: 'req_unknown' };
      expect(await world.store.prepareMedia([nobody, { ...nobody, outcome: blocked }])).toEqual([[], []]);
      expect(await world.claim()).toEqual([]);
      world.clock.set(start + hour);
      expect(await world.claim()).toMatchObject([{ attempt: 2, media: preparedMedia() }]);
    });

    it('make only deliveries due that are still queued and valid', async () => {
      const item = mmsItem(start, { recipients: ['14155550100', '14155550101', '14155550102'] });
      const [canceled, over, good] = item.deliveries;
      Object.assign(canceled!, { lane: 'c2' });
      Object.assign(over!, { lane: 'c3', expiresAt: start + minute });
      await world.store.accept([item]);
      await world.store.decide({ accountId: 'acc1', messageId: canceled!.messageId, to: 'canceled', now: start });
      world.clock.set(start + minute);
      expect(await prepare(world, item)).toEqual([['c1']]);
      expect(await world.claim()).toMatchObject([{ messageId: good!.messageId }]);
      expect([await world.claim('c2'), await world.claim('c3')]).toEqual([[], []]);
      expect((await world.sweep()).moves).toMatchObject([{ messageId: over!.messageId, state: 'expired' }]);
    });

    it('are shown with their message: as fetched, as fitted, and what was changed', async () => {
      const item = await accepted(world);
      const { messageId } = item.deliveries[0]!;
      expect(await world.view(messageId)).not.toHaveProperty('media');
      const large = medium('large', { type: 'image/gif', sizeBytes: 900_000, width: 640, height: 480, frames: 12 });
      const still = medium('still', {
        type: 'image/jpeg',
        sizeBytes: 90_000,
        width: 320,
        height: 240,
        altered: 'still',
      });
      const film = medium('film', { type: 'video/mp4' });
      const media = { original: [large, film], fitted: [{ budgetBytes: 300_000, media: [still, film] }] };
      await world.store.prepareMedia([queuedMedia(item, start, media)]);
      await world.restart();
      const { messageId: other } = (await accepted(world)).deliveries[0]!;
      expect(shownMedia(await world.view(messageId))).toEqual([
        {
          url: urls[0],
          type: 'image/gif',
          size: 900_000,
          name: 'a.png',
          state: 'fitted',
          width: 640,
          height: 480,
          frames: 12,
          altered: 'still',
          fitted: [{ limit: 300_000, type: 'image/jpeg', size: 90_000, width: 320, height: 240, altered: 'still' }],
        },
        {
          url: urls[1],
          type: 'video/mp4',
          size: 1_000,
          name: 'b.jpg',
          state: 'fitted',
          fitted: [{ limit: 300_000, type: 'video/mp4', size: 1_000 }],
        },
      ]);
      expect(await world.store.sentMediaOf({ accountId: 'acc1', messageId })).toEqual(media);
      expect(await world.store.sentMediaOf({ accountId: 'acc1', messageId: other })).toEqual({
        original: [],
        fitted: [],
      });
      expect(await world.store.sentMediaOf({ accountId: 'acc9', messageId })).toBeNull();
    });

    it('that were fitted at dispatch are stored with the others, for every recipient and later attempt', async () => {
      const item = await accepted(world, { recipients: ['14155550100', '14155550101'] });
      const [first, second] = item.deliveries.map(({ messageId }) => messageId) as [string, string];
      await prepare(world, item);
      const set = { budgetBytes: 500_000, media: [medium('x', { width: 9, height: 8 }), medium('y')] };
      const other = { budgetBytes: 500_000, media: [medium('later'), medium('later')] };
      await world.store.addFittedMedia([
        { messageId: first, set },
        { messageId: 'msg_gone', set },
      ]);
      await world.store.addFittedMedia([{ messageId: second, set: other }]);
      const [claim] = await world.claim();
      expect(mediaOf(claim!)!.fitted.map(({ budgetBytes }) => budgetBytes)).toEqual([300_000, 500_000, 2_000_000]);
      expect(mediaOf(claim!)!.fitted[1]).toEqual(set);
      const media = shownMedia(await world.view(second));
      expect(media![0]!.fitted!.map(({ limit }) => limit)).toEqual([300_000, 500_000, 2_000_000]);
      expect(await world.store.sentMediaOf({ accountId: 'acc1', messageId: first })).toMatchObject({
        fitted: { length: 3 },
      });
    });

    it('of a failed message show which of them failed', async () => {
      const item = mmsItem(start);
      item.message.mediaUrls = ['https://a.example/1?secret=x', 'https://a.example/2', 'https://a.example/3'];
      await world.store.accept([item]);
      const failedMedium = { index: 1, fetched: [medium('one')] };
      await prepare(world, item, { ...blocked, failedMedium });
      const media = shownMedia(await world.view(item.deliveries[0]!.messageId));
      expect(media!.map(({ state, type, size, name }) => [state, type, size, name])).toEqual([
        ['fetched', 'image/png', 1_000, '1'],
        ['failed', '', 0, '2'],
        ['skipped', '', 0, '3'],
      ]);
    });

    it('that failed end the queued deliveries, each with an event that is sent', async () => {
      const item = await accepted(world, { recipients: ['14155550100', '14155550101', '14155550102'] });
      const [canceled] = item.deliveries;
      await world.store.decide({ accountId: 'acc1', messageId: canceled!.messageId, to: 'canceled', now: start });
      let notified = 0;
      world.store.onEvents(() => {
        notified += 1;
      });
      world.clock.set(start + 7);
      expect(await prepare(world, item, blocked)).toEqual([[]]);
      expect(notified).toBe(1);
      expect(await states(world, item)).toEqual(['canceled', 'failed', 'failed']);
      const view = (await world.view(item.deliveries[1]!.messageId))!;
      expect(view).toMatchObject({ code: 'MEDIA_BLOCKED', carrier: null, updatedAt: start + 7 });
      expect(view.events.at(-1)).toMatchObject({ sequence: 3, state: 'failed', code: 'MEDIA_BLOCKED', detail: 'no' });
      const { events } = await world.store.eventsAfter({ after: 0, limit: 9, types: ['message.failed'] });
      expect(events.map(({ message }) => message?.messageId).sort()).toEqual(
        item.deliveries.slice(1).map(({ messageId }) => messageId),
      );
      expect(await jobs(world)).toEqual([]);
      expect(await world.claim()).toEqual([]);
    });

    it('that cannot be stored leave the job as it was', async () => {
      const item = await accepted(world);
      const media = preparedMedia();
      const twice = { ...media, fitted: [media.fitted[0]!, media.fitted[0]!] };
      const nameless = { ...media, original: [medium('x', { hash: null as unknown as string })] };
      for (const bad of [twice, nameless]) {
        await expect(world.store.prepareMedia([queuedMedia(item, start, bad)])).rejects.toThrow();
      }
      expect(await world.claim()).toEqual([]);
      expect(await jobs(world)).toHaveLength(1);
      expect(await prepare(world, item)).toEqual([['c1']]);
    });
  });

  describe('a tool beside the node', () => {
    const world = useWorld(factory);

    it('neither prepares media nor stores or links them', async () => {
      await world.store.addMediaLinks([mediaLink(start, { expiresAt: start })]);
      const tool = await world.place.open('tool', world.clock);
      const refused = [
        tool.prepareMedia([queuedMedia(mmsItem(start), start)]),
        tool.inboundMms([inboundMmsItem(start)]),
        tool.addMediaLinks([mediaLink(start)]),
        tool.forgetMedia({ now: start, keptSince: start, limit: 1 }),
      ];
      for (const call of refused) await expect(call).rejects.toThrow(/tool/);
      expect(await tool.mediaJobs({ now: start, limit: 1 })).toEqual([]);
      await tool.close();
    });
  });
}
