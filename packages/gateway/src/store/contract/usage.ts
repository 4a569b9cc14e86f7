/**
 * Contract: counting for billing. Each message counts once or never, whatever its path, and even if the counting node
 * is killed.
 */
import { describe, expect, it } from 'vitest';
import { createIds } from '../../kernel/ids.ts';
import { machineRandom } from '../../kernel/machine.ts';
import { dayOf, type UsageOwner, type UsageRow } from '../../model/usage.ts';
import { hour, type ItemFields, minute, type StoreFactory, start } from './fixture.ts';
import { mmsItem } from './media-fixture.ts';
import { useWorld, type World } from './world.ts';

const owner: UsageOwner = { accountId: 'acc1', environment: 'live' };
const month = { from: '2027-01-01', to: '2027-01-31' };

const row = (fields: Partial<UsageRow> = {}): UsageRow => ({
  ...owner,
  day: '2027-01-15',
  number: '15550001111',
  campaign: 'C1',
  kind: 'SMS',
  country: 'US',
  key: 'key1',
  carrier: 'c1',
  messages: 1,
  units: 1,
  ...fields,
});

/** Messages and units counted in the whole log. */
async function counted(world: World): Promise<[messages: number, units: number]> {
  await world.store.healthy();
  const { taken } = await world.store.countsAfter({ after: 0, limit: 1_000 });
  const sum = (what: 'messages' | 'units') => taken.reduce((total, one) => total + one[what], 0);
  return [sum('messages'), sum('units')];
}

export function usageContract(factory: StoreFactory): void {
  describe('what carriers have taken', () => {
    const world = useWorld(factory);

    it('is nothing before it is sent', async () => {
      expect(await world.store.countsAfter({ after: 0, limit: 10 })).toEqual({ taken: [], ended: [], position: 0 });
      await world.accept();
      await world.claim();
      await world.store.inbound([world.inboundItem()]);
      expect(await counted(world)).toEqual([0, 0]);
      expect((await world.store.countsAfter({ after: 0, limit: 1_000 })).position).toBeGreaterThan(0);
    });

    it('is counted by account, day, number, key, kind, country and carrier', async () => {
      await world.sent(['a1', 'a2', 'a3'], { from: '15550002222' });
      await world.sent(['b1']);
      world.clock.set(start + 24 * hour);
      await world.sent(['c1'], { to: '16045550100', lane: 'c2' });
      await world.sent(['d1'], { accountId: 'acc2' });
      await world.store.healthy();
      const { taken } = await world.store.countsAfter({ after: 0, limit: 1_000 });
      const common = { accountId: 'acc1', number: '15550001111', key: 'key1', kind: 'SMS', carrier: 'c1' };
      expect(taken.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
        { ...common, day: '2027-01-15', toPrefix: '1415', messages: 1, units: 1 },
        { ...common, day: '2027-01-15', number: '15550002222', toPrefix: '1415', messages: 1, units: 3 },
        { ...common, day: '2027-01-16', toPrefix: '1604', carrier: 'c2', messages: 1, units: 1 },
        { ...common, day: '2027-01-16', accountId: 'acc2', toPrefix: '1415', messages: 1, units: 1 },
      ]);
    });

    it('includes an MMS once per recipient', async () => {
      const item = mmsItem(start, { recipients: ['14155550100', '14155550101'] });
      await world.store.accept([item]);
      await world.store.prepareMedia([
        {
          requestId: item.message.requestId,
          now: start,
          outcome: { to: 'queued', media: { original: [], fitted: [] } },
        },
      ]);
      for (const claim of await world.claim()) await world.settle(claim);
      expect(await counted(world)).toEqual([2, 2]);
    });

    it('is one message, whatever later receipts say', async () => {
      await world.sent(['a1']);
      await world.receipts({ carrierMessageId: 'a1' });
      await world.sent(['b1'], { to: '14155550101' });
      await world.receipts({ carrierMessageId: 'b1', to: '14155550101', state: 'undelivered', code: 'UNREACHABLE' });
      await world.sent(['c1'], { to: '14155550102' });
      world.clock.set(start + 73 * hour);
      await world.sweep();
      await world.receipts({ carrierMessageId: 'c1', to: '14155550102' });
      expect(await counted(world)).toEqual([3, 3]);
    });

    it.each(['delivered', 'undelivered'] as const)('is %s without an answer to its submission', async (state) => {
      const messageId = await world.uncertain();
      expect(await counted(world)).toEqual([0, 0]);
      await world.receipts({ carrierMessageId: 'unknown', state });
      expect(await world.timeline(messageId)).toEqual(['accepted', 'queued', 'sending', 'uncertain', state]);
      expect(await counted(world)).toEqual([1, 1]);
    });

    it('is apart from what was known to be taken and ends in the same way; a reply is the company’s by its recipient', async () => {
      await world.uncertain();
      await world.receipts({ carrierMessageId: 'unknown' });
      await world.sent(['a1', 'a2', 'a3'], { to: '14155550109' });
      await world.receipts(...['a1', 'a2', 'a3'].map((carrierMessageId) => ({ carrierMessageId, to: '14155550109' })));
      await world.store.inbound([world.inboundItem()]);
      expect(await counted(world)).toEqual([2, 4]);
      const { ended } = await world.store.countsAfter({ after: 0, limit: 1_000 });
      const own = '15550001111';
      const rows = ended.map(({ state, number, messages, taken }) => [state, number, messages, taken]);
      expect(rows.sort()).toEqual([
        ['delivered', own, 2, 1],
        ['received', own, 1, 0],
        ['sent', own, 1, 1],
      ]);
    });

    it('is delivered after a person held it', async () => {
      const messageId = await world.uncertain();
      world.clock.set(start + 2 * minute);
      await world.sweep({ holdAccountIds: ['acc1'] });
      await world.receipts({ carrierMessageId: 'unknown' });
      expect((await world.timeline(messageId)).slice(-2)).toEqual(['held', 'delivered']);
      expect(await counted(world)).toEqual([1, 1]);
    });

    it('is one message when it was uncertain and sent again', async () => {
      const messageId = await world.uncertain();
      world.clock.set(start + 2 * minute);
      await world.sweep();
      const [again] = await world.claim();
      expect(again).toMatchObject({ messageId, dupRisk: true });
      await world.settle(again!, { parts: [{ part: 1, carrierMessageId: 'second' }] });
      await world.receipts({ carrierMessageId: 'second' }, { carrierMessageId: 'first' });
      expect((await world.timeline(messageId)).filter((state) => state === 'sent')).toHaveLength(1);
      expect(await counted(world)).toEqual([1, 1]);
    });

    it('is one message when the receipt came first', async () => {
      const claim = await world.claimed();
      await world.receipts({ carrierMessageId: 'early' });
      await world.settle(claim, { parts: [{ part: 1, carrierMessageId: 'early' }] });
      expect((await world.timeline(claim.messageId)).slice(-2)).toEqual(['sent', 'delivered']);
      expect(await counted(world)).toEqual([1, 1]);
    });

    it('is no message that was refused, returned or expired', async () => {
      await world.settle(await world.claimed(), { to: 'failed', code: 'CARRIER_REJECTED', parts: [] });
      const back = await world.claimed({ to: '14155550101' });
      await world.settle(back, { to: 'queued', parts: [], dueAt: start + minute });
      world.clock.set(start + 5 * hour);
      await world.sweep();
      expect((await world.timeline(back.messageId)).at(-1)).toBe('expired');
      expect(await counted(world)).toEqual([0, 0]);
    });

    it('includes confirmations', async () => {
      const confirmation = world.item({ segments: 2 });
      confirmation.message.keyId = 'consent:out';
      const stop = { ...world.inboundItem({ text: 'STOP' }) };
      await world.store.inbound([{ ...stop, consent: { keyword: 'out', scope: 'campaign:C1', confirmation } }]);
      for (const claim of await world.claim()) await world.settle(claim);
      await world.store.healthy();
      const { taken } = await world.store.countsAfter({ after: 0, limit: 1_000 });
      expect(taken).toMatchObject([{ key: 'consent:out', messages: 1, units: 2 }]);
    });

    it('is the same in pages of any size', async () => {
      await world.sent(['a1', 'a2']);
      await world.receipts({ carrierMessageId: 'a1' }, { carrierMessageId: 'a2' });
      await world.uncertain({ to: '14155550101' });
      await world.receipts({ carrierMessageId: 'unknown', to: '14155550101' });
      for (const limit of [1, 2, 3, 100]) {
        let [messages, after] = [0, 0];
        for (let turn = 0; turn < 50; turn += 1) {
          const page = await world.store.countsAfter({ after, limit });
          expect(page.position).toBeLessThanOrEqual(after + limit);
          for (const one of page.taken) messages += one.messages;
          after = page.position;
        }
        expect([limit, messages]).toEqual([limit, 2]);
      }
    });
  });

  describe('usage', () => {
    const world = useWorld(factory);

    it('grows together with the mark, or not at all', async () => {
      expect(await world.store.countedTo()).toBe(0);
      expect(await world.store.addUsage({ from: 0, to: 10, rows: [row({ messages: 2, units: 5 })] })).toBe(true);
      expect(await world.store.addUsage({ from: 0, to: 10, rows: [row()] })).toBe(false);
      await world.restart();
      expect(await world.store.addUsage({ from: 9, to: 11, rows: [row()] })).toBe(false);
      expect(await world.store.countedTo()).toBe(10);
      const rivals = [1, 2].map((more) => world.store.addUsage({ from: 10, to: 10 + more, rows: [row()] }));
      expect(await Promise.all(rivals)).toEqual([true, false]);
      expect(await world.store.countedTo()).toBe(11);
      expect(await world.store.usageTotal({ ...owner, ...month })).toEqual({
        smsMessages: 3,
        smsSegments: 6,
        mmsMessages: 0,
      });
    });

    it('moves no mark when a count cannot be stored', async () => {
      const broken = row({ messages: null as never });
      await expect(world.store.addUsage({ from: 0, to: 10, rows: [row(), broken] })).rejects.toThrow();
      expect(await world.store.countedTo()).toBe(0);
      expect(await world.store.usageTotal({ ...owner, ...month })).toMatchObject({ smsMessages: 0 });
    });

    it('has each message once, wherever the counting process is killed', async () => {
      for (let n = 0; n < 3; n += 1) await world.sent([`a${n}`], { to: `1415555010${n}` });
      await world.store.healthy();
      let turn = 0;
      for (;;) {
        turn += 1;
        const from = await world.store.countedTo();
        const { taken, position } = await world.store.countsAfter({ after: from, limit: 1 });
        if (position === from) break;
        // Every second time the process is killed before the commit, every third time before it gets the result.
        if (turn % 2 === 0) {
          await world.restart();
          continue;
        }
        const rows = taken.map(({ messages, units }) => row({ messages, units }));
        expect(await world.store.addUsage({ from, to: position, rows })).toBe(true);
        if (turn % 3 === 0) {
          await world.restart();
          expect(await world.store.addUsage({ from, to: position, rows })).toBe(false);
        }
      }
      expect(turn).toBeGreaterThan(5);
      expect(await world.store.usageTotal({ ...owner, ...month })).toMatchObject({ smsMessages: 3, smsSegments: 3 });
    });

    it('is summed by each of its names', async () => {
      const rows = [
        row(),
        row({ units: 4, messages: 2, number: '15550002222', campaign: '', country: 'CA', key: 'key2', carrier: 'c2' }),
        row({ kind: 'MMS', day: '2027-01-16', messages: 7, units: 7 }),
        row({ accountId: 'acc2' }),
        row({ environment: 'sandbox' }),
        row({ day: '2027-02-01' }),
      ];
      await world.store.addUsage({ from: 0, to: 9, rows });
      const by = (groupBy: Parameters<World['store']['usage']>[0]['groupBy'], more = {}) =>
        world.store
          .usage({ ...owner, ...month, groupBy, after: null, limit: 10, ...more })
          .then((found) => found.map((one) => [one.name, one.smsMessages, one.smsSegments, one.mmsMessages]));
      expect(await by('day')).toEqual([
        ['2027-01-15', 3, 5, 0],
        ['2027-01-16', 0, 0, 7],
      ]);
      expect(await by('number')).toEqual([
        ['15550001111', 1, 1, 7],
        ['15550002222', 2, 4, 0],
      ]);
      expect(await by('campaign')).toEqual([
        ['', 2, 4, 0],
        ['C1', 1, 1, 7],
      ]);
      expect(await by('campaign', { after: '' })).toEqual([['C1', 1, 1, 7]]);
      expect(await by('kind')).toEqual([
        ['MMS', 0, 0, 7],
        ['SMS', 3, 5, 0],
      ]);
      expect((await by('country')).map(([name]) => name)).toEqual(['CA', 'US']);
      expect((await by('key', { limit: 1 })).map(([name]) => name)).toEqual(['key1']);
      expect((await by('carrier')).map(([name]) => name)).toEqual(['c1', 'c2']);
      expect(await by('day', { to: '2027-01-15', from: '2027-01-15' })).toEqual([['2027-01-15', 3, 5, 0]]);
      expect(await by('day', { accountId: 'acc3' })).toEqual([]);
      const only = (filter: object) => by('day', { filter });
      expect(await only({ kind: 'MMS' })).toEqual([['2027-01-16', 0, 0, 7]]);
      expect(await only({ key: 'key2', country: 'CA', number: '15550002222', campaign: '', carrier: 'c2' })).toEqual([
        ['2027-01-15', 2, 4, 0],
      ]);
      expect(await only({ key: 'key2', country: 'US' })).toEqual([]);
      const filter = { carrier: 'c1' };
      expect(await world.store.usageTotal({ ...owner, ...month, filter })).toMatchObject({ smsMessages: 1 });
    });

    it('has lines for a statement', async () => {
      const rows = [row(), row({ day: '2027-01-31', key: 'key2' }), row({ kind: 'MMS', carrier: 'c9' })];
      await world.store.addUsage({ from: 0, to: 9, rows });
      const line = { number: '15550001111', campaign: 'C1', country: 'US' };
      expect(await world.store.usageLines({ ...owner, ...month, limit: 10 })).toEqual([
        { ...line, kind: 'MMS', messages: 1, units: 1 },
        { ...line, kind: 'SMS', messages: 2, units: 2 },
      ]);
      expect(await world.store.usageLines({ ...owner, ...month, limit: 1 })).toHaveLength(1);
    });

    it('counts outcomes by day and number, over a bounded number of newest messages', async () => {
      const ids = createIds(world.clock, machineRandom);
      const day = 86_400_000;
      const accept = async (fields: ItemFields = {}) => {
        const item = world.item(fields);
        const message = { ...item.message, requestId: ids.request(), acceptedAt: world.clock.now() };
        const deliveries = item.deliveries.map((delivery) => ({ ...delivery, messageId: ids.message() }));
        await world.store.accept([{ ...item, message, deliveries }]);
      };
      const first = world.clock.now();
      await accept();
      await accept({ from: '15550002222' });
      world.clock.set(first + day);
      await accept();
      await accept({ accountId: 'acc2' });
      const ask = async (from: number, until: number, look = 10) =>
        (await world.store.outcomes({ accountId: 'acc1', from, until, look })).map(
          (one) => `${one.day} ${one.number} ${one.state} ${one.count}`,
        );
      const [one, two] = [dayOf(first), dayOf(first + day)];
      const own = '15550001111';
      expect(await ask(first, first + 2 * day)).toEqual([
        `${one} ${own} queued 1`,
        `${one} 15550002222 queued 1`,
        `${two} ${own} queued 1`,
      ]);
      const common = { key: 'key1', kind: 'SMS', carrier: '', toPrefix: '1415' };
      const [newest] = await world.store.outcomes({
        accountId: 'acc1',
        from: first + 1,
        until: first + 2 * day,
        look: 1,
      });
      expect(newest).toEqual({ ...common, day: two, number: own, state: 'queued', count: 1 });
      expect(await ask(first + 1, first + 2 * day)).toEqual([`${two} ${own} queued 1`]);
      expect(await ask(first, first + day)).toHaveLength(2);
      expect(await ask(first, first + 2 * day, 1)).toEqual([`${two} ${own} queued 1`]);
    });
  });
}
