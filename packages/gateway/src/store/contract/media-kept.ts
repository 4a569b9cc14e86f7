/** Contract: needed media are kept, and all others are deleted in time. */
import { describe, expect, it } from 'vitest';
import type { AcceptItem } from '../../messaging/store/items.ts';
import type { Claim } from '../../model/delivery.ts';
import { hour, type ItemFields, type StoreFactory, start } from './fixture.ts';
import { hashesOf, mediaLink, medium, mmsItem, preparedMedia, queuedMedia } from './media-fixture.ts';
import { useWorld, type World } from './world.ts';

/** Long after `start`, so that only unfinished messages need media. */
const late = start + 1_000 * hour;

/** Accepted, prepared under its own name and due. */
async function prepared(world: World, name: string, fields: ItemFields = {}): Promise<AcceptItem> {
  const item = mmsItem(world.clock.now(), fields);
  await world.store.accept([item]);
  await world.store.prepareMedia([queuedMedia(item, world.clock.now(), preparedMedia(name))]);
  return item;
}

async function claimed(world: World, name: string, fields: ItemFields = {}): Promise<Claim> {
  await prepared(world, name, fields);
  return (await world.claim()).at(-1)!;
}

const needed = async (world: World, names: string[], now = late, keptSince = now) => {
  const isNeeded = async (name: string) => {
    const hashes = hashesOf(preparedMedia(name));
    const found = await world.store.neededMedia({ hashes, now, keptSince });
    expect([[], hashes]).toContainEqual(found.sort());
    return found.length > 0;
  };
  const found = [];
  for (const name of names) if (await isNeeded(name)) found.push(name);
  return found;
};

/** Calls until nothing is left to delete; returns the number of calls. */
async function forgetAll(world: World, now: number, keptSince: number, limit = 100): Promise<number> {
  for (let calls = 1; calls < 1_000; calls += 1) {
    if (!(await world.store.forgetMedia({ now, keptSince, limit }))) return calls;
  }
  throw new Error('it never ends');
}

/** One message in each state that an MMS can have; the names are the states. */
async function inEveryState(world: World): Promise<string[]> {
  const settled = async (name: string, fields: Parameters<World['settle']>[1]) =>
    world.settle(await claimed(world, name), { dueAt: late + hour, ...fields });
  await settled('sent', {});
  await settled('failed', { to: 'failed', parts: [] });
  await settled('delivered', { parts: [{ part: 1, carrierMessageId: 'd1' }] });
  await world.receipts({ carrierMessageId: 'd1' });
  await settled('unconfirmed', { dueAt: start });
  await settled('held', { to: 'uncertain', parts: [], dueAt: start });
  await world.sweep({ holdAccountIds: ['acc1'] });
  await settled('uncertain', { to: 'uncertain', parts: [] });
  await settled('retried', { to: 'queued', parts: [] });
  const canceled = (await prepared(world, 'canceled')).deliveries[0]!;
  const decision = { accountId: 'acc1', messageId: canceled.messageId, to: 'canceled', now: start } as const;
  await world.store.decide(decision);
  await claimed(world, 'sending');
  await prepared(world, 'queued');
  return [
    'sent',
    'failed',
    'delivered',
    'unconfirmed',
    'canceled',
    'held',
    'uncertain',
    'retried',
    'sending',
    'queued',
  ];
}
const undone = ['held', 'uncertain', 'retried', 'sending', 'queued'];

export function mediaKeptContract(factory: StoreFactory): void {
  describe('media of messages', () => {
    const world = useWorld(factory);

    it('are needed, however old, while a delivery may still be sent', async () => {
      const all = await inEveryState(world);
      expect(await needed(world, all)).toEqual(undone);
      await forgetAll(world, late, late);
      expect(await needed(world, all)).toEqual(undone);
    });

    it('are needed in any case while the message is young', async () => {
      const all = await inEveryState(world);
      expect(await needed(world, all, late, start)).toEqual(all);
      expect(await needed(world, all, late, start + 1)).toEqual(undone);
      await forgetAll(world, late, start);
      expect(await needed(world, all, late, start)).toEqual(all);
    });

    it('that several share are needed while one of them is', async () => {
      const [first, second] = [await claimed(world, 'shared'), await claimed(world, 'shared')];
      const shared = async () => (await needed(world, ['shared'])).length === 1;
      await world.settle(first, { to: 'failed', parts: [] });
      await forgetAll(world, late, late);
      expect(await shared()).toBe(true);
      await world.settle(second);
      expect(await shared()).toBe(false);
    });

    it('are needed while one of a request’s deliveries may still be sent', async () => {
      const item = await prepared(world, 'm', { recipients: ['14155550100', '14155550101'] });
      const [first, second] = await world.claim();
      await world.settle(first!);
      await forgetAll(world, late, late);
      expect(await needed(world, ['m'])).toEqual(['m']);
      await world.settle(second!, { to: 'queued', parts: [], dueAt: start });
      expect(await world.claim()).toMatchObject([{ messageId: second!.messageId, media: preparedMedia('m') }]);
      expect(item.deliveries).toHaveLength(2);
      await world.settle({ ...second!, attempt: 2 });
      expect(await needed(world, ['m'])).toEqual([]);
    });

    it('are still claimed in full after everything else was deleted', async () => {
      const claim = await claimed(world, 'again', { expiresAt: late + hour });
      await world.settle(claim, { to: 'queued', parts: [], dueAt: late });
      await forgetAll(world, late, late);
      world.clock.set(late);
      expect(await world.claim()).toMatchObject([{ media: preparedMedia('again') }]);
    });

    it('are deleted in steps that never exceed the limit', async () => {
      for (const name of ['a', 'b']) await world.settle(await claimed(world, name));
      const links = [1, 2, 3].map(() => mediaLink(start, { expiresAt: start }));
      await world.store.addMediaLinks(links);
      // 3 links, 2 deliveries, 12 media: 17 rows.
      expect(await forgetAll(world, late, late, 1)).toBe(18);
      expect(await needed(world, ['a', 'b'], late, start)).toEqual([]);
      expect(await forgetAll(world, late, late, 1)).toBe(1);
      for (const name of ['c', 'd']) await world.settle(await claimed(world, name));
      expect(await forgetAll(world, late, late, 5)).toBe(4);
      expect(await forgetAll(world, late, late, 100)).toBe(1);
    });

    it('of a request with very many recipients are deleted once each', async () => {
      const recipients = Array.from({ length: 20 }, (_, n) => `1415555${1_000 + n}`);
      await prepared(world, 'many', { recipients });
      const claims = await world.claim();
      await Promise.all(claims.slice(1).map((claim) => world.settle(claim)));
      // Media of a delivery under way are kept, and so are the delivery rows.
      expect(await forgetAll(world, late, late, 1)).toBe(1);
      expect(await needed(world, ['many'])).toEqual(['many']);
      await world.settle(claims[0]!);
      expect(await needed(world, ['many'])).toEqual([]);
      // 6 media and 20 deliveries; a medium counts against the limit once.
      expect(await forgetAll(world, late, late, 1)).toBe(27);
      expect(await needed(world, ['many'], late, start)).toEqual([]);
    });

    it('that no delivery waits for when they arrive are not kept', async () => {
      const item = mmsItem(start);
      await world.store.accept([item]);
      const { messageId } = item.deliveries[0]!;
      await world.store.decide({ accountId: 'acc1', messageId, to: 'canceled', now: start });
      await world.store.prepareMedia([queuedMedia(item, start, preparedMedia('late'))]);
      expect(await needed(world, ['late'], late, start)).toEqual([]);
      expect(await world.store.nextMediaJobAt()).toBeNull();
    });

    it('and requests whose media never came leave nothing behind', async () => {
      const item = mmsItem(start, { expiresAt: start + hour });
      await world.store.accept([item]);
      world.clock.set(start + hour);
      await world.sweep();
      expect(await forgetAll(world, late, late, 1)).toBe(2);
      expect(await world.view(item.deliveries[0]!.messageId)).toMatchObject({ state: 'expired' });
    });
  });

  describe('links to media', () => {
    const world = useWorld(factory);
    const hash = medium('link').hash;
    const isNeeded = async (now: number) =>
      (await world.store.neededMedia({ hashes: [hash, hash], now, keptSince: late })).length === 1;

    it('are found until they are deleted, and keep their media while they are valid', async () => {
      const [link, other] = [mediaLink(start), mediaLink(start, { expiresAt: start + hour })];
      await world.store.addMediaLinks([link, other]);
      await world.restart();
      expect(await world.store.mediaLink(link.mediaId)).toEqual(link);
      expect(await world.store.mediaLink('med_unknown')).toBeNull();
      expect(await isNeeded(link.expiresAt - 1)).toBe(true);
      expect(await isNeeded(link.expiresAt)).toBe(false);
      await forgetAll(world, start + hour - 1, start);
      expect(await world.store.mediaLink(other.mediaId)).toEqual(other);
      await forgetAll(world, start + hour, start);
      expect(await world.store.mediaLink(other.mediaId)).toBeNull();
      expect(await isNeeded(start + hour)).toBe(true);
    });

    it('stored again are the existing ones', async () => {
      const link = mediaLink(start);
      await world.store.addMediaLinks([link]);
      await world.store.addMediaLinks([{ ...link, fileName: 'other.png' }]);
      expect(await world.store.mediaLink(link.mediaId)).toEqual(link);
      expect(await world.store.neededMedia({ hashes: [], now: start, keptSince: start })).toEqual([]);
    });
  });
}
