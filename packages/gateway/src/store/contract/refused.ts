/** The contract of recipients that were refused while others of their request were accepted. */
import { describe, expect, it } from 'vitest';
import type { AcceptItem } from '../store.ts';
import { type ItemFields, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const peer = '14155550100';
const written = '+1 (415) 555-0100';

const refused = [
  { place: 0, to: written, status: 'INVALID_NUMBER', detail: 'Use digits only.' },
  { place: 2, to: '14155550109', status: 'OPTED_OUT', detail: 'This person opted out.' },
];

function item(world: World, fields: ItemFields = {}): AcceptItem {
  return { ...world.item(fields), refused };
}

const kept = (world: World, { message }: AcceptItem, accountId = 'acc1') =>
  world.store.refusedRecipients({ accountId, requestId: message.requestId, limit: 10 });

export function refusedContract(factory: StoreFactory): void {
  describe('refused recipients', () => {
    const world = useWorld(factory);

    it('stand at their request, in order, for its account alone', async () => {
      const [one, other] = [item(world), world.item()];
      await world.store.accept([one, other]);
      expect(await kept(world, one)).toEqual(refused);
      expect(await kept(world, other)).toEqual([]);
      expect(await kept(world, one, 'acc2')).toEqual([]);
    });

    it('are counted by request, for their account alone', async () => {
      const few = { ...world.item(), refused: refused.slice(0, 1) };
      const [one, none] = [item(world), world.item()];
      const elsewhere = { ...item(world), message: { ...world.item().message, accountId: 'acc2' } };
      await world.store.accept([one, few, none, elsewhere]);
      const idOf = (accepted: AcceptItem) => accepted.message.requestId;
      const requestIds = [...[few, one, none, elsewhere, one].map(idOf), 'req_unknown'];
      const counted = async (accountId: string) =>
        new Map((await world.store.refusedCounts({ accountId, requestIds })).map((one) => [one.requestId, one.count]));
      expect(await counted('acc1')).toEqual(new Map([[idOf(few), 1] as const, [idOf(one), 2] as const]));
      expect(await counted('acc2')).toEqual(new Map([[idOf(elsewhere), 2]]));
      expect(await world.store.refusedCounts({ accountId: 'acc1', requestIds: [] })).toEqual([]);
    });

    it('are kept as far as they fit, whatever they are', async () => {
      const long = `\0${'9'.repeat(62)}\u{1f600}`;
      const one = { ...item(world), refused: [{ ...refused[0]!, to: long, detail: 'x'.repeat(1_000) }] };
      await world.store.accept([one]);
      expect(await kept(world, one)).toEqual([
        { ...refused[0]!, to: `\uFFFD${'9'.repeat(62)}\uFFFD`, detail: 'x'.repeat(300) },
      ]);
    });

    it('are not kept of a request that is known, or of which nothing was accepted', async () => {
      const key = { key: 'k1', bodyHash: 'h' };
      const first = item(world, { key });
      await world.store.accept([first]);
      const again = item(world, { key });
      const nothing = { ...item(world, { key: { ...key, key: 'k2' } }), deliveries: [] };
      await world.store.accept([again, nothing]);
      expect(await kept(world, first)).toHaveLength(2);
      expect(await kept(world, again)).toEqual([]);
      expect(await kept(world, nothing)).toEqual([]);
    });

    it('go with their message, and stay while it does', async () => {
      const one = item(world);
      await world.store.accept([one]);
      const [claim] = await world.claim();
      await world.settle(claim!);
      const asked = { accountId: 'acc1', bodiesBefore: 0, endpointIds: [], limit: 100, cursor: 'messages outbound|' };
      const round = () =>
        world.store.forgetMessages({ ...asked, messagesBefore: start + minute, now: world.clock.now() });
      await round();
      expect(await kept(world, one)).toHaveLength(2);
      await world.receipts({ carrierMessageId: `id-${claim!.messageId}`, to: peer });
      await round();
      expect(await world.view(claim!.messageId)).toBeNull();
      expect(await kept(world, one)).toEqual([]);
    });

    it('are forgotten with their number, however it was written', async () => {
      const one = item(world, { to: '14155550177' });
      await world.store.accept([one]);
      const erasure = { erasureId: 'era_1', accountId: 'acc1', peer, requestedAt: start, requestedBy: 'x' };
      await world.store.addErasure(erasure);
      const asked = { erasureId: 'era_1', endpointIds: [], limit: 100, settledBefore: start + minute, now: start };
      for (let more = true, steps = 0; more && steps < 9; steps++) more = await world.store.erase(asked);
      expect(await kept(world, one)).toEqual([refused[1]]);
    });
  });
}
