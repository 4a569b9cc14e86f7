/** Contract: the event log as customers see it. */
import { describe, expect, it } from 'vitest';
import { eventId } from '../../kernel/ids.ts';
import { placesPerPage } from '../../messaging/store/operations/events.ts';
import { readEventId } from '../../model/webhook-event.ts';
import { hour, minute, newEvent, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const whole = { after: 0, limit: 1_000 };
const page = { accountId: 'acc1', after: 0, types: null, limit: 1_000 };
const typesOf = (world: World, fields = {}) =>
  world.store.accountEvents({ ...page, ...fields }).then(({ events }) => events.map((event) => event.type));

export function eventsContract(factory: StoreFactory): void {
  describe('the log of events', () => {
    const world = useWorld(factory);

    it('is empty at position 0', async () => {
      expect(await world.store.eventsAfter(whole)).toEqual({ events: [], position: 0 });
      expect(await world.store.accountEvents(page)).toEqual({ events: [], position: 0, more: false });
      expect(await world.store.eventPosition({ accountId: 'acc1', eventId: 'latest' })).toBe(0);
    });

    it('knows the trace of the request, however it was stored, and shows it to nobody else', async () => {
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      const messageIds = [
        await world.sent(['a1'], { traceparent }),
        await world.sent(['a2'], { traceparent, key: { key: 'k1', bodyHash: 'aa' } }),
        await world.sent(['a3']),
      ];
      const { events } = await world.store.eventsAfter(whole);
      expect(events.map((event) => event.traceparent)).toEqual([traceparent, traceparent, undefined]);
      for (const messageId of messageIds) expect(JSON.stringify(await world.view(messageId))).not.toContain('4bf92f35');
    });

    it('shows each transition as it was then, with its message', async () => {
      const messageId = await world.sent(['a1']);
      await world.receipts({ carrierMessageId: 'a1', receivedAt: start + minute });
      const { events } = await world.store.eventsAfter(whole);
      const [view, [sent, delivered]] = [(await world.view(messageId))!, events];
      expect(events.map(({ type, at }) => [type, at])).toEqual([
        ['message.sent', start],
        ['message.delivered', start + minute],
      ]);
      expect(sent).toEqual({
        position: sent!.position,
        eventId: eventId(messageId, 4),
        accountId: 'acc1',
        type: 'message.sent',
        at: start,
        data: null,
        message: {
          messageId,
          requestId: view.requestId,
          referenceId: 'reference-1',
          direction: 'outbound',
          from: '15550001111',
          to: '14155550100',
          text: 'Hello',
          mediaUrls: [],
          messageType: 'SMS',
          encoding: 'GSM-7',
          segments: 1,
          state: 'sent',
          code: null,
          carrier: 'c1',
          carrierCode: null,
          dupRisk: false,
          sequence: 4,
          inReplyTo: null,
        },
      });
      expect(delivered!.position).toBeGreaterThan(sent!.position);
      expect(delivered!.message).toMatchObject({
        state: 'delivered',
        code: 'DELIVERED',
        carrierCode: '000',
        sequence: 5,
      });
    });

    it('leaves out events that are sent to nobody, and continues after them', async () => {
      await world.uncertain();
      const looked = await world.store.eventsAfter(whole);
      expect(looked.events).toEqual([]);
      expect(looked.position).toBeGreaterThan(0);
      expect(await typesOf(world)).toEqual([]);
      world.clock.set(start + 2 * minute);
      await world.sweep({ holdAccountIds: ['acc1'] });
      const { events } = await world.store.eventsAfter({ after: looked.position, limit: 10 });
      expect(events.map((event) => event.type)).toEqual(['message.held']);
    });

    it('holds events about no message', async () => {
      const events = [newEvent({ data: { text: 'a\0"ž', list: [1, null] } }), newEvent({ type: 'carrier.up' })];
      await world.store.addEvents(events);
      await world.store.addEvents([events[0]!]);
      expect(await world.store.addEvents([])).toBeUndefined();
      const stored = (await world.store.eventsAfter(whole)).events;
      expect(stored.map(({ position: _, ...event }) => event)).toEqual(
        events.map((event) => ({ ...event, message: null })),
      );
    });

    it('keeps its ids and positions over a restart', async () => {
      const item = world.inboundItem();
      await world.store.inbound([item]);
      await world.store.addEvents([newEvent()]);
      const before = await world.store.eventsAfter(whole);
      await world.restart();
      expect(await world.store.eventsAfter(whole)).toEqual(before);
      for (const { eventId, position } of before.events) {
        expect(readEventId(eventId)).not.toBeNull();
        expect(await world.store.eventPosition({ accountId: 'acc1', eventId })).toBe(position);
        expect(await world.store.eventPosition({ accountId: 'acc2', eventId })).toBeNull();
      }
      const latest = { accountId: 'acc2', eventId: 'latest' } as const;
      expect(await world.store.eventPosition(latest)).toBe(before.position);
      await world.store.addEvents([newEvent()]);
      expect(await world.store.eventPosition(latest)).toBeGreaterThan(before.position);
      for (const eventId of ['', 'evt_', 'evt_01KQ', 'evt_01KQ_1', "' or 1=1 --", `${before.events[0]!.eventId}_1`]) {
        expect(await world.store.eventPosition({ accountId: 'acc1', eventId })).toBeNull();
      }
    });

    it('is read to the end in pages of any size, each event once', async () => {
      for (let n = 0; n < 7; n += 1)
        await world.store.addEvents([newEvent({ data: { n } }), newEvent({ data: { n } })]);
      const seen: unknown[] = [];
      for (let after = 0; ; ) {
        const { events, position } = await world.store.eventsAfter({ after, limit: 3 });
        expect(events.length).toBeLessThanOrEqual(3);
        if (position === after) break;
        seen.push(...events.map((event) => event.data!.n));
        after = position;
      }
      expect(seen).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    });
  });

  describe('events of an account', () => {
    const world = useWorld(factory);

    it('are its own, of the requested types', async () => {
      await world.sent(['a1']);
      await world.sent(['a2'], { accountId: 'acc2' });
      await world.store.inbound([world.inboundItem(), world.inboundItem({ accountId: 'acc2', text: 'x' })]);
      await world.store.addEvents([newEvent(), newEvent({ accountId: 'acc2' })]);
      expect(await typesOf(world)).toEqual(['message.sent', 'message.received', 'carrier.down']);
      expect(await typesOf(world, { types: ['message.received'] })).toEqual(['message.received']);
      expect(await typesOf(world, { types: ['carrier.down', 'message.sent'] })).toEqual([
        'message.sent',
        'carrier.down',
      ]);
      expect(await typesOf(world, { types: [] })).toEqual([]);
      expect(await typesOf(world, { accountId: 'acc3' })).toEqual([]);
    });

    it('come in pages that say whether there is more', async () => {
      for (let n = 0; n < 5; n += 1)
        await world.store.addEvents([newEvent({ data: { n } }), newEvent({ accountId: 'acc2' })]);
      const first = await world.store.accountEvents({ ...page, limit: 3 });
      expect(first).toMatchObject({ more: true, position: first.events[2]!.position });
      const second = await world.store.accountEvents({ ...page, limit: 3, after: first.position });
      expect(second.more).toBe(false);
      expect([...first.events, ...second.events].map((event) => event.data!.n)).toEqual([0, 1, 2, 3, 4]);
      const latest = await world.store.eventPosition({ accountId: 'acc1', eventId: 'latest' });
      expect(second.position).toBe(latest);
      expect(await world.store.accountEvents({ ...page, after: latest! + 5 })).toEqual({
        events: [],
        position: latest! + 5,
        more: false,
      });
    });

    it('are searched in a bounded part of the log', async () => {
      const others = Array.from({ length: placesPerPage + 10 }, () => newEvent({ accountId: 'acc2', data: {} }));
      for (let first = 0; first < others.length; first += 5_000)
        await world.store.addEvents(others.slice(first, first + 5_000));
      await world.store.addEvents([newEvent()]);
      const nothing = await world.store.accountEvents(page);
      expect(nothing).toEqual({ events: [], position: placesPerPage, more: true });
      const found = await world.store.accountEvents({ ...page, after: nothing.position });
      expect(found.events).toHaveLength(1);
      expect(found.more).toBe(false);
    });
  });

  describe('a reply', () => {
    const world = useWorld(factory);
    const repliesTo = async () =>
      (await world.store.eventsAfter(whole)).events.flatMap(({ type, message }) =>
        type === 'message.received' ? [message!.inReplyTo] : [],
      );

    it('names the last message sent before it from that number to that handset', async () => {
      const early = world.inboundItem({ text: 'early' });
      await world.store.inbound([early]);
      await world.accept();
      const last = await world.accept();
      await world.accept({ to: '14155550199' });
      await world.accept({ from: '15550002222' });
      await world.store.inbound([world.inboundItem({ text: 'one' }), world.inboundItem({ text: 'two' })]);
      await world.accept();
      expect(await repliesTo()).toEqual([null, last, last]);
      await world.restart();
      expect(await repliesTo()).toEqual([null, last, last]);
    });

    it('finds that message however much was sent to others since', async () => {
      const last = await world.accept();
      for (let n = 1; n <= 3; n += 1) {
        world.clock.set(start + n);
        const recipients = Array.from({ length: 4_096 }, (_, index) => String(14_155_560_000 + index));
        await world.store.accept([world.item({ recipients })]);
      }
      world.clock.set(start + hour);
      await world.store.inbound([world.inboundItem()]);
      expect(await repliesTo()).toEqual([last]);
    });

    it('never names a message of another account', async () => {
      await world.accept({ accountId: 'acc2' });
      await world.store.inbound([world.inboundItem()]);
      expect(await repliesTo()).toEqual([null]);
    });
  });
}
