/** Contract: contacts and canned replies of a company; contacts are deleted with a person's number or by age. */
import { describe, expect, it } from 'vitest';
import { contactLimits } from '../../model/contact.ts';
import { cannedRepliesMax } from '../../subjects/conversations/store/canned-replies.ts';
import { hour, nextId, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const day = 24 * hour;
const maria = '14155550100';
const josé = '14155550101';

type Change = Parameters<World['store']['putContacts']>[0][number];

const change = (contact: string, fields: Partial<Change> = {}): Change => ({
  ...{ accountId: 'acc1', contact, at: start },
  ...fields,
});

export function contactsContract(factory: StoreFactory): void {
  describe('contacts', () => {
    const world = useWorld(factory);
    const put = (...changes: Change[]) => world.store.putContacts(changes);
    const of = (...contacts: string[]) => world.store.contactsOf({ accountId: 'acc1', contacts });
    const page = (fields: Partial<Parameters<World['store']['contactPage']>[0]> = {}) =>
      world.store.contactPage({ accountId: 'acc1', q: '', after: null, limit: 10, ...fields });
    const numbers = async (q: string) => (await page({ q })).map(({ contact }) => contact);

    it('keep what a change leaves out, and go when nothing is left of them', async () => {
      expect(await put(change(maria, { name: 'Maria', tags: ['vip'] }), change(maria, { note: 'calls back' }))).toEqual(
        ['added', 'changed'],
      );
      const whole = { contact: maria, name: 'Maria', note: 'calls back', tags: ['vip'], updatedAt: start };
      expect(await of(maria, maria, josé)).toEqual([whole]);
      expect(await put(change(maria, { name: 'Maria', at: start + hour }))).toEqual(['unchanged']);
      await world.restart();
      expect(await of(maria)).toEqual([{ ...whole, updatedAt: start + hour }]);
      expect(await put(change(maria, { name: '', note: '', tags: [] }), change(josé))).toEqual([
        'removed',
        'unchanged',
      ]);
      expect(await page()).toEqual([]);
    });

    it('are of one company', async () => {
      await put(change(maria, { name: 'Maria' }), change(maria, { accountId: 'acc2', name: 'Somebody else' }));
      expect(await page()).toMatchObject([{ name: 'Maria' }]);
      expect(await world.store.removeContacts([{ accountId: 'acc2', contact: maria }])).toEqual([true]);
      expect(await world.store.removeContacts([{ accountId: 'acc2', contact: maria }])).toEqual([false]);
      expect(await of(maria)).toMatchObject([{ name: 'Maria' }]);
    });

    it('are found by name, tag and number, whatever the case and the accents, page by page', async () => {
      await put(change(josé, { name: 'José Núñez', tags: ['Wholesale'] }), change(maria, { name: '100% Maria' }));
      for (const [q, found] of [
        ['jose nunez', [josé]],
        ['NÚÑ', [josé]],
        ['wholes', [josé]],
        ['0%', [maria]],
        ['1_0', []],
        ['5550101', [josé]],
        ['', [maria, josé]],
      ] as const) {
        expect(await numbers(q), q).toEqual(found);
      }
      expect(await page({ limit: 1 })).toMatchObject([{ contact: maria }]);
      expect(await page({ limit: 1, after: maria })).toMatchObject([{ contact: josé }]);
    });

    it('are as many as a company may have', async () => {
      const many = Array.from({ length: contactLimits.contacts - 1 }, (_, n) =>
        change(String(10_000_000 + n), { name: 'x' }),
      );
      const results = await put(...many);
      expect(results.filter((one) => one === 'added')).toHaveLength(many.length);
      expect(await put(change(maria, { name: 'Maria' }), change(josé, { name: 'José' }))).toEqual(['added', 'full']);
      expect(await put(change(maria, { note: 'still' }), change(josé, { accountId: 'acc2', name: 'José' }))).toEqual([
        'changed',
        'added',
      ]);
    });

    it('go with everything of their number, also one that is saved while the erasure goes on', async () => {
      await put(change(maria, { name: 'Maria' }), change(josé, { name: 'José' }));
      await put(change(maria, { accountId: 'acc2', name: 'Of others' }));
      const erasureId = nextId('era');
      const erasure = { erasureId, accountId: 'acc1', peer: maria, requestedAt: start, requestedBy: 'ada' };
      await world.store.addErasure(erasure);
      const step = { erasureId, endpointIds: [], settledBefore: start, now: start, limit: 100 };
      expect(await world.store.erase(step)).toBe(true);
      expect(await of(maria)).toEqual([]);
      await put(change(maria, { name: 'Maria again' }));
      expect(await world.store.erase(step)).toBe(false);
      expect(await page()).toMatchObject([{ contact: josé }]);
      expect(await world.store.contactsOf({ accountId: 'acc2', contacts: [maria] })).toHaveLength(1);
    });

    it('without a conversation go when nobody changed them for as long as messages are kept', async () => {
      const young = '14155550102';
      await world.store.inbound([world.inboundItem({ text: 'Hello' })]);
      const { from } = world.inboundItem({ text: '' }).part;
      await put(
        change(from, { name: 'Writes' }),
        change(josé, { name: 'José' }),
        change('14155550199', { name: 'Ann' }),
      );
      await put(change(young, { name: 'Young', at: start + 300 * day }));
      await put(change(josé, { accountId: 'acc2', name: 'Of others' }));
      const limits = { accountId: 'acc1', bodiesBefore: 0, endpointIds: [], limit: 1, now: start + 400 * day };
      const round = async (messagesBefore: number, first: string | null) => {
        for (let cursor = first, steps = 0; steps < 50; steps++) {
          ({ cursor } = await world.store.forgetMessages({ ...limits, messagesBefore, cursor }));
          if (cursor === null) return (await page()).map(({ name }) => name);
        }
        throw new Error('it never ends');
      };
      expect(await round(start - day, null)).toHaveLength(4);
      // Only the last steps: the message stays, and so does the conversation.
      expect(await round(start + day, 'contacts')).toEqual(['Writes', 'Young']);
      expect(await round(start + day, null)).toEqual(['Young']);
      expect(await world.store.contactsOf({ accountId: 'acc2', contacts: [josé] })).toHaveLength(1);
    });
  });

  describe('canned replies', () => {
    const world = useWorld(factory);
    const write = (title: string, replyId: string | null = null, accountId = 'acc1') => ({
      ...{ accountId, replyId, newId: nextId('rep'), title, text: `Hello {{name}}, ${title}`, at: start },
    });

    it('are listed by title, changed and removed, each company its own', async () => {
      const [open, closed] = await world.store.putCannedReplies([write('Open'), write('Closed')]);
      await world.store.putCannedReplies([write('Other', null, 'acc2')]);
      expect(await world.store.putCannedReplies([write('Opening', open!), write('Open', 'rep_none')])).toEqual([
        open,
        null,
      ]);
      expect(await world.store.putCannedReplies([write('Mine now', open!, 'acc2')])).toEqual([null]);
      await world.restart();
      expect(await world.store.cannedReplies('acc1')).toEqual([
        { replyId: closed, title: 'Closed', text: 'Hello {{name}}, Closed' },
        { replyId: open, title: 'Opening', text: 'Hello {{name}}, Opening' },
      ]);
      const remove = (accountId: string) => world.store.removeCannedReplies([{ accountId, replyId: open! }]);
      expect([await remove('acc2'), await remove('acc1'), await remove('acc1')]).toEqual([[false], [true], [false]]);
      expect(await world.store.cannedReplies('acc1')).toHaveLength(1);
    });

    it('are as many as a company may have', async () => {
      const made = await world.store.putCannedReplies(
        Array.from({ length: cannedRepliesMax }, (_, n) => write(`${n}`)),
      );
      expect(made).not.toContain(null);
      expect(await world.store.putCannedReplies([write('one more'), write('changed', made[0]!)])).toEqual([
        null,
        made[0],
      ]);
    });
  });
}
