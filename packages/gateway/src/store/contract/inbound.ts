/** Contract: replies, whole and in parts, in any order, delivered again and incomplete. */
import { describe, expect, it } from 'vitest';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

export function inboundContract(factory: StoreFactory): void {
  describe('inbound', () => {
    const world = useWorld(factory);

    it('stores a reply as received, with one event', async () => {
      const item = world.inboundItem({ text: 'Ja bitte 👍' });
      expect(await world.store.inbound([item])).toMatchObject({ messageIds: [item.messageId] });
      const view = await world.view(item.messageId);
      expect(view).toMatchObject({
        requestId: item.requestId,
        direction: 'inbound',
        from: '14155550100',
        to: '15550001111',
        text: 'Ja bitte 👍',
        messageType: 'SMS',
        encoding: 'GSM-7',
        segments: 1,
        state: 'received',
        carrier: 'c1',
        dupRisk: false,
        acceptedAt: start,
      });
      expect(view?.events).toMatchObject([{ sequence: 1, state: 'received', at: start }]);
      expect(await world.view(item.messageId, 'acc2')).toBeNull();
    });

    it('never drops a text that came before: it is stored and marked as a possible repeat', async () => {
      const [first, second] = [world.inboundItem(), world.inboundItem()];
      await world.store.inbound([first]);
      expect(await world.store.inbound([second])).toMatchObject({ messageIds: [second.messageId] });
      expect((await world.view(first.messageId))?.dupRisk).toBe(false);
      expect((await world.view(second.messageId))?.dupRisk).toBe(true);

      const other = world.inboundItem({ text: 'No' });
      world.clock.set(start + 25 * hour);
      const nextDay = world.inboundItem();
      await world.store.inbound([other, nextDay]);
      expect((await world.view(other.messageId))?.dupRisk).toBe(false);
      expect((await world.view(nextDay.messageId))?.dupRisk).toBe(false);
    });

    it('returns binary content as octets, with its data_coding and without a text', async () => {
      const octets = new Uint8Array([0, 255, 1]);
      const item = world.inboundItem({ text: null, octets, encoding: null, extras: { dataCoding: 4 } });
      expect(await world.store.inbound([item])).toMatchObject({ messageIds: [item.messageId] });
      await world.restart();
      const shown = { text: '', data: 'AP8B', dataCoding: 4 };
      expect(await world.view(item.messageId)).toMatchObject(shown);
      const { events } = await world.store.eventsAfter({ after: 0, limit: 9 });
      expect(events).toMatchObject([{ message: shown }]);
    });

    it('joins the octets of binary content in several parts, with the class and the ports of any part', async () => {
      const part = (sequence: number, octets: number[], more: object) =>
        world.inboundItem({
          text: null,
          octets: new Uint8Array(octets),
          encoding: null,
          concat: { reference: 7, total: 2, sequence },
          extras: { dataCoding: 245, ...more },
        });
      const last = part(1, [1, 2], { messageClass: 1 });
      const ports = { source: 0, destination: 5_505 };
      await world.store.inbound([part(2, [3, 0], { messageClass: 1, ports })]);
      await world.restart();
      await world.store.inbound([last]);
      const shown = { text: '', data: 'AQIDAA==', dataCoding: 245, messageClass: 1, ports };
      expect(await world.view(last.messageId)).toMatchObject(shown);
    });

    it('shows class and ports beside a text, and no octets where all of it was decoded', async () => {
      const item = world.inboundItem({ text: 'Hi', extras: { dataCoding: 16, messageClass: 0 } });
      await world.store.inbound([item]);
      const view = await world.view(item.messageId);
      expect(view).toMatchObject({ text: 'Hi', messageClass: 0 });
      for (const absent of ['data', 'dataCoding', 'media', 'ports']) expect(view).not.toHaveProperty(absent);
    });

    it('accepts a text with a NUL and an unpaired surrogate', async () => {
      const item = world.inboundItem({ text: 'a\0b\ud83d' });
      await world.store.inbound([item]);
      expect((await world.view(item.messageId))?.text).toBe('a�b�');
    });
  });

  describe('inbound parts', () => {
    const world = useWorld(factory);
    const texts = ['one ', 'two ', 'three'];

    it.each([[[1, 2, 3]], [[1, 3, 2]], [[2, 1, 3]], [[2, 3, 1]], [[3, 1, 2]], [[3, 2, 1]]])(
      'become one text in the order %j',
      async (order) => {
        const items = order.map((sequence) => partOf(world, texts, sequence));
        const results = [];
        for (const item of items) results.push(...(await world.store.inbound([item])).messageIds);
        expect(results).toEqual([null, null, items[2]!.messageId]);
        const view = await world.view(items[2]!.messageId);
        expect(view).toMatchObject({
          text: 'one two three',
          segments: 3,
          requestId: items[2]!.requestId,
          dupRisk: false,
        });
      },
    );

    it('of GSM text that was cut after an escape become what the sender wrote', async () => {
      const part = (sequence: number, text: string) =>
        world.inboundItem({ text, concat: { reference: 8, total: 3, sequence } });
      const { messageIds } = await world.store.inbound([part(2, 'eB\u001b'), part(3, '('), part(1, 'A\u001b')]);
      const view = await world.view(messageIds.find((id) => id !== null)!);
      expect(view?.text).toBe('A€B{');
    });

    it('of UCS-2 that was cut in the middle of a character are joined by their octets', async () => {
      const part = (sequence: number, octets: number[], text: string) =>
        world.inboundItem({
          text,
          octets: new Uint8Array(octets),
          encoding: 'UCS-2',
          concat: { reference: 9, total: 2, sequence },
        });
      const first = part(1, [0x04, 0x16, 0x04], 'Ж');
      const second = part(2, [0x17, 0x04, 0x18], '\u1704');
      const { messageIds } = await world.store.inbound([second, first]);
      const view = await world.view(messageIds.find((id) => id !== null)!);
      expect(view?.text).toBe('ЖЗИ');
    });

    it('with one reference of 8 and of 16 bits are parts of two texts', async () => {
      const part = (bits: 8 | 16, sequence: number, text: string) =>
        world.inboundItem({ text, concat: { reference: 5, bits, total: 2, sequence } });
      const items = [part(8, 1, 'A1 '), part(16, 2, 'B2'), part(8, 2, 'A2'), part(16, 1, 'B1 ')];
      for (const item of items) await world.store.inbound([item]);
      const texts = await Promise.all(items.slice(2).map(async ({ messageId }) => (await world.view(messageId))?.text));
      expect(texts).toEqual(['A1 A2', 'B1 B2']);
    });

    it('become one text within one call', async () => {
      const items = [3, 1, 2].map((sequence) => partOf(world, texts, sequence));
      expect(await world.store.inbound(items)).toMatchObject({ messageIds: [null, null, items[2]!.messageId] });
    });

    it('join a character that was split between two of them', async () => {
      const [high, low] = ['😀'.slice(0, 1), '😀'.slice(1)];
      const items = [1, 2].map((sequence) => partOf(world, [`a${high}`, `${low}b`], sequence));
      await world.store.inbound([items[0]!]);
      await world.store.inbound([items[1]!]);
      expect((await world.view(items[1]!.messageId))?.text).toBe('a😀b');
    });

    it('delivered again while other parts are missing change nothing', async () => {
      const [first, again, second] = [1, 1, 2].map((sequence) => partOf(world, ['a', 'b'], sequence));
      expect(await world.store.inbound([first!])).toMatchObject({ messageIds: [null] });
      expect(await world.store.inbound([again!])).toMatchObject({ messageIds: [null] });
      expect(await world.store.inbound([second!])).toMatchObject({ messageIds: [second!.messageId] });
      expect((await world.view(second!.messageId))?.text).toBe('ab');
    });

    it('delivered again after the whole was stored make no message of their own', async () => {
      await world.store.inbound([1, 2].map((sequence) => partOf(world, ['a', 'b'], sequence)));
      expect(await world.store.inbound([partOf(world, ['a', 'b'], 2)])).toMatchObject({ messageIds: [null] });
      world.clock.set(start + hour);
      expect(await world.sweep()).toEqual({ moves: [], more: false });
      expect(await listInbound(world)).toHaveLength(1);
    });

    it('that are all delivered again are stored once more and marked', async () => {
      for (let round = 0; round < 2; round += 1) {
        await world.store.inbound([1, 2].map((sequence) => partOf(world, ['a', 'b'], sequence)));
      }
      expect((await listInbound(world)).map((view) => [view.text, view.dupRisk])).toEqual([
        ['ab', true],
        ['ab', false],
      ]);
    });

    it('of a new text under a reused reference are not mixed with a redelivered one', async () => {
      await world.store.inbound([1, 2].map((sequence) => partOf(world, ['a', 'b'], sequence)));
      await world.store.inbound([partOf(world, ['a', 'b'], 2)]);
      const items = [1, 2].map((sequence) => partOf(world, ['c', 'd'], sequence));
      await world.store.inbound([items[0]!]);
      await world.store.inbound([items[1]!]);
      expect((await listInbound(world)).map((view) => [view.text, view.dupRisk])).toEqual([
        ['cd', false],
        ['ab', false],
      ]);
    });

    it('of an incomplete text are stored with a mark when the next text under the same reference begins', async () => {
      const lost = partOf(world, ['a', 'b'], 1);
      const items = [1, 2].map((sequence) => partOf(world, ['c', 'd'], sequence));
      expect(await world.store.inbound([lost])).toMatchObject({ messageIds: [null] });
      expect(await world.store.inbound([items[0]!])).toMatchObject({ messageIds: [lost.messageId] });
      expect(await world.store.inbound([items[1]!])).toMatchObject({ messageIds: [items[1]!.messageId] });
      expect((await listInbound(world)).map((view) => view.text).sort()).toEqual(['a[…]', 'cd']);
    });

    it('of two senders, two numbers and two totals are kept apart', async () => {
      const first = partOf(world, ['a', 'b'], 1);
      const others = [
        partOf(world, ['x', 'y'], 2, { from: '14155550199' }),
        partOf(world, ['x', 'y'], 2, { to: '15550002222' }),
        partOf(world, ['x', 'y', 'z'], 2),
        partOf(world, ['x', 'y'], 2, {}, 8),
      ];
      expect(await world.store.inbound([first, ...others])).toMatchObject({
        messageIds: [null, null, null, null, null],
      });
    });

    it('whose other parts never come are stored with a mark after the wait', async () => {
      const item = partOf(world, ['one ', 'two ', 'three ', 'four'], 3);
      await world.store.inbound([item]);
      world.clock.set(start + 10 * minute);
      expect((await world.sweep()).moves).toEqual([]);
      world.clock.set(start + 10 * minute + 1);
      expect((await world.sweep()).moves).toEqual([
        { messageId: item.messageId, accountId: 'acc1', from: null, state: 'received', code: null, carrier: 'c1' },
      ]);
      expect(await world.view(item.messageId)).toMatchObject({ text: '[…]three […]', state: 'received' });
      expect((await world.sweep()).moves).toEqual([]);
    });

    it('with impossible part numbers are texts of their own', async () => {
      const items = [0, 4].map((sequence) => partOf(world, texts, sequence, { text: `odd ${sequence}` }));
      expect(await world.store.inbound(items)).toMatchObject({ messageIds: items.map((item) => item.messageId) });
    });
  });
}

function partOf(world: World, texts: string[], sequence: number, fields = {}, reference = 7) {
  const text = texts[sequence - 1] ?? '';
  return world.inboundItem({ text, concat: { reference, total: texts.length, sequence }, ...fields });
}

function listInbound(world: World) {
  return world.store.messages({
    accountId: 'acc1',
    direction: 'inbound',
    from: null,
    to: null,
    before: null,
    limit: 100,
  });
}
