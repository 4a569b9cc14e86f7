/**
 * Fills every table of a store with rows, through the store's methods: a node that worked, restarted, and was killed.
 */
import type { MovedClock } from '../../../../../test/props/clock.ts';
import type { Store } from '../../app/store.ts';
import type { ConsentChange, InboundItem } from '../../messaging/store/items.ts';
import type { OneTimeKey } from '../../model/people.ts';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import { noRecords } from '../../model/records.ts';
import { route } from '../../model/world-fixture.ts';
import { acceptItem, hour, inboundItem, minute, newEvent, nextId, receipt, settlement, start } from './fixture.ts';
import { inboundMmsItem, mmsItem, queuedMedia } from './media-fixture.ts';

const day = 24 * hour;
const contact = '14155550100';
const own = '15550001111';

/** Resolves with the open store, whose newest texts SQLite has only in its journal: copy the files, then close it. */
export async function fillEveryTable(open: () => Promise<Store>, clock: MovedClock): Promise<Store> {
  let store = await open();
  await talk(store);
  await send(store);
  await notifyEndpoints(store);
  await keepRecords(store);
  await alarm(store);
  await age(store, clock);
  await store.close();
  store = await open();
  await talk(store);
  await store.threadMessages({ accountId: 'acc1', own, peer: contact, before: null, limit: 9 });
  // These come last: a look-up would flush them from the journal.
  const late = Array.from({ length: 3 }, (_, n) => acceptItem(clock.now() + n, { text: `late ${n} 😀 "\\x` }));
  await store.accept(late);
  await store.claim({ lane: 'c1', limit: 2, now: clock.now() + 9, token: store.token });
  return store;
}

/** A handset that writes, opts out, and sends half of a long text and a picture. */
async function talk(store: Store): Promise<void> {
  await store.accept([acceptItem(start, { to: contact, from: own, lane: 'c3' })]);
  const confirmation = acceptItem(start, { to: contact, lane: 'c3', text: 'You are out.' });
  const stop: InboundItem = {
    ...inboundItem(start, { text: 'STOP' }),
    consent: { keyword: 'out', scope: 'campaign:c1', confirmation },
  };
  const half = inboundItem(start, { text: 'first ', concat: { reference: 5, total: 2, sequence: 1 } });
  await store.inbound([stop, half]);
  await store.inboundMms([inboundMmsItem(start, { peerMessageId: nextId('peer') })]);
  const change: ConsentChange = {
    accountId: 'acc1',
    scope: 'campaign:c1',
    contact: '14155550199',
    at: start,
    how: 'api',
    reason: 'asked by telephone',
    evidenceMessageId: null,
    to: 'out',
  };
  await store.changeConsent({ changes: [change], eventIds: [nextId('evt')] });
}

/** Texts and pictures in every state, with receipts that match, and one that matches nothing. */
async function send(store: Store): Promise<void> {
  const to = (n: number) => `1415555010${n}`;
  const refused = [{ place: 0, to: '+1 (415)', status: 'INVALID_NUMBER' as const, detail: 'Use digits only.' }];
  const key = { key: 'order-1', bodyHash: 'hash-1' };
  const texts = [1, 2, 3, 4].map((n) => acceptItem(start, { to: to(n), lane: 'c2', ...(n === 1 && { key }) }));
  await store.accept([{ ...texts[0]!, refused }, ...texts.slice(1)]);
  const [sent, delivered, failed, uncertain] = await store.claim({
    lane: 'c2',
    limit: 4,
    now: start,
    token: store.token,
  });
  await store.settle([
    settlement(sent!, start),
    settlement(delivered!, start, { parts: [{ part: 1, carrierMessageId: 'd1' }] }),
    settlement(failed!, start, { to: 'failed', code: 'REJECTED' as never, parts: [] }),
    settlement(uncertain!, start, { to: 'uncertain', parts: [], dueAt: start + day }),
  ]);
  await store.receipts([
    receipt(start, { carrier: 'c2', carrierMessageId: 'd1', to: delivered!.to }),
    receipt(start, { carrier: 'c2', carrierMessageId: 'nobody', to: '14155550177' }),
  ]);
  const [waiting, prepared] = [mmsItem(start, { lane: 'c4' }), mmsItem(start, { lane: 'c4' })];
  await store.accept([waiting, prepared]);
  await store.prepareMedia([queuedMedia(prepared, start)]);
}

async function notifyEndpoints(store: Store): Promise<void> {
  await store.addEvents([newEvent(), newEvent({ data: { text: 'ž\u2028' } })]);
  const { events, position: to } = await store.eventsAfter({ after: 0, limit: 100 });
  const deliveries = events.map((event) => ({ ...event, endpointId: 'ep_1' }));
  await store.fanOut({ from: 0, to, deliveries });
  const attempt = { at: start, durationMs: 12, status: 500, error: null, answer: 'no', skewSeconds: 1 };
  const outcome = { endpointId: 'ep_1', position: events[0]!.position, attempt, tries: 0, dueAt: start + minute };
  await store.recordAttempts({
    outcomes: [{ ...outcome, to: 'waiting' }],
    health: [{ endpointId: 'ep_1', failingSince: start, lastSuccessAt: null }],
  });
}

const audit: NewAuditEntry = {
  at: start,
  accountId: 'acc1',
  userId: 'usr_1',
  who: 'ada@example.com',
  what: 'user.changed',
  target: 'usr_1',
  before: null,
  after: { role: 'Owner' },
  address: null,
  requestId: null,
};

async function keepRecords(store: Store): Promise<void> {
  await store.putRecords({ ...noRecords(), routes: [route('a', ['c1'], { priority: 1 })] });
  const user = {
    ...{ userId: 'usr_1', accountId: 'acc1', email: 'ada@example.com', name: 'Žluťoučký kůň', role: 'Owner' as const },
    ...{
      operator: true,
      passwordHash: '$argon2id$…',
      totp: null,
      passkeys: [],
      identity: { issuer: 'https://id.example', subject: 'ada', since: start },
      recoveryHashes: [],
      timeZone: null,
      language: null,
    },
    ...{ singleKeys: true, createdAt: start, disabledAt: null, lastSignInAt: null, version: 0 },
  };
  const session = {
    ...{ idHash: 'hash', sessionId: 'ses_1', userId: 'usr_1', createdAt: start, seenAt: start, confirmedAt: start },
    ...{ endsAt: start + hour, address: '::1', agent: 'a browser', viewAs: null, strong: true },
  };
  const key = {
    keyHash: 'hash',
    keyId: 'otk_1',
    createdAt: start,
    expiresAt: start + hour,
    accountId: '',
    purpose: 'setup',
  };
  await store.changePeople([
    {
      rules: [],
      writes: [
        { write: 'user', user },
        { write: 'session', session },
        { write: 'key', key: key as OneTimeKey },
      ],
      audit: [audit],
    },
  ]);
  const call = {
    ...{ accountId: 'acc1', requestId: nextId('req'), at: start, environment: 'sandbox' as const, keyId: 'key1' },
    ...{ method: 'POST', path: '/SendSMS', status: 200, reason: 'SUCCESS', detail: '', address: '127.0.0.1', ms: 3 },
    ...{ dryRun: false, body: '{}', bodyBytes: 2 },
  };
  const unkept = { accountId: 'acc1', environment: 'sandbox' as const, minute: start, calls: 5 };
  await store.addRequests({ calls: [call], unkept: [unkept] });
  const row = {
    ...{ accountId: 'acc1', environment: 'live' as const, day: '2027-01-15', number: own, campaign: 'C1' },
    ...{ kind: 'SMS' as const, country: 'US', key: 'key1', carrier: 'c1', messages: 1, units: 1 },
  };
  await store.addUsage({ from: await store.countedTo(), to: 1, rows: [row] });
  const ended = {
    ...{ accountId: 'acc1', environment: 'live' as const, hour: start, outcome: 'delivered' as const, code: '' },
    ...{ took: 300, demo: false, messages: 1 },
  };
  await store.addHourly({ from: (await store.hourlyCountedTo()).mark, to: 1, rows: [ended] });
  const counts = [{ part: 'refused' as const, name: 'CARRIER_REJECTED', count: 1 }];
  await store.addCarrierHistory({ rows: [{ carrierId: 'c1', at: start, figures: { taken: 2 }, counts }], demo: '' });
  await store.putContacts([{ accountId: 'acc1', contact, at: start, name: 'Žofie 😀', tags: ['vip'] }]);
  await store.putCannedReplies([
    { accountId: 'acc1', replyId: null, newId: nextId('rep'), title: 'Open', text: 'Hi {{name}}', at: start },
  ]);
  await store.putSetting('demo', 'on');
}

async function alarm(store: Store): Promise<void> {
  const alert = {
    ...{ alertId: nextId('alr'), kind: 'link' as const, subject: 'c1', environment: 'live' as const, value: 100 },
    ...{ limit: 100, detail: 'Carrier c1 cannot be reached.', firedAt: start, resolvedAt: null, isTold: true },
  };
  await store.stepAlerts([{ step: 'fire', alert, events: [newEvent()], mail: true }]);
  const silence = {
    ...{ silenceId: nextId('sil'), kind: null, subject: null, at: start, until: start + hour, who: 'ada@example.com' },
  };
  await store.changeSilence({ change: 'put', silence, audit });
}

/** A round of retention that must keep messages that are not final, and a requested erasure. */
async function age(store: Store, clock: MovedClock): Promise<void> {
  const now = start + 31 * day;
  clock.set(now);
  const request = { accountId: 'acc1', bodiesBefore: start + day, messagesBefore: 0, endpointIds: [], limit: 2, now };
  for (let cursor: string | null = null, steps = 0; steps < 3; steps++) {
    ({ cursor } = await store.forgetMessages({ ...request, cursor }));
    if (cursor === null) break;
  }
  const erasure = { erasureId: 'era_1', accountId: 'acc1', peer: contact, requestedAt: now, requestedBy: 'ada' };
  await store.addErasure(erasure);
}
