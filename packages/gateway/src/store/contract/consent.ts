/** Contract: the opt-out list, changed by people and programs. */
import { describe, expect, it } from 'vitest';
import type { ConsentChange, OptOut } from '../../messaging/store/items.ts';
import { nextId, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

function change(fields: Partial<ConsentChange> = {}): ConsentChange {
  return {
    accountId: 'acc1',
    scope: 'campaign:c1',
    contact: '14155550100',
    at: start,
    how: 'api',
    reason: 'asked by telephone',
    evidenceMessageId: null,
    to: 'out',
    ...fields,
  };
}

function apply(world: World, ...changes: ConsentChange[]): Promise<boolean[]> {
  return world.store.changeConsent({ changes, eventIds: changes.map(() => nextId('evt')) });
}

const everything = { accountId: 'acc1', scope: null, contact: null, after: null, limit: 100 };
const asEntry = ({ to: _, ...entry }: ConsentChange): OptOut => entry;

export function consentContract(factory: StoreFactory): void {
  describe('the opt-out list', () => {
    const world = useWorld(factory);
    const stored = async () => (await world.store.eventsAfter({ after: 0, limit: 100 })).events;

    it('is empty at first', async () => {
      expect(await world.store.optOutPage({ after: null, limit: 10 })).toEqual([]);
      expect(await world.store.optOuts(everything)).toEqual([]);
      expect(await apply(world)).toEqual([]);
    });

    it('stores an entry once, with its proof and one event', async () => {
      const entry = change({ evidenceMessageId: 'msg_1', reason: 'a\0b' });
      const eventId = nextId('evt');
      expect(await world.store.changeConsent({ changes: [entry], eventIds: [eventId] })).toEqual([true]);
      expect(await apply(world, change({ at: start + 1, reason: 'again' }))).toEqual([false]);
      await world.restart();
      expect(await world.store.optOutPage({ after: null, limit: 10 })).toEqual([
        { scope: 'campaign:c1', contact: '14155550100' },
      ]);
      expect(await world.store.optOuts(everything)).toEqual([{ ...asEntry(entry), reason: 'a\ufffdb' }]);
      expect(await stored()).toMatchObject([
        {
          eventId,
          accountId: 'acc1',
          type: 'contact.opted_out',
          at: start,
          message: null,
          data: {
            contact: '14155550100',
            number: null,
            scope: 'campaign:c1',
            campaignId: 'c1',
            how: 'api',
            keyword: null,
            messageId: 'msg_1',
            at: new Date(start).toISOString(),
          },
        },
      ]);
    });

    it('ignores a carrier’s entry that is older than the last change', async () => {
      await apply(world, change(), change({ to: 'in', at: start + 9 }));
      expect(await apply(world, change({ how: 'carrier', at: start + 9 }))).toEqual([false]);
      expect(await apply(world, change({ how: 'carrier', at: start + 10 }))).toEqual([true]);
    });

    it('removes only contacts that are on it, and can add them again', async () => {
      const lift = change({ to: 'in', how: 'by hand' });
      expect(await apply(world, lift)).toEqual([false]);
      expect(await apply(world, change(), lift, lift, change({ at: start + 9 }), lift)).toEqual([
        true,
        true,
        false,
        true,
        true,
      ]);
      expect(await world.store.optOuts(everything)).toEqual([]);
      expect(await world.store.optOutPage({ after: null, limit: 10 })).toEqual([]);
      expect((await stored()).map((event) => event.type)).toEqual([
        'contact.opted_out',
        'contact.opted_in',
        'contact.opted_out',
        'contact.opted_in',
      ]);
    });

    it('keeps scopes apart, and names a scope’s number', async () => {
      await apply(world, change(), change({ scope: 'number:18005550100' }));
      expect(await apply(world, change({ to: 'in' }))).toEqual([true]);
      expect(await world.store.optOutPage({ after: null, limit: 10 })).toEqual([
        { scope: 'number:18005550100', contact: '14155550100' },
      ]);
      expect((await stored())[1]!.data).toMatchObject({ number: '18005550100', campaignId: null });
    });

    it('stores entries and events together or not at all', async () => {
      const broken = change({ contact: null as unknown as string });
      await expect(apply(world, change(), broken)).rejects.toThrow();
      expect(await world.store.optOuts(everything)).toEqual([]);
      expect(await stored()).toEqual([]);
    });

    it('is read in pages, by account, scope and contact', async () => {
      const contacts = Array.from({ length: 7 }, (_, n) => `1415555010${n}`);
      const scopes = ['campaign:c1', 'campaign:c2'];
      const changes = contacts.flatMap((contact) => scopes.map((scope) => change({ contact, scope })));
      await apply(world, ...changes, change({ accountId: 'acc2', scope: 'campaign:c3' }));
      await apply(world, change({ contact: contacts[3], to: 'in' }));

      const pages: { scope: string; contact: string }[] = [];
      for (let size = 1; size > 0; ) {
        const page = await world.store.optOutPage({ after: pages.at(-1) ?? null, limit: 4 });
        pages.push(...page);
        size = page.length;
      }
      expect(pages).toHaveLength(14);
      expect(new Set(pages.map((entry) => JSON.stringify(entry))).size).toBe(14);

      const read = async (fields: Partial<typeof everything> | { scope: string } | { contact: string }) => {
        const found: OptOut[] = [];
        for (let size = 1; size > 0; ) {
          const page = await world.store.optOuts({ ...everything, limit: 3, ...fields, after: found.at(-1) ?? null });
          found.push(...page);
          size = page.length;
        }
        return found.map((entry) => `${entry.scope.slice(-1)}${entry.contact.slice(-1)}`);
      };
      expect(await read({})).toEqual('10 20 11 21 12 22 23 14 24 15 25 16 26'.split(' '));
      expect(await read({ scope: 'campaign:c1' })).toEqual('10 11 12 14 15 16'.split(' '));
      expect(await read({ contact: contacts[2]! })).toEqual(['12', '22']);
      expect(await read({ contact: contacts[3]!, scope: 'campaign:c1' })).toEqual([]);
      expect(await read({ contact: contacts[3]!, scope: 'campaign:c2' })).toEqual(['23']);
      expect(await read({ scope: 'campaign:c3' })).toEqual([]);
      expect(await read({ accountId: 'acc3' })).toEqual([]);
    });
  });
}
