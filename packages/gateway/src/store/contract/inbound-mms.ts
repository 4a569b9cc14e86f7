/** Contract: multimedia messages from handsets, each stored once, with their links and keywords. */
import { describe, expect, it } from 'vitest';
import type { ConsentCommand } from '../../messaging/store/items.ts';
import { flatMessage } from '../../model/message-view.ts';
import { hour, type StoreFactory, start } from './fixture.ts';
import { inboundMmsItem, mediaLink, medium } from './media-fixture.ts';
import { useWorld } from './world.ts';

const day = 24 * hour;
const scope = 'campaign:c1';
const contact = '14155550100';

export function inboundMmsContract(factory: StoreFactory): void {
  describe('an MMS from a handset', () => {
    const world = useWorld(factory);
    const stored = async () => {
      const query = {
        accountId: 'acc1',
        direction: 'inbound',
        from: null,
        to: null,
        before: null,
        limit: 100,
      } as const;
      return (await world.store.messages(query)).map(({ messageId }) => messageId);
    };

    it('is stored as received, with one event and its links', async () => {
      const item = inboundMmsItem(start, { text: 'Schau 👍' });
      expect(await world.store.inboundMms([item])).toEqual({ messageIds: [item.messageId], consent: [], lanes: [] });
      await world.restart();
      const shown = {
        messageId: item.messageId,
        requestId: item.requestId,
        direction: 'inbound',
        referenceId: '',
        from: contact,
        to: '15550001111',
        text: 'Schau 👍',
        mediaUrls: item.mediaUrls,
        messageType: 'MMS',
        encoding: null,
        segments: 1,
        code: null,
        carrier: 'c1',
        dupRisk: false,
      };
      const view = await world.view(item.messageId);
      expect(flatMessage(view!)).toMatchObject({
        ...shown,
        state: 'received',
        acceptedAt: start,
        updatedAt: start,
        parts: [],
      });
      expect(view?.events).toMatchObject([{ sequence: 1, state: 'received', at: start, carrier: 'c1' }]);
      expect(await world.view(item.messageId, 'acc2')).toBeNull();
      for (const link of item.links) expect(await world.store.mediaLink(link.mediaId)).toEqual(link);
      const { events } = await world.store.eventsAfter({ after: 0, limit: 9 });
      expect(events).toMatchObject([{ type: 'message.received' }]);
      expect(flatMessage(events[0]!.message!)).toMatchObject(shown);
    });

    it('has each medium with its type, size and name, its subject and its participants', async () => {
      const media = [
        { type: 'application/pdf', size: 1_000, name: 'Rechnung März.pdf' },
        { type: 'audio/amr', size: 1_000, name: 'voice.amr' },
      ];
      const beside = { subject: 'Re: ✓', participants: ['14155550101', 'ann@example.com'] };
      const item = inboundMmsItem(start, { extras: { media, ...beside } });
      await world.store.inboundMms([item]);
      await world.restart();
      const shown = { ...beside, media: media.map((one, index) => ({ url: item.mediaUrls[index], ...one })) };
      expect(await world.view(item.messageId)).toMatchObject(shown);
      const { events } = await world.store.eventsAfter({ after: 0, limit: 9 });
      expect(events).toMatchObject([{ message: shown }]);
      const query = { accountId: 'acc1', own: '15550001111', peer: contact, before: null, limit: 9 };
      expect(await world.store.threadMessages(query)).toMatchObject([shown]);
    });

    it('keeps a medium of any type, marked where it is only for saving', async () => {
      const pdf = mediaLink(start, {
        medium: { hash: 'ab'.repeat(32), type: 'application/pdf', sizeBytes: 9 },
        fileName: 'a.pdf',
        downloadOnly: true,
      });
      await world.store.inboundMms([inboundMmsItem(start, { links: [pdf] })]);
      expect(await world.store.mediaLink(pdf.mediaId)).toEqual(pdf);
    });

    it('has an event that names the message it replies to', async () => {
      const sent = await world.sent(['a1'], { to: contact });
      let notified = 0;
      world.store.onEvents(() => {
        notified += 1;
      });
      await world.store.inboundMms([inboundMmsItem(start)]);
      expect(notified).toBe(1);
      const { events } = await world.store.eventsAfter({ after: 0, limit: 9, types: ['message.received'] });
      expect(events).toMatchObject([{ message: { inReplyTo: sent } }]);
    });

    it('delivered again changes nothing, however often, and keeps its first id', async () => {
      const [first, again, third] = [1, 2, 3].map((n) => inboundMmsItem(start, { text: `take ${n}` }));
      const { messageId } = first!;
      expect((await world.store.inboundMms([first!])).messageIds).toEqual([messageId]);
      await world.restart();
      expect((await world.store.inboundMms([again!, third!])).messageIds).toEqual([messageId, messageId]);
      expect((await world.store.inboundMms([first!])).messageIds).toEqual([messageId]);
      expect(await stored()).toEqual([messageId]);
      expect(await world.store.mediaLink(again!.links[0]!.mediaId)).toBeNull();
      expect((await world.store.eventsAfter({ after: 0, limit: 9 })).events).toHaveLength(1);
    });

    it('twice in one call, and in two concurrent calls, is stored once', async () => {
      const items = [1, 2, 3].map(() => inboundMmsItem(start));
      const { messageId } = items[0]!;
      const results = await Promise.all([
        world.store.inboundMms([items[0]!, items[1]!]),
        world.store.inboundMms([items[2]!]),
      ]);
      expect(results.map(({ messageIds }) => messageIds)).toEqual([[messageId, messageId], [messageId]]);
      expect(await stored()).toEqual([messageId]);
    });

    it('from another carrier or sender, to another number, or without an id of its peer is a new message', async () => {
      const items = [
        inboundMmsItem(start),
        inboundMmsItem(start, { carrier: 'c2' }),
        inboundMmsItem(start, { from: '14155550101' }),
        inboundMmsItem(start, { from: '14155550101', peerMessageId: 'peer-1 1' }),
        inboundMmsItem(start, { to: '15550002222' }),
        inboundMmsItem(start, { peerMessageId: 'peer-2' }),
        inboundMmsItem(start, { peerMessageId: '' }),
        inboundMmsItem(start, { peerMessageId: '' }),
      ];
      const ids = items.map(({ messageId }) => messageId);
      expect((await world.store.inboundMms(items)).messageIds).toEqual(ids);
      const nameless = inboundMmsItem(start, { peerMessageId: '' });
      expect((await world.store.inboundMms([nameless])).messageIds).toEqual([nameless.messageId]);
      // The same call again, as after a lost answer.
      expect((await world.store.inboundMms([nameless])).messageIds).toEqual([nameless.messageId]);
      expect((await stored()).sort()).toEqual([...ids, nameless.messageId].sort());
    });

    it('is remembered for 7 days, and the sweep deletes old ones in steps', async () => {
      const first = [1, 2, 3].map((n) => inboundMmsItem(start, { peerMessageId: `peer-${n}` }));
      await world.store.inboundMms(first);
      world.clock.set(start + 7 * day);
      await world.sweep();
      const ids = async () => {
        const again = first.map(({ peerMessageId }) => inboundMmsItem(world.clock.now(), { peerMessageId }));
        const { messageIds } = await world.store.inboundMms(again);
        return messageIds.filter((id, index) => id === first[index]!.messageId).length;
      };
      expect(await ids()).toBe(3);
      world.clock.set(start + 7 * day + 1);
      expect(await world.sweep({ limit: 2 })).toMatchObject({ moves: [], more: true });
      expect(await world.sweep({ limit: 2 })).toMatchObject({ more: false });
      expect(await ids()).toBe(0);
    });

    it('from a mail address, with a NUL in what the peer wrote, is kept', async () => {
      const item = inboundMmsItem(start, { from: 'a\0@example.com', text: 'a\0b\ud83d', peerMessageId: 'p\0' });
      await world.store.inboundMms([item]);
      expect(await world.view(item.messageId)).toMatchObject({ from: 'a�@example.com', text: 'a�b�' });
      const again = inboundMmsItem(start, { from: 'a\0@example.com', peerMessageId: 'p\0' });
      expect((await world.store.inboundMms([again])).messageIds).toEqual([item.messageId]);
    });

    it('is rolled back with everything when a link cannot be stored', async () => {
      const bad = mediaLink(start, { medium: medium('x', { hash: null as unknown as string }) });
      const item = inboundMmsItem(start);
      await expect(world.store.inboundMms([{ ...item, links: [...item.links, bad] }])).rejects.toThrow();
      expect(await stored()).toEqual([]);
      expect(await world.store.mediaLink(item.links[0]!.mediaId)).toBeNull();
      expect((await world.store.inboundMms([item])).messageIds).toEqual([item.messageId]);
      expect(await stored()).toEqual([item.messageId]);
    });
  });

  describe('a keyword in an MMS', () => {
    const world = useWorld(factory);
    const stop = (lane: string): ConsentCommand => ({
      keyword: 'out',
      scope,
      confirmation: world.item({ to: contact, lane, text: 'unsubscribed' }),
    });

    it('adds the contact, with the message as proof, an event and a confirmation', async () => {
      const item = inboundMmsItem(start, { text: ' Stop ', consent: stop('c7') });
      expect(await world.store.inboundMms([inboundMmsItem(start, { peerMessageId: 'x' }), item])).toMatchObject({
        consent: [{ scope, contact, to: 'out' }],
        lanes: ['c7'],
      });
      const query = { accountId: 'acc1', scope: null, contact: null, after: null, limit: 9 };
      expect(await world.store.optOuts(query)).toEqual([
        { accountId: 'acc1', scope, contact, at: start, how: 'keyword', reason: '', evidenceMessageId: item.messageId },
      ]);
      const { events } = await world.store.eventsAfter({ after: 0, limit: 9, types: ['contact.opted_out'] });
      expect(events).toMatchObject([{ data: { number: '15550001111', keyword: 'Stop', messageId: item.messageId } }]);
      expect(await world.claim('c7')).toMatchObject([{ text: 'unsubscribed', messageType: 'SMS' }]);
    });

    it('acts once, however often it is delivered', async () => {
      const [first, twin, again] = ['c1', 'c2', 'c3'].map((lane) =>
        inboundMmsItem(start, { text: 'STOP', consent: stop(lane) }),
      );
      expect(await world.store.inboundMms([first!, twin!])).toMatchObject({ consent: [{ to: 'out' }], lanes: ['c1'] });
      const change = { accountId: 'acc1', scope, contact, at: start, how: 'api', reason: '' } as const;
      await world.store.changeConsent({
        changes: [{ ...change, evidenceMessageId: null, to: 'in' }],
        eventIds: ['evt_1'],
      });
      world.clock.set(start + 2 * day);
      expect(await world.store.inboundMms([again!])).toMatchObject({ consent: [], lanes: [] });
      expect(await world.store.optOutPage({ after: null, limit: 9 })).toEqual([]);
    });
  });
}
