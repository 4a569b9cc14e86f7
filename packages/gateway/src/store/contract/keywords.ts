/** Contract: the effects of a keyword in a reply, in the transaction that stores the reply. */
import { describe, expect, it } from 'vitest';
import type { ConsentCommand, InboundResult } from '../../messaging/store/items.ts';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const scope = 'campaign:c1';
const contact = '14155550100';
const words = { out: 'STOP', in: 'START', help: 'HELP' };

interface Sent extends InboundResult {
  messageId: string;
  /** The id of the proposed confirmation. */
  offered: string;
}

/** Receives a keyword, with a confirmation to store if one is due. */
async function text(world: World, keyword: ConsentCommand['keyword'], fields = {}, lane = 'c1'): Promise<Sent> {
  const item = world.inboundItem({ text: ` ${words[keyword]}. `, ...fields });
  const confirmation = world.item({ to: contact, lane, text: `answer to ${keyword}` });
  const result = await world.store.inbound([{ ...item, consent: { keyword, scope, confirmation } }]);
  return { ...result, messageId: item.messageId, offered: confirmation.deliveries[0]!.messageId };
}

export function keywordsContract(factory: StoreFactory): void {
  describe('a keyword', () => {
    const world = useWorld(factory);
    const consentEvents = async () =>
      (await world.store.eventsAfter({ after: 0, limit: 100 })).events.filter((event) => event.data !== null);
    const isOut = async () => (await world.store.optOutPage({ after: null, limit: 10 })).length === 1;
    const isAnswered = async ({ lanes, offered }: Sent) => {
      const stored = (await world.view(offered)) !== null;
      expect(lanes).toEqual(stored ? ['c1'] : []);
      return stored;
    };

    it('out adds the contact, with the reply as proof, an event and a confirmation', async () => {
      const result = await text(world, 'out');
      expect(result).toMatchObject({
        messageIds: [result.messageId],
        consent: [{ scope, contact, to: 'out' }],
        lanes: ['c1'],
      });
      await world.restart();
      expect(await world.view(result.messageId)).toMatchObject({ text: ' STOP. ', state: 'received' });
      expect(await world.view(result.offered)).toMatchObject({ state: 'queued', text: 'answer to out' });
      const entry = { accountId: 'acc1', scope, contact, at: start, how: 'keyword', reason: '' };
      expect(
        await world.store.optOuts({ accountId: 'acc1', scope: null, contact: null, after: null, limit: 9 }),
      ).toEqual([{ ...entry, evidenceMessageId: result.messageId }]);
      const [event, ...others] = await consentEvents();
      expect(others).toEqual([]);
      expect(event).toMatchObject({ type: 'contact.opted_out', accountId: 'acc1', at: start });
      expect(event!.eventId).toBe(`evt_${result.messageId.slice(4)}`);
      expect(event!.data).toEqual({
        contact,
        number: '15550001111',
        scope,
        campaignId: 'c1',
        how: 'keyword',
        keyword: 'STOP.',
        messageId: result.messageId,
        at: new Date(start).toISOString(),
      });
      const { eventId, position } = event!;
      expect(await world.store.eventPosition({ accountId: 'acc1', eventId })).toBe(position);
    });

    it('out again changes nothing, and is confirmed once in 24 h', async () => {
      expect(await isAnswered(await text(world, 'out'))).toBe(true);
      world.clock.set(start + 24 * hour - 1);
      const again = await text(world, 'out');
      expect(again).toMatchObject({ messageIds: [again.messageId], consent: [] });
      expect(await isAnswered(again)).toBe(false);
      world.clock.set(start + 24 * hour);
      expect(await isAnswered(await text(world, 'out'))).toBe(true);
      world.clock.set(start + 47 * hour);
      expect(await isAnswered(await text(world, 'out'))).toBe(false);
      expect(await consentEvents()).toHaveLength(1);
    });

    it('in acts only for a contact that is out, and is an ordinary reply otherwise', async () => {
      const before = await text(world, 'in');
      expect(before).toMatchObject({ messageIds: [before.messageId], consent: [] });
      expect(await isAnswered(before)).toBe(false);
      await text(world, 'out');
      world.clock.set(start + 25 * hour);
      const after = await text(world, 'in');
      expect(after.consent).toEqual([{ scope, contact, to: 'in' }]);
      expect(await isAnswered(after)).toBe(true);
      expect(await isOut()).toBe(false);
      expect((await consentEvents()).map((event) => event.type)).toEqual(['contact.opted_out', 'contact.opted_in']);
      expect(await isAnswered(await text(world, 'in'))).toBe(false);
    });

    it('in ends an opt-out from before the number joined its campaign too, each with an event, and is answered once', async () => {
      const earlier = 'number:15550001111';
      const out = async (scope: string) => {
        const item = world.inboundItem({ text: 'STOP' });
        await world.store.inbound([{ ...item, consent: { keyword: 'out', scope, confirmation: null } }]);
      };
      const start = async () => {
        const item = world.inboundItem({ text: 'START' });
        const confirmation = world.item({ to: contact, lane: 'c1', text: 'welcome' });
        return world.store.inbound([{ ...item, consent: { keyword: 'in', scope, earlier, confirmation } }]);
      };
      await out(earlier);
      expect((await start()).lanes).toEqual(['c1']);
      await out(earlier);
      await out(scope);
      expect((await start()).lanes).toEqual(['c1']);
      expect((await start()).lanes).toEqual([]);
      expect(await world.store.optOutPage({ after: null, limit: 10 })).toEqual([]);
      const lifted = (await consentEvents()).filter(({ type }) => type === 'contact.opted_in');
      expect(lifted.map(({ data }) => data?.scope)).toEqual([earlier, scope, earlier]);
      expect(new Set(lifted.map(({ eventId }) => eventId)).size).toBe(3);
    });

    it('out soon after it was removed is a new opt-out, stored and confirmed', async () => {
      await text(world, 'out');
      world.clock.set(start + hour);
      await text(world, 'in');
      const again = await text(world, 'out');
      expect(again.consent).toEqual([{ scope, contact, to: 'out' }]);
      expect(await isAnswered(again)).toBe(true);
    });

    it('help is answered and changes nothing', async () => {
      const first = await text(world, 'help');
      expect(first.consent).toEqual([]);
      expect(await isAnswered(first)).toBe(true);
      expect(await isAnswered(await text(world, 'help', { text: 'info' }))).toBe(true);
      expect(await consentEvents()).toEqual([]);
      expect(await isOut()).toBe(false);
    });

    it('that may be a redelivery is answered if it changes something, help again after 10 minutes', async () => {
      await text(world, 'help');
      await text(world, 'out');
      const copies = [await text(world, 'help'), await text(world, 'out')];
      for (const copy of copies) expect((await world.view(copy.messageId))!.dupRisk).toBe(true);
      for (const copy of copies) expect(await isAnswered(copy)).toBe(false);
      await text(world, 'in');
      expect(await isAnswered(await text(world, 'in'))).toBe(false);
      world.clock.set(start + 10 * minute - 1);
      expect(await isAnswered(await text(world, 'help'))).toBe(false);
      world.clock.set(start + 10 * minute);
      expect(await isAnswered(await text(world, 'help'))).toBe(true);
    });

    it('without an answer, or in one part of several, causes no confirmation', async () => {
      const item = {
        ...world.inboundItem({ text: 'STOP' }),
        consent: { keyword: 'out', scope, confirmation: null } as const,
      };
      expect(await world.store.inbound([item])).toMatchObject({ consent: [{ to: 'out' }], lanes: [] });
      const part = await text(world, 'help', { concat: { reference: 1, total: 2, sequence: 1 } });
      expect(part).toMatchObject({ messageIds: [null], consent: [] });
      expect(await isAnswered(part)).toBe(false);
    });

    it('in one batch with others is applied in order', async () => {
      const items = (['out', 'out', 'in', 'in', 'out'] as const).map((keyword, n) => ({
        ...world.inboundItem({ text: `${keyword} ${n}` }),
        consent: { keyword, scope, confirmation: world.item({ lane: `lane${n}` }) },
      }));
      const result = await world.store.inbound(items);
      expect(result.messageIds).toEqual(items.map((item) => item.messageId));
      expect(result.consent.map(({ to }) => to)).toEqual(['out', 'in', 'out']);
      expect(result.lanes).toEqual(['lane0', 'lane2', 'lane4']);
      expect(await isOut()).toBe(true);
    });

    it('of two scopes and two contacts are kept apart', async () => {
      await text(world, 'out');
      const other = await text(world, 'out', { from: '14155550199' });
      expect(await isAnswered(other)).toBe(true);
      const item = world.inboundItem({ text: 'STOP', to: '18005550100' });
      const consent = { keyword: 'out', scope: 'number:18005550100', confirmation: null } as const;
      expect((await world.store.inbound([{ ...item, consent }])).consent).toEqual([
        { scope: 'number:18005550100', contact, to: 'out' },
      ]);
    });

    it('is rolled back with everything when its confirmation cannot be stored', async () => {
      const item = world.inboundItem({ text: 'STOP' });
      const confirmation = world.item();
      confirmation.message.text = null as unknown as string;
      const consent = { keyword: 'out', scope, confirmation } as const;
      await expect(world.store.inbound([{ ...item, consent }])).rejects.toThrow();
      expect(await isOut()).toBe(false);
      expect(await world.view(item.messageId)).toBeNull();
      expect(await world.store.eventsAfter({ after: 0, limit: 9 })).toMatchObject({ events: [] });
      expect(await isAnswered(await text(world, 'out'))).toBe(true);
    });
  });
}
