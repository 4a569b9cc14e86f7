/** Fixture for tests of consent: numbers and campaigns in every state, and a store that keeps opt-outs in memory. */

import { settlingClock } from '../../../../../test/props/clock.ts';
import type { Store } from '../../app/store.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import { createIds } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { machineRandom } from '../../kernel/machine.ts';
import type { InboundPart } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import { defaultLimits } from '../../model/limits.ts';
import { createMediaUrls } from '../../model/media-url.ts';
import type { Records } from '../../model/records.ts';
import { acme, campaign, contact, number, own, records } from '../../model/world-fixture.ts';
import { scriptedMedia } from '../media/media-fixture.ts';
import { createReceiver } from '../receive/receive.ts';
import type { InboundItem, InboundMmsItem, InboundResult, OptOut } from '../store/items.ts';
import type { ConsentStore } from '../store/modules/consent.ts';
import { createConsent } from './consent.ts';

export function consentRecords(more: Partial<Records> = {}): Records {
  return records({
    accounts: [acme, { ...acme, accountId: 'acc2' }],
    numbers: [
      number(own),
      number('12025550198', { campaignId: 'REGISTERED' }),
      number('12025550197', { smsEnabled: false }),
      number('12025550196', { campaignId: 'SUSPENDED' }),
      number('12025550195', { campaignId: null }),
      number('18005550100'),
      number('12345'),
      number('12025550190', { accountId: 'acc2', campaignId: 'OTHER' }),
      number('12025550189', { environment: 'sandbox', campaignId: 'SANDBOX' }),
    ],
    campaigns: [
      campaign('C1'),
      campaign('REGISTERED', { optOutText: 'Registered: you are out. Bye.', helpText: 'Registered: €uro help.' }),
      campaign('SUSPENDED', { status: 'suspended' }),
      campaign('OTHER', { accountId: 'acc2' }),
      campaign('SANDBOX', { environment: 'sandbox' }),
    ],
    ...more,
  });
}

type AnyStore = ConsentStore & Pick<Store, 'eventsAfter' | 'receipts' | 'knownReceipts' | 'inbound' | 'inboundMms'>;

/** Keeps opt-outs like the real store, as far as callers can see. */
export function consentStore() {
  const rows = new Map<string, OptOut>();
  const items: InboundItem[] = [];
  const mms: InboundMmsItem[] = [];
  const fails: Record<'inbound' | 'receipts', Error | null> = { inbound: null, receipts: null };
  /** Recorded ids. */
  const sentIds = new Set<string>();
  const keyOf = ({ scope, contact }: { scope: string; contact: string }) => `${scope} ${contact}`;
  const sorted = (after: { scope: string; contact: string } | null) =>
    [...rows.values()]
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .filter((row) => after === null || keyOf(row) > keyOf(after));

  const store: AnyStore = {
    receipts: async () => [],
    knownReceipts: async (batch) => {
      if (fails.receipts !== null) throw fails.receipts;
      return batch.map(({ carrierMessageId }) => sentIds.has(carrierMessageId));
    },
    optOutPage: async ({ after, limit }) => sorted(after).slice(0, limit),
    optOuts: async ({ accountId, scope, contact, after, limit }) =>
      sorted(after)
        .filter((row) => row.accountId === accountId)
        .filter((row) => (scope === null || row.scope === scope) && (contact === null || row.contact === contact))
        .slice(0, limit),
    // No other process changes the list.
    consentState: async () => ({ version: 0, position: 0 }),
    eventsAfter: async ({ after }) => ({ events: [], position: after }),
    changeConsent: async ({ changes }) => changes.map(({ to, ...row }) => change(to, row)),
    inbound: async (batch) => {
      await Promise.resolve();
      if (fails.inbound !== null) throw fails.inbound;
      items.push(...batch);
      return received(batch.map(({ part: { from, receivedAt }, ...item }) => ({ ...item, from, receivedAt })));
    },
    inboundMms: async (batch) => {
      await Promise.resolve();
      if (fails.inbound !== null) throw fails.inbound;
      mms.push(...batch);
      return received(batch);
    },
  };

  type Reply = Pick<InboundMmsItem, 'from' | 'accountId' | 'messageId' | 'receivedAt' | 'consent'>;

  function received(batch: Reply[]): InboundResult {
    const result: InboundResult = { messageIds: batch.map(({ messageId }) => messageId), consent: [], lanes: [] };
    for (const { from: contact, accountId, messageId, receivedAt: at, consent } of batch) {
      if (consent === null) continue;
      const { keyword, scope, earlier, confirmation } = consent;
      const row = { accountId, contact, at, reason: '', how: 'keyword', evidenceMessageId: messageId } as const;
      const changes = (keyword === 'help' ? [] : [scope, earlier ?? scope]).map((one) =>
        change(keyword as 'in', { ...row, scope: one }),
      );
      const changed = keyword !== 'help' && changes.includes(true);
      if (changed) result.consent.push({ scope, contact, to: keyword });
      if (changed || keyword === 'help') result.lanes.push(...(confirmation?.deliveries ?? []).map((d) => d.lane));
    }
    return result;
  }

  function change(to: 'out' | 'in', row: OptOut): boolean {
    if (to === 'in') return rows.delete(keyOf(row));
    if (rows.has(keyOf(row))) return false;
    rows.set(keyOf(row), row);
    return true;
  }

  return { ...store, rows, items, mms, fails, sentIds };
}

/** Consent and a receiver on one store; the directory can be replaced. */
export function consentOver(store: AnyStore, up: string[] = ['a', 'b'], media = scriptedMedia()) {
  const clock = settlingClock();
  const world: { directory: Directory } = { directory: buildDirectory(consentRecords()) };
  const ids = createIds(clock, machineRandom);
  const common = { clock, random: machineRandom, ids, logger: silentLogger, directory: () => world.directory, store };
  const nudged: string[] = [];
  const consent = createConsent({
    ...common,
    limits: defaultLimits,
    carrierUp: (carrierId) => up.includes(carrierId),
    nextReference: () => 77,
  });
  const mediaUrls = createMediaUrls({ key: new Uint8Array(32), baseUrl: () => 'https://sms.acme.example' });
  const receiver = createReceiver({ ...common, consent, media, mediaUrls, nudge: (lane) => nudged.push(lane) });
  const say = (text: string, to = own, from = contact) => receiver.inbound([part(text, { to, from })]);
  const isOut = (scope = 'campaign:C1', of = contact) => consent.isOptedOut(scope, of);
  return { world, consent, receiver, media, mediaUrls, nudged, say, isOut };
}

export function consentWorld(store = consentStore(), up?: string[]) {
  return { ...consentOver(store, up), store };
}

export function part(text: string | null, more: Partial<InboundPart> = {}): InboundPart {
  return {
    carrier: 'a',
    from: contact,
    to: own,
    octets: null,
    encoding: 'GSM-7',
    concat: null,
    receivedAt: 1_000,
    text,
    ...more,
  };
}
