/** Contract: refused recipients of requests whose other recipients were accepted. */
import { describe, expect, it } from 'vitest';
import type { AcceptItem, SmsItem } from '../../messaging/store/items.ts';
import type { RefusedPage, RefusedPlace, RefusedSearch } from '../../messaging/store/message-log-items.ts';
import { emptyFilter, type MessageFilter } from '../../model/message-search.ts';
import { portalKeyId, portalKeyMark } from '../../model/people.ts';
import { type ItemFields, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const peer = '14155550100';
const written = '+1 (415) 555-0100';

const refused = [
  { place: 0, to: written, status: 'INVALID_NUMBER' as const, detail: 'Use digits only.' },
  { place: 2, to: '14155550109', status: 'OPTED_OUT' as const, detail: 'This person opted out.' },
];

function item(world: World, fields: ItemFields = {}): SmsItem {
  return { ...world.item(fields), refused };
}

const kept = (world: World, { message }: AcceptItem, accountId = 'acc1') =>
  world.store.refusedRecipients({ accountId, requestId: message.requestId, limit: 10 });

const searched = (world: World, filter: Partial<MessageFilter>, more: Partial<RefusedSearch> = {}) =>
  world.store.searchRefused({
    accountId: 'acc1',
    filter: { ...emptyFilter(), ...filter },
    ownNumbers: [],
    before: null,
    limit: 100,
    ...more,
  });

export function refusedContract(factory: StoreFactory): void {
  describe('refused recipients', () => {
    const world = useWorld(factory);

    it('are listed with their request, in order, for its account alone', async () => {
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

    it('are stored up to the length limit, whatever they contain', async () => {
      const long = `\0${'9'.repeat(62)}\u{1f600}`;
      const one = { ...item(world), refused: [{ ...refused[0]!, to: long, detail: 'x'.repeat(1_000) }] };
      await world.store.accept([one]);
      expect(await kept(world, one)).toEqual([
        { ...refused[0]!, to: `\uFFFD${'9'.repeat(62)}\uFFFD`, detail: 'x'.repeat(300) },
      ]);
    });

    it('are not stored for a repeated request, or one without an accepted recipient', async () => {
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

    it('are deleted with their message, and stay while it does', async () => {
      const one = item(world);
      await world.store.accept([one]);
      const [claim] = await world.claim();
      await world.settle(claim!);
      const request = { accountId: 'acc1', bodiesBefore: 0, endpointIds: [], limit: 100, cursor: 'messages outbound|' };
      const round = () =>
        world.store.forgetMessages({ ...request, messagesBefore: start + minute, now: world.clock.now() });
      await round();
      expect(await kept(world, one)).toHaveLength(2);
      await world.receipts({ carrierMessageId: `id-${claim!.messageId}`, to: peer });
      await round();
      expect(await world.view(claim!.messageId)).toBeNull();
      expect(await kept(world, one)).toEqual([]);
    });

    it('are found by number in either spelling, reason, time, sender and text, for their account alone', async () => {
      const [one, other] = [item(world), item(world, { from: '12025550198', text: 'Sale today' })];
      const elsewhere = { ...item(world), message: { ...world.item().message, accountId: 'acc2' } };
      const bare = { ...world.item(), refused: [{ ...refused[0]!, to: '4155550100' }] };
      await world.store.accept([one, other, elsewhere, bare]);
      const [first, second, third] = [one, other, bare].map(({ message }) => message.requestId);
      const found = async (filter: Partial<MessageFilter>, more: Partial<RefusedSearch> = {}) =>
        (await searched(world, filter, more)).recipients.map(({ requestId, place }) => [requestId, place]);
      const all = [...[[third, 0]], ...[second, first].flatMap((id) => [2, 0].map((place) => [id, place]))];
      expect(await found({ refused: true })).toEqual(all);
      expect(await found({})).toEqual(all);
      expect(await found({ to: [peer] })).toEqual([third, second, first].map((id) => [id, 0]));
      expect(await found({ numbers: [peer] })).toEqual([third, second, first].map((id) => [id, 0]));
      expect(await found({ to: ['14155550109'], codes: ['INVALID_NUMBER'] })).toEqual([]);
      expect(await found({ codes: ['OPTED_OUT'], from: ['12025550198'] })).toEqual([[second, 2]]);
      expect(await found({ numbers: ['12025550198'] }, { ownNumbers: ['12025550198'] })).toEqual([
        [second, 2],
        [second, 0],
      ]);
      expect(await found({ text: 'SALE', to: [peer] })).toEqual([[second, 0]]);
      expect(await found({ requestId: first! })).toEqual([
        [first, 2],
        [first, 0],
      ]);
      expect(await found({ before: start })).toEqual([]);
      expect(await found({ after: start + 1 })).toEqual([]);
      expect(await found({}, { only: ['12025550198'], limit: 1 })).toEqual([[second, 2]]);
      expect(await found({ to: [peer] }, { without: ['12025550198'] })).toEqual([third, first].map((id) => [id, 0]));
      for (const filter of [{ states: ['failed' as const] }, { direction: 'inbound' as const }]) {
        expect(await found(filter)).toEqual([]);
      }
      const [listed] = (await searched(world, { to: ['14155550109'] })).recipients;
      const { message } = other;
      expect(listed).toEqual({
        ...refused[1]!,
        requestId: message.requestId,
        keyId: message.keyId,
        referenceId: message.referenceId,
        from: message.from,
        acceptedAt: message.acceptedAt,
      });
    });

    it('are found by the key pair, and all of the portal by the mark of its keys', async () => {
      const [api, portal] = [item(world), item(world)];
      await world.store.accept([api, { ...portal, message: { ...portal.message, keyId: portalKeyId('usr_1') } }]);
      const found = async (...keys: string[]) =>
        (await searched(world, { keys })).recipients.map(({ requestId }) => requestId);
      const ofPortal = Array(2).fill(portal.message.requestId);
      expect(await found(portalKeyMark)).toEqual(ofPortal);
      expect(await found(portalKeyId('usr_1'))).toEqual(ofPortal);
      expect(await found(api.message.keyId)).toEqual(Array(2).fill(api.message.requestId));
    });

    it('are no messages: a search for them alone finds none, so that a bulk action changes none', async () => {
      await world.store.accept([item(world)]);
      const search = (filter: Partial<MessageFilter>) =>
        world.store.searchMessages({
          accountId: 'acc1',
          filter: { ...emptyFilter(), ...filter },
          ownNumbers: [],
          before: null,
          after: null,
          limit: 10,
        });
      expect(await search({ refused: true })).toEqual({ messages: [], next: null, searchedTo: null });
      expect((await search({ refused: true, states: ['queued'] })).messages).toHaveLength(1);
    });

    it.each([{}, { to: [peer, '14155550109'] }])('are paged, each once, a few rows at a time: %j', async (filter) => {
      const items = Array.from({ length: 250 }, () => item(world));
      await world.store.accept(items);
      const seen: string[] = [];
      let before: RefusedPlace | null = null;
      do {
        const page: RefusedPage = await searched(world, filter, { before, limit: 150 });
        seen.push(...page.recipients.map(({ requestId, place }) => `${requestId} ${place}`));
        before = page.next;
      } while (before !== null);
      const all = items.flatMap(({ message }) => [0, 2].map((place) => `${message.requestId} ${place}`));
      expect(seen).toEqual(all.sort().toReversed());
    });

    it('says how far it searched when nothing matches', async () => {
      await world.store.accept(Array.from({ length: 700 }, () => item(world)));
      const first = await searched(world, { codes: ['BLOCKED_BY_FRAUD_GUARD'] });
      expect(first).toMatchObject({ recipients: [], next: { requestId: expect.stringMatching(/^req_/) } });
      expect(first.searchedTo).not.toBeNull();
      const rest = await searched(world, { codes: ['BLOCKED_BY_FRAUD_GUARD'] }, { before: first.next });
      expect(rest).toEqual({ recipients: [], next: null, searchedTo: null });
    });

    it('are erased with their number, however it was written', async () => {
      const one = item(world, { to: '14155550177' });
      await world.store.accept([one]);
      const erasure = { erasureId: 'era_1', accountId: 'acc1', peer, requestedAt: start, requestedBy: 'x' };
      await world.store.addErasure(erasure);
      const step = { erasureId: 'era_1', endpointIds: [], limit: 100, settledBefore: start + minute, now: start };
      for (let more = true, steps = 0; more && steps < 9; steps++) more = await world.store.erase(step);
      expect(await kept(world, one)).toEqual([refused[1]]);
    });
  });
}
