/** Contract: deletion by age and by number, and the rows that are never deleted. */
import { describe, expect, it } from 'vitest';
import type { Store } from '../../app/store.ts';
import { hour, nextId, type StoreFactory, start } from './fixture.ts';
import { inboundMmsItem, mmsItem, queuedMedia, shownMedia } from './media-fixture.ts';
import { useWorld, type World } from './world.ts';

const day = 24 * hour;
const peer = '14155550100';

type Limits = Partial<Parameters<Store['forgetMessages']>[0]>;

/** All steps of one round, as the sweeper makes them. */
async function round(world: World, fields: Limits = {}): Promise<{ emptied: number; deleted: number; steps: number }> {
  const sum = { emptied: 0, deleted: 0, steps: 0 };
  const limits = { accountId: 'acc1', bodiesBefore: 0, messagesBefore: 0, endpointIds: [], limit: 100, ...fields };
  for (let cursor: string | null = null; sum.steps < 500; ) {
    const step = await world.store.forgetMessages({ now: world.clock.now(), ...limits, cursor });
    sum.emptied += step.emptied;
    sum.deleted += step.deleted;
    sum.steps += 1;
    if (step.cursor === null) return sum;
    cursor = step.cursor;
  }
  throw new Error('it never ends');
}

async function delivered(world: World, carrierId: string, fields: Parameters<World['accept']>[0] = {}) {
  const messageId = await world.sent([carrierId], fields);
  await world.receipts({ carrierMessageId: carrierId, to: fields.to ?? peer });
  return messageId;
}

export function retentionContract(factory: StoreFactory): void {
  describe('texts of old messages', () => {
    const world = useWorld(factory);
    const later = start + 31 * day;
    const bodiesBefore = start + day;

    it('are deleted, and everything else stays', async () => {
      const old = await delivered(world, 'a1', { text: 'a secret' });
      await world.store.inbound([world.inboundItem({ text: 'an answer' })]);
      world.clock.set(later);
      const young = await delivered(world, 'a2', { text: 'young' });
      expect(await round(world, { bodiesBefore })).toMatchObject({ emptied: 2, deleted: 0 });
      expect(await world.view(old)).toMatchObject({
        text: '',
        mediaUrls: [],
        bodyDeletedAt: later,
        state: 'delivered',
        to: peer,
      });
      expect((await world.view(old))!.events.length).toBeGreaterThan(3);
      expect(await world.view(young)).toMatchObject({ text: 'young' });
      expect(await world.view(young)).not.toHaveProperty('bodyDeletedAt');
      const inbound = {
        accountId: 'acc1',
        direction: 'inbound',
        from: null,
        to: null,
        before: null,
        limit: 9,
      } as const;
      expect(await world.store.messages(inbound)).toMatchObject([{ text: '', bodyDeletedAt: later }]);
      expect(await round(world, { bodiesBefore })).toMatchObject({ emptied: 0 });
    });

    it('are deleted from an MMS with its media records', async () => {
      const item = mmsItem(start);
      const { messageId } = item.deliveries[0]!;
      await world.store.accept([item]);
      await world.store.prepareMedia([queuedMedia(item, start)]);
      await world.store.decide({ accountId: 'acc1', messageId, to: 'canceled', now: start });
      expect(shownMedia(await world.view(messageId))).toHaveLength(2);
      world.clock.set(later);
      expect(await round(world, { bodiesBefore })).toMatchObject({ emptied: 1 });
      expect(await world.view(messageId)).not.toHaveProperty('media');
      expect(await world.store.sentMediaOf({ accountId: 'acc1', messageId })).toBeNull();
    });

    it('are deleted from a reply with its octets, its subject and the names of its media', async () => {
      const octets = new Uint8Array([1]);
      const binary = world.inboundItem({ text: null, octets, encoding: null, extras: { dataCoding: 4 } });
      const media = [{ type: 'application/pdf', size: 1_000, name: 'contract.pdf' }];
      const mms = inboundMmsItem(start, { extras: { media, subject: 'private', participants: ['14155550101'] } });
      await world.store.inbound([binary]);
      await world.store.inboundMms([mms]);
      world.clock.set(later);
      expect(await round(world, { bodiesBefore })).toMatchObject({ emptied: 2 });
      for (const { messageId } of [binary, mms]) {
        const view = await world.view(messageId);
        expect(view).toMatchObject({ text: '', mediaUrls: [], bodyDeletedAt: later });
        for (const gone of ['data', 'dataCoding', 'media', 'subject', 'participants'])
          expect(view).not.toHaveProperty(gone);
      }
    });

    it('stay while one message of the request is not final, and are deleted when it is', async () => {
      const item = world.item({ recipients: [peer, '14155550101'], text: 'held' });
      await world.store.accept([item]);
      const [first, second] = await world.claim();
      await world.settle(first!, { to: 'failed', parts: [] });
      await world.settle(second!, { to: 'uncertain', parts: [], dueAt: start });
      await world.sweep({ holdAccountIds: ['acc1'] });
      world.clock.set(later);
      expect(await round(world, { bodiesBefore })).toMatchObject({ emptied: 0 });
      expect(await world.view(first!.messageId)).toMatchObject({ text: 'held', state: 'failed' });
      const decision = { accountId: 'acc1', messageId: second!.messageId, to: 'canceled', now: later } as const;
      await world.store.decide(decision);
      expect(await round(world, { bodiesBefore })).toMatchObject({ emptied: 1 });
      expect(await world.view(first!.messageId)).toMatchObject({ text: '' });
      expect(await round(world, { bodiesBefore })).toMatchObject({ emptied: 0 });
    });

    it('are deleted in bounded steps, request by request, for one account only', async () => {
      for (let n = 0; n < 7; n++) await delivered(world, `b${n}`, { text: `text ${n}` });
      const other = await delivered(world, 'o1', { accountId: 'acc2', text: 'other' });
      world.clock.set(later);
      const done = await round(world, { bodiesBefore, limit: 2 });
      expect(done.emptied).toBe(7);
      expect(done.steps).toBeGreaterThan(6);
      expect(await world.view(other, 'acc2')).toMatchObject({ text: 'other' });
    });
  });

  describe('old messages', () => {
    const world = useWorld(factory);
    const later = start + 401 * day;
    const cut = { bodiesBefore: start + day, messagesBefore: start + day };

    it('are deleted with all their rows, except those that are not final', async () => {
      const old = await delivered(world, 'a1');
      const waiting = await world.accept({ to: '14155550102', lane: 'c9', expiresAt: later + day });
      world.clock.set(later);
      const young = await delivered(world, 'a2', { to: '14155550103' });
      expect(await round(world, cut)).toMatchObject({ deleted: 1 });
      expect(await world.view(old)).toBeNull();
      expect(await world.view(waiting)).toMatchObject({ text: 'Hello', state: 'queued' });
      expect(await world.view(young)).toMatchObject({ state: 'delivered' });
      const { events } = await world.store.eventsAfter({ after: 0, limit: 100 });
      expect(events.map(({ message }) => message?.messageId)).not.toContain(old);
      expect(await round(world, cut)).toMatchObject({ deleted: 0 });
      // The waiting message is sent unchanged.
      expect(await world.claim('c9')).toMatchObject([{ messageId: waiting, text: 'Hello' }]);
    });

    it('leave every reply its position, and no position of the log is given twice', async () => {
      await delivered(world, 'a1');
      const last = (await world.store.eventPosition({ accountId: 'acc1', eventId: 'latest' }))!;
      world.clock.set(later);
      await round(world, cut);
      await world.restart();
      await delivered(world, 'a2');
      const { events } = await world.store.eventsAfter({ after: last, limit: 100 });
      expect(events.length).toBeGreaterThan(0);
      const [reply] = [world.inboundItem({ text: 'Yes' })];
      await world.store.inbound([reply!]);
      const found = await world.store.accountEvents({ accountId: 'acc1', after: last, types: null, limit: 100 });
      expect(found.events.at(-1)?.message).toMatchObject({ direction: 'inbound', inReplyTo: expect.any(String) });
    });

    it('and events about no message are deleted when they are older than everything kept', async () => {
      const event = { eventId: nextId('evt'), accountId: 'acc1', type: 'carrier.down' as const, at: start, data: {} };
      await world.store.addEvents([event]);
      await world.store.addEvents([{ ...event, eventId: nextId('evt'), at: later }]);
      for (let more = true, n = 0; more && n < 20; n++) {
        more = await world.store.forgetEvents({ before: start + day, limit: 1 });
      }
      const { events } = await world.store.eventsAfter({ after: 0, limit: 100 });
      expect(events.map(({ at }) => at)).toEqual([later]);
    });
  });

  describe('the erasure of a number', () => {
    const world = useWorld(factory);
    const erasureId = 'era_1';
    const erasure = { erasureId, accountId: 'acc1', peer, requestedAt: start, requestedBy: 'ada@example.com' };

    async function eraseAll(limit = 100): Promise<number> {
      const step = { erasureId, endpointIds: [], settledBefore: world.clock.now() - 60_000, now: world.clock.now() };
      for (let steps = 1; steps < 200; steps++) if (!(await world.store.erase({ ...step, limit }))) return steps;
      throw new Error('it never ends');
    }

    it('deletes final messages of both directions, and keeps the opt-out', async () => {
      const out = await delivered(world, 'a1', { text: 'to them' });
      const other = await delivered(world, 'a2', { to: '14155550109' });
      await world.store.inbound([world.inboundItem({ text: 'from them' })]);
      const optOut = { accountId: 'acc1', scope: 'number:15550001111', contact: peer, at: start } as const;
      await world.store.changeConsent({
        changes: [{ ...optOut, how: 'by hand', reason: 'asked', evidenceMessageId: null, to: 'out' }],
        eventIds: [nextId('evt')],
      });
      const waiting = await world.accept({ expiresAt: start + 90 * day });
      world.clock.set(start + hour);
      await world.store.addErasure(erasure);
      expect(await world.store.erasures({ accountId: null, limit: 9 })).toMatchObject([{ peer, doneAt: null }]);
      await eraseAll();
      expect(await world.view(out)).toBeNull();
      expect(await world.view(other)).not.toBeNull();
      expect(await world.view(waiting)).toMatchObject({ state: 'queued', text: 'Hello' });
      const inbound = {
        accountId: 'acc1',
        direction: 'inbound',
        from: null,
        to: null,
        before: null,
        limit: 9,
      } as const;
      expect(await world.store.messages(inbound)).toEqual([]);
      expect(await world.store.optOutPage({ after: null, limit: 9 })).toMatchObject([{ contact: peer }]);
      expect(await world.store.erasures({ accountId: 'acc1', limit: 9 })).toMatchObject([
        { peer: '1415•••0100', deleted: 2, leftOver: 1, doneAt: start + hour },
      ]);
      expect(await world.store.erasures({ accountId: null, limit: 9 })).toEqual([]);
      expect(await eraseAll()).toBe(1);
    });

    it('leaves the text to the request’s other recipients, and works in steps', async () => {
      const item = world.item({ recipients: [peer, '14155550101'], text: 'to two' });
      await world.store.accept([item]);
      for (const claim of await world.claim()) await world.settle(claim, { to: 'failed', parts: [] });
      for (let n = 0; n < 5; n++) await delivered(world, `c${n}`);
      world.clock.set(start + hour);
      await world.store.addErasure(erasure);
      expect(await eraseAll(2)).toBeGreaterThan(3);
      expect(await world.view(item.deliveries[0]!.messageId)).toBeNull();
      expect(await world.view(item.deliveries[1]!.messageId)).toMatchObject({ text: 'to two' });
      expect(await world.store.erasures({ accountId: 'acc1', limit: 9 })).toMatchObject([{ deleted: 6, leftOver: 0 }]);
    });

    it('leaves the newest messages, and other accounts', async () => {
      const now = await delivered(world, 'a1');
      const other = await delivered(world, 'a2', { accountId: 'acc2' });
      await world.store.addErasure(erasure);
      await eraseAll();
      expect(await world.view(now)).not.toBeNull();
      expect(await world.view(other, 'acc2')).not.toBeNull();
      expect(await world.store.erasures({ accountId: 'acc1', limit: 9 })).toMatchObject([{ deleted: 0, leftOver: 1 }]);
    });
  });
}
