/** Contract: message searches: results, visibility, order, and that every search ends. */
import { describe, expect, it } from 'vitest';
import { createIds, type Ids, idTime } from '../../kernel/ids.ts';
import { machineRandom } from '../../kernel/machine.ts';
import type { MessageCountsQuery, MessageSearch } from '../../messaging/store/message-log-items.ts';
import { emptyFilter, type MessageFilter } from '../../model/message-search.ts';
import { portalKeyId, portalKeyMark } from '../../model/people.ts';
import { type ItemFields, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const own = '15550001111';
const handset = '14155550100';

export function messageLogContract(factory: StoreFactory): void {
  describe('the message log', () => {
    const world = useWorld(factory);
    searching(world);
    paging(world);
    counting(world);
    figures(world);
    requests(world);
    listing(world);
  });
}

/** Accepts messages whose ids contain the time of their acceptance. */
async function accept(world: World, ids: Ids, fields: ItemFields & { reference?: string; keyId?: string } = {}) {
  const item = world.item(fields);
  const message = {
    ...item.message,
    requestId: ids.request(),
    referenceId: fields.reference ?? 'r',
    keyId: fields.keyId ?? 'key1',
  };
  const deliveries = item.deliveries.map((delivery) => ({ ...delivery, messageId: ids.message() }));
  await world.store.accept([{ ...item, message, deliveries }]);
  return { requestId: message.requestId, messageIds: deliveries.map(({ messageId }) => messageId) };
}

function search(world: World, filter: Partial<MessageFilter> = {}, more: Partial<MessageSearch> = {}) {
  return world.store.searchMessages({
    accountId: 'acc1',
    ownNumbers: [own],
    before: null,
    after: null,
    limit: 50,
    filter: { ...emptyFilter(), ...filter },
    ...more,
  });
}

async function found(world: World, filter: Partial<MessageFilter>, more: Partial<MessageSearch> = {}) {
  const page = await search(world, filter, more);
  expect({ next: page.next, searchedTo: page.searchedTo }).toEqual({ next: null, searchedTo: null });
  return page.messages.map(({ messageId }) => messageId);
}

function searching(world: World): void {
  const idsOf = () => createIds(world.clock, machineRandom);

  it('finds by the carrier that got the message, by its whole id', async () => {
    const ids = idsOf();
    const [first] = (await accept(world, ids, { to: handset, lane: 'c_1' })).messageIds;
    await accept(world, ids, { to: handset, lane: 'cx1' });
    expect(await found(world, { carriers: ['c_1'] })).toEqual([]);
    for (const lane of ['c_1', 'cx1'])
      await world.store.claim({ lane, limit: 9, now: start, token: world.store.token });
    expect(await found(world, { carriers: ['c_1'] })).toEqual([first]);
    expect(await found(world, { carriers: ['cx1'] })).toHaveLength(1);
    expect(await found(world, { carriers: ['c_1', 'cx1'] })).toHaveLength(2);
    expect(await found(world, { carriers: ['c'] })).toEqual([]);
  });

  it('finds what any person sent from the portal by the mark of their keys, and one person’s by the whole', async () => {
    const ids = idsOf();
    const [one] = (await accept(world, ids, { keyId: portalKeyId('usr_1') })).messageIds;
    const [two] = (await accept(world, ids, { keyId: portalKeyId('usr_2') })).messageIds;
    const [api] = (await accept(world, ids, { keyId: 'portal' })).messageIds;
    await accept(world, ids, { accountId: 'acc2', keyId: portalKeyId('usr_3') });
    expect(await found(world, { keys: [portalKeyMark] })).toEqual([two, one]);
    expect(await found(world, { keys: [portalKeyMark, 'portal'] })).toEqual([api, two, one]);
    expect(await found(world, { keys: [portalKeyId('usr_1')] })).toEqual([one]);
  });

  it('finds by each filter, newest first, for one account only', async () => {
    const ids = idsOf();
    const a = await accept(world, ids, { to: handset, text: 'Your CODE is 100% _safe_', reference: 'order-7' });
    world.clock.set(start + 10 * minute);
    const b = await accept(world, ids, { to: '14155550101', from: '15550002222', keyId: 'key2' });
    await accept(world, ids, { accountId: 'acc2', to: handset, reference: 'order-7' });
    const [first] = a.messageIds;
    const [second] = b.messageIds;
    expect(await found(world, {})).toEqual([second, first]);
    for (const filter of [
      { to: [handset] },
      { numbers: [handset] },
      { from: [own] },
      { numbers: [own] },
      { reference: 'order-7' },
      { text: 'code' },
      { text: '100% _' },
      { keys: ['key1'] },
      { before: start + minute },
      { messageIds: [first!] },
      { requestId: a.requestId },
      { to: [handset], from: [own], text: 'safe' },
    ]) {
      expect(await found(world, filter), JSON.stringify(filter)).toEqual([first]);
    }
    expect(await found(world, {}, { only: [] })).toEqual([]);
    for (const more of [{ only: [own] }, { without: ['15550002222'] }]) {
      expect(await found(world, {}, more), JSON.stringify(more)).toEqual([first]);
    }
    for (const filter of [{ after: start + minute }, { from: ['15550002222'] }, { to: ['14155550101'] }]) {
      expect(await found(world, filter), JSON.stringify(filter)).toEqual([second]);
    }
    for (const filter of [
      { text: '100_' },
      { text: 'c%e' },
      { states: ['held' as const] },
      { states: ['delivered' as const] },
      { type: 'MMS' as const },
      { direction: 'inbound' as const },
      { codes: ['OPTED_OUT' as const] },
      { to: ['14155550199'] },
      { to: [handset], text: 'nothing like it' },
      { requestId: 'req_01KQ0000000000000000000000' },
      { messageIds: ['msg_01KQ0000000000000000000000'] },
    ]) {
      expect(await found(world, filter), JSON.stringify(filter)).toEqual([]);
    }
    expect(await found(world, { messageIds: [first!] }, { accountId: 'acc2' })).toEqual([]);
    expect(await found(world, { requestId: a.requestId }, { accountId: 'acc2' })).toEqual([]);
  });

  it('finds all recipients of a request', async () => {
    const ids = idsOf();
    await accept(world, ids);
    const { requestId, messageIds } = await accept(world, ids, { recipients: ['14155550102', '14155550103'] });
    await accept(world, ids);
    expect(await found(world, { requestId })).toEqual(messageIds.toReversed());
  });

  it('finds all messages with a reference, which several requests may have', async () => {
    const ids = idsOf();
    const a = await accept(world, ids, { reference: 'twice', recipients: ['14155550102', '14155550103'] });
    await accept(world, ids, { reference: 'other' });
    await accept(world, ids, { reference: 'twice', accountId: 'acc2' });
    world.clock.set(start + 60 * minute);
    const b = await accept(world, ids, { reference: 'twice', to: handset });
    const all = [...a.messageIds, ...b.messageIds].toReversed();
    expect(await found(world, { reference: 'twice' })).toEqual(all);
    expect(await found(world, { reference: 'twice', states: ['queued'] })).toEqual(all);
    expect(await found(world, { reference: 'twice', to: [handset] })).toEqual(b.messageIds);
    expect(await found(world, { reference: 'twice', before: start + minute })).toEqual(a.messageIds.toReversed());
    expect(await found(world, { reference: 'never' })).toEqual([]);
  });

  it('finds both directions of a conversation, and replies alone', async () => {
    const ids = idsOf();
    const { messageIds } = await accept(world, ids, { to: handset });
    world.clock.set(start + minute);
    const reply = { ...world.inboundItem({ from: handset, to: own }), messageId: ids.message() };
    await world.store.inbound([reply]);
    expect(await found(world, { numbers: [handset] })).toEqual([reply.messageId, messageIds[0]]);
    expect(await found(world, { from: [handset] })).toEqual([reply.messageId]);
    expect(await found(world, { numbers: [handset], direction: 'outbound' })).toEqual(messageIds);
    expect(await found(world, { states: ['received'] })).toEqual([reply.messageId]);
  });

  it('finds messages that wait for a person', async () => {
    const messageId = await world.uncertain();
    expect(await found(world, { states: ['uncertain'] })).toEqual([messageId]);
    expect(await found(world, { states: ['uncertain'] }, { accountId: 'acc2' })).toEqual([]);
    expect(await found(world, { states: ['uncertain', 'queued'], text: 'no such' })).toEqual([]);
    expect(await world.store.stuckMessages({ accountId: 'acc1', look: 10 })).toEqual({ held: 0, uncertain: 1 });
    expect(await world.store.stuckMessages({ accountId: 'acc2', look: 10 })).toEqual({ held: 0, uncertain: 0 });
  });
}

function paging(world: World): void {
  it.each([
    ['all', {}],
    ['a conversation', { numbers: [handset] }],
    ['a request', null],
    ['a reference', { reference: 'r' }],
  ])('pages through %s: each once, none left out', async (_, filter) => {
    const ids = createIds(world.clock, machineRandom);
    const recipients = Array.from({ length: 25 }, () => handset);
    const { requestId, messageIds } = await accept(world, ids, { recipients });
    const pages: string[] = [];
    let before: string | null = null;
    for (let i = 0; i < 10; i++) {
      const page = await search(world, filter ?? { requestId }, { limit: 10, before });
      pages.push(...page.messages.map(({ messageId }) => messageId));
      before = page.next;
      if (before === null) break;
    }
    expect(pages).toEqual(messageIds.toReversed());
  });

  it('finds only newer messages', async () => {
    const ids = createIds(world.clock, machineRandom);
    const { messageIds } = await accept(world, ids, { recipients: ['14155550102', '14155550103'] });
    expect(await found(world, {}, { after: messageIds[0]! })).toEqual([messageIds[1]]);
    expect(await found(world, { numbers: ['14155550102'] }, { after: messageIds[0]! })).toEqual([]);
  });

  it('searches a bounded range for rare messages, says how far, and continues from there', async () => {
    const ids = createIds(world.clock, machineRandom);
    const { messageIds } = await accept(world, ids, { reference: 'rare', keyId: 'rare' });
    for (let i = 0; i < 21; i++) {
      world.clock.set(start + (i + 1) * 1_000);
      await accept(world, ids, { recipients: Array.from({ length: 1_000 }, (_, n) => String(14_155_560_000 + n)) });
    }
    const first = await search(world, { keys: ['rare'] });
    expect(first.messages).toEqual([]);
    expect(first.searchedTo).toBe(idTime(first.next!));
    const second = await search(world, { keys: ['rare'] }, { before: first.next });
    expect(second).toMatchObject({ next: null, searchedTo: null });
    expect(second.messages.map(({ messageId }) => messageId)).toEqual(messageIds);
    // The index of references and the table of conversations find it without scanning.
    expect(await found(world, { reference: 'rare' })).toEqual(messageIds);
    expect(await found(world, { to: [handset] })).toEqual(messageIds);
  });
}

function counting(world: World): void {
  const count = (filter: Partial<MessageFilter>, more: Partial<MessageCountsQuery> = {}) =>
    world.store.countMessages({
      accountId: 'acc1',
      ownNumbers: [own],
      filter: { ...emptyFilter(), ...filter },
      look: 100,
      ...more,
    });
  const sum = ({ counts }: { counts: readonly { count: number }[] }) => counts.reduce((all, one) => all + one.count, 0);

  it('counts exactly the messages that a search finds, at the time of their acceptance', async () => {
    const ids = createIds(world.clock, machineRandom);
    const first = await accept(world, ids, { to: handset, text: 'Your CODE', reference: 'order-7' });
    await accept(world, ids, { accountId: 'acc2', to: handset, reference: 'order-7' });
    world.clock.set(start + 10 * minute);
    await accept(world, ids, { recipients: ['14155550102', '14155550103'], keyId: 'key2' });
    const reply = { ...world.inboundItem({ from: handset, to: own }), messageId: ids.message() };
    await world.store.inbound([reply]);
    const { counts, countedTo } = await count({});
    expect(countedTo).toBeNull();
    const byState = Map.groupBy(counts, ({ state }) => state);
    expect(sum({ counts: byState.get('queued')! })).toBe(3);
    expect(sum({ counts: byState.get('received')! })).toBe(1);
    const times = new Set(counts.map(({ at }) => Math.round((at - start) / minute)));
    expect(times).toEqual(new Set([0, 10]));
    for (const filter of [
      { text: 'code' },
      { reference: 'order-7' },
      { numbers: [handset] },
      { to: [handset] },
      { keys: ['key2'] },
      { states: ['queued' as const] },
      { states: ['received' as const] },
      { direction: 'inbound' as const },
      { after: start + minute },
      { before: start + minute },
      { requestId: first.requestId },
      { messageIds: first.messageIds },
      { text: 'no such words' },
      { refused: true },
    ]) {
      const { messages } = await search(world, filter);
      expect({ filter, found: sum(await count(filter)) }).toEqual({ filter, found: messages.length });
    }
    expect(sum(await count({}, { without: [own] }))).toBe(0);
    expect(sum(await count({}, { only: [own] }))).toBe(4);
  });

  it('looks at a bounded number of messages, and says how far back it counted', async () => {
    const ids = createIds(world.clock, machineRandom);
    await accept(world, ids, { recipients: Array.from({ length: 30 }, () => handset) });
    world.clock.set(start + minute);
    await accept(world, ids, { recipients: Array.from({ length: 30 }, () => '14155550102') });
    const some = await count({}, { look: 30 });
    expect(sum(some)).toBe(30);
    expect(some.countedTo).toBe(start + minute);
    const more = await count({}, { look: 40 });
    expect(sum(more)).toBe(40);
    expect(more.countedTo).toBe(start);
    expect(await count({}, { look: 61 })).toMatchObject({ countedTo: null });
    expect(await count({ keys: ['none'] }, { look: 30 })).toEqual({ counts: [], countedTo: start + minute });
  });

  it('counts two thousand messages of a conversation, and says how far', async () => {
    const ids = createIds(world.clock, machineRandom);
    for (let i = 0; i < 21; i++) {
      world.clock.set(start + i * minute);
      await accept(world, ids, { recipients: Array.from({ length: 100 }, () => handset) });
    }
    const { countedTo, ...counted } = await count({ to: [handset] });
    expect(sum(counted)).toBe(2_000);
    expect(countedTo).toBe(start + minute);
  });
}

function figures(world: World): void {
  it('counts what is stuck of some numbers only, or of all others', async () => {
    await world.uncertain();
    const stuck = { accountId: 'acc1', look: 10 };
    expect(await world.store.stuckMessages({ ...stuck, only: [own] })).toEqual({ held: 0, uncertain: 1 });
    expect(await world.store.stuckMessages({ ...stuck, without: [own] })).toEqual({ held: 0, uncertain: 0 });
  });

  it('measures the time to a carrier’s receipts, over the account’s newest messages', async () => {
    const query = { accountId: 'acc1', carrier: 'c1', look: 10 };
    expect(await world.store.receiptTimes(query)).toEqual({ tookMs: [], lastAt: null });
    const claim = await world.claimed();
    await world.settle(claim, { to: 'sent', carrier: 'c1', parts: [{ part: 1, carrierMessageId: 'id-1' }] });
    expect((await world.store.receiptTimes(query)).tookMs).toEqual([]);
    const receivedAt = world.clock.now() + 3_000;
    await world.store.receipts([
      {
        carrier: 'c1',
        carrierMessageId: 'id-1',
        idKeys: ['id-1'],
        to: claim.to,
        state: 'delivered',
        code: null,
        carrierCode: 'DELIVRD',
        raw: 'id:id-1',
        receivedAt,
      },
    ]);
    expect(await world.store.receiptTimes(query)).toEqual({ tookMs: [3_000], lastAt: receivedAt });
    for (const other of [{ accountId: 'acc2' }, { carrier: 'c2' }, { look: 0 }]) {
      expect(await world.store.receiptTimes({ ...query, ...other })).toEqual({ tookMs: [], lastAt: null });
    }
  });

  it('lists the webhooks of a message', async () => {
    const claim = await world.claimed();
    await world.settle(claim);
    const { events, position: to } = await world.store.eventsAfter({ after: 0, limit: 100 });
    const deliveries = events.map(({ position, accountId, eventId, type, at }) => {
      return { endpointId: 'ep_1', position, accountId, eventId, type, at };
    });
    await world.store.fanOut({ from: 0, to, deliveries });
    const query = { accountId: 'acc1', messageId: claim.messageId, endpointIds: ['ep_1', 'ep_2'] };
    const webhooks = await world.store.webhooksOf(query);
    expect(webhooks.map(({ endpointId, type, state }) => [endpointId, type, state])).toEqual([
      ['ep_1', 'message.sent', 'waiting'],
    ]);
    expect(await world.store.webhooksOf({ ...query, accountId: 'acc2' })).toEqual([]);
    expect(await world.store.webhooksOf({ ...query, endpointIds: [] })).toEqual([]);
  });
}

function requests(world: World): void {
  it('returns a request’s answer while its key is kept, and the validity of its messages', async () => {
    const keptMs = 72 * 60 * minute;
    const item = world.item({
      key: { key: 'k1', bodyHash: 'h', answer: '{"first":1}' },
      expiresAt: start + 30 * minute,
    });
    await world.store.accept([item, world.item({ key: { key: 'k2', bodyHash: 'h', answer: '{"other":1}' } })]);
    const messageId = item.deliveries[0]!.messageId;
    const query = { accountId: 'acc1', messageId, keptMs };
    expect(await world.store.sentWith(query)).toEqual({
      validForMs: 30 * minute,
      answer: '{"first":1}',
      answerKeptUntil: start + keptMs,
    });
    expect(await world.store.sentWith({ ...query, accountId: 'acc2' })).toBeNull();
    expect(await world.store.sentWith({ ...query, messageId: 'msg_none' })).toBeNull();
    expect(await world.store.sentWith({ ...query, keptMs: 1 })).toMatchObject({ answer: null, answerKeptUntil: null });
  });
}

function listing(world: World): void {
  const other = '15550002222';
  const all = { accountId: 'acc1', direction: null, before: null, after: null };
  const idsOf = async (query: Partial<Parameters<World['store']['messages']>[0]>) => {
    const found = await world.store.messages({ ...all, from: null, to: null, limit: 50, ...query });
    return found.map(({ messageId }) => messageId);
  };

  it('lists the messages of some own numbers, in both directions and both orders', async () => {
    const ids = createIds(world.clock, machineRandom);
    const made: string[] = [];
    for (const [n, mine] of [own, other, own, other].entries()) {
      world.clock.set(start + n * minute);
      made.push(...(await accept(world, ids, { from: mine, to: handset })).messageIds);
      const reply = { ...world.inboundItem({ from: handset, to: mine }), messageId: ids.message() };
      await world.store.inbound([reply]);
      made.push(reply.messageId);
    }
    const mine = [made[0]!, made[1]!, made[4]!, made[5]!];
    for (const side of [{ only: [own] }, { without: [other] }]) {
      expect(await idsOf(side)).toEqual(mine.toReversed());
      expect(await idsOf({ ...side, after: made[0]! })).toEqual(mine.slice(1));
      expect(await idsOf({ ...side, direction: 'inbound' })).toEqual([made[5], made[1]]);
      expect(await idsOf({ ...side, before: made[5]!, limit: 2 })).toEqual([made[4], made[1]]);
    }
    expect(await idsOf({ only: [] })).toEqual([]);
    expect(await idsOf({ end: made[6]! })).toEqual([made[7], made[6]]);
    expect(await idsOf({ after: made[0]!, end: made[2]! })).toEqual([made[1], made[2]]);
  });

  it('says how far a number of messages reaches, in both orders', async () => {
    const ids = createIds(world.clock, machineRandom);
    const made: string[] = [];
    for (let n = 0; n < 6; n++) {
      world.clock.set(start + n * minute);
      made.push(...(await accept(world, ids, { to: handset })).messageIds);
    }
    await accept(world, ids, { to: handset, accountId: 'acc2' });
    const reach = world.store.messagesReach;
    expect(await reach({ ...all, look: 2 })).toBe(made[4]);
    expect(await reach({ ...all, before: made[4]!, look: 2 })).toBe(made[2]);
    expect(await reach({ ...all, after: made[1]!, look: 2 })).toBe(made[3]);
    expect(await reach({ ...all, after: made[1]!, direction: 'inbound', look: 2 })).toBeNull();
    expect(await reach({ ...all, after: made[1]!, look: 5 })).toBeNull();
    expect(await reach({ ...all, look: 7 })).toBeNull();
    expect(await reach({ ...all, look: 6 })).toBe(made[0]);
  });
}
