/**
 * What a node does before it dies, as data of an earlier version: every kind of thing that a store acknowledges. The
 * last steps stay in the journal of a SQLite store, because no look-up follows them.
 */
import type { Store } from '../../packages/gateway/src/app/store.ts';
import type { ConsentChange } from '../../packages/gateway/src/messaging/store/items.ts';

/** The fixtures of the version that makes the data: today's fixtures would write fields unknown to it. */
export interface Fixtures {
  contract: typeof import('../../packages/gateway/src/store/contract/fixture.ts');
  media: typeof import('../../packages/gateway/src/store/contract/media-fixture.ts');
}

/** The store's acknowledgements, by outcome. */
export interface Acknowledged {
  /** Message ids by the state at the end of the story. */
  states: Record<string, string[]>;
  /** The messages of `states` that a SQLite store has only in its journal. */
  journaled: string[];
  /** From an idempotency row. */
  keyed: { key: string; answer: string; requestId: string };
  /** Requests whose media are not fetched yet, and requests whose media are ready. */
  waitingMedia: string[];
  preparedMedia: string[];
  replies: string[];
  optOuts: { scope: string; contact: string }[];
  /** Parts sent according to the journal, whose receipts are still to come. */
  partsInJournal: { carrierMessageId: string; to: string }[];
}

const acknowledged = (): Acknowledged => ({
  states: {},
  journaled: [],
  keyed: { key: 'order-1', answer: '{"success":true}', requestId: '' },
  waitingMedia: [],
  preparedMedia: [],
  replies: [],
  optOuts: [],
  partsInJournal: [],
});

/** The texts in the journal are in lane c1; the messages waiting in the database are in c2. */
export async function play(store: Store, { contract, media }: Fixtures): Promise<Acknowledged> {
  const { acceptItem, settlement, start, hour } = contract;
  const acked = acknowledged();
  const are = (state: string, ...ids: string[]) => {
    acked.states[state] = [...(acked.states[state] ?? []), ...ids];
  };
  const claim = (lane: string, limit: number, now: number) => store.claim({ lane, limit, now, token: store.token });

  await receiveAndMatch(store, { contract, media }, acked);

  const keyed = acceptItem(start, { lane: 'c2', key: { key: acked.keyed.key, bodyHash: 'hash-1' } });
  acked.keyed.requestId = keyed.message.requestId;
  const waiting = media.mmsItem(start, { lane: 'c2' });
  const prepared = media.mmsItem(start, { lane: 'c2', recipients: ['14155550111', '14155550112'] });
  await store.accept([keyed, waiting, prepared]);
  await store.prepareMedia([media.queuedMedia(prepared, start)]);
  for (const { deliveries } of [keyed, waiting, prepared]) are('queued', ...deliveries.map((row) => row.messageId));
  acked.waitingMedia.push(waiting.message.requestId);
  acked.preparedMedia.push(prepared.message.requestId);

  // No look-up follows, so these texts stay in the journal.
  const texts = [
    { text: 'Grüße 😀 "quoted" \\ {x}' },
    { recipients: ['14155550101', '14155550102', '14155550103'], segments: 2 },
    { from: '15550002222' },
    { expiresAt: start + hour },
  ];
  for (const [nth, fields] of texts.entries()) {
    const item = acceptItem(start + nth, fields);
    await store.accept([item]);
    acked.journaled.push(...item.deliveries.map(({ messageId }) => messageId));
  }
  const claims = await claim('c1', 4, start + 10);
  const atOnce = acceptItem(start + 11, {});
  atOnce.deliveries[0]!.sending = true;
  await store.accept([atOnce]);
  const sent = claims.slice(0, 2);
  for (const one of sent) {
    const parts = Array.from({ length: one.messageType === 'SMS' ? one.segments : 1 }, (_, index) => ({
      part: index + 1,
      carrierMessageId: `journal-${index + 1}-${one.messageId}`,
    }));
    acked.partsInJournal.push(...parts.map(({ carrierMessageId }) => ({ carrierMessageId, to: one.to })));
    await store.settle([settlement(one, start + 20, { parts })]);
  }
  const begun = new Set(claims.map(({ messageId }) => messageId));
  are('queued', ...acked.journaled.filter((id) => !begun.has(id)));
  are('sent', ...sent.map(({ messageId }) => messageId));
  are('sending', ...claims.slice(2).map(({ messageId }) => messageId), atOnce.deliveries[0]!.messageId);
  acked.journaled.push(atOnce.deliveries[0]!.messageId);
  return acked;
}

/** Written to the database at once: outcomes, receipts, replies, opt-outs, events already assigned to an endpoint. */
async function receiveAndMatch(store: Store, { contract, media }: Fixtures, acked: Acknowledged): Promise<void> {
  const { acceptItem, settlement, receipt, inboundItem, start, hour, nextId } = contract;
  const outcomes = ['sent', 'delivered', 'failed', 'uncertain'] as const;
  const items = outcomes.map(() => acceptItem(start, { lane: 'c3' }));
  await store.accept(items);
  const claims = await store.claim({ lane: 'c3', limit: 10, now: start, token: store.token });
  const ends = {
    sent: { parts: [{ part: 1, carrierMessageId: 'early-sent' }] },
    delivered: { parts: [{ part: 1, carrierMessageId: 'early-delivered' }] },
    failed: { to: 'failed', code: 'REJECTED' as never, carrierCode: '0x0b', detail: 'no such number', parts: [] },
    uncertain: { to: 'uncertain', parts: [], dueAt: start + hour },
  } as const;
  for (const [nth, to] of outcomes.entries()) {
    const own = claims.find(({ messageId }) => messageId === items[nth]!.deliveries[0]!.messageId)!;
    await store.settle([settlement(own, start, { ...ends[to], parts: [...ends[to].parts] })]);
    acked.states[to] = [own.messageId];
  }
  await store.receipts([
    receipt(start + 1, { carrier: 'c3', carrierMessageId: 'early-delivered' }),
    receipt(start + 1, { carrier: 'c3', carrierMessageId: 'nobody-1', to: '14155550177' }),
  ]);

  // The other events are not assigned yet.
  const { events } = await store.eventsAfter({ after: 0, limit: 2 });
  const deliveries = events.map((event) => ({ ...event, endpointId: 'ep_1' }));
  await store.fanOut({ from: 0, to: events.at(-1)!.position, deliveries });

  const whole = inboundItem(start + 2, { text: 'Danke' });
  const half = inboundItem(start + 2, { text: 'first ', concat: { reference: 5, total: 2, sequence: 1 } });
  await store.inbound([whole, half]);
  const picture = media.inboundMmsItem(start + 2);
  await store.inboundMms([picture]);
  acked.replies.push(whole.messageId, picture.messageId);

  const change: ConsentChange = {
    accountId: 'acc1',
    scope: 'campaign:c1',
    contact: '14155550199',
    at: start + 3,
    how: 'api',
    reason: 'asked by telephone',
    evidenceMessageId: null,
    to: 'out',
  };
  await store.changeConsent({ changes: [change], eventIds: [nextId('evt')] });
  acked.optOuts.push({ scope: change.scope, contact: change.contact });
  await store.putSetting('demo', 'on');
}
