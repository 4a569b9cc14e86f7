/**
 * What comes back from carriers: receipts and replies, into the store. Resolves only after the commit, so that the
 * carrier is acknowledged for nothing that could still be lost. Who owns a reply is decided here; matching is one
 * operation of the store, next to the moves it causes.
 */
import type { InboundPart, Receipt } from '../domain/delivery.ts';
import type { Directory } from '../domain/directory.ts';
import type { Ids } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';
import type { InboundItem, Store } from '../store/store.ts';
import type { Consent } from './consent.ts';

export interface Receiver {
  receipts(receipts: Receipt[]): Promise<void>;
  inbound(parts: InboundPart[]): Promise<void>;
}

/** Account id of replies to a number nobody has: kept, visible to the operator only. */
export const nobodysAccount = '';

export function createReceiver(parts: {
  ids: Ids;
  logger: Logger;
  directory(): Directory;
  store: Pick<Store, 'receipts' | 'inbound'>;
  consent: Pick<Consent, 'commandFor' | 'storeKeywords'>;
  /** Something new waits in this lane. */
  nudge(lane: string): void;
}): Receiver {
  function asItem(part: InboundPart): InboundItem {
    const owner = parts.directory().number(part.to);
    if (owner === undefined) parts.logger.warn({ carrier: part.carrier }, 'a reply to a number nobody has');
    return {
      part,
      accountId: owner?.accountId ?? nobodysAccount,
      messageId: parts.ids.message(),
      requestId: parts.ids.request(),
      consent: owner === undefined ? null : parts.consent.commandFor(part, owner),
    };
  }

  return {
    receipts: async (receipts) => {
      await parts.store.receipts(receipts);
    },
    inbound: async (inbound) => {
      const items = inbound.map(asItem);
      const store = () => parts.store.inbound(items);
      const hasKeyword = items.some(({ consent }) => consent !== null);
      const { lanes } = await (hasKeyword ? parts.consent.storeKeywords(items, store) : store());
      for (const lane of new Set(lanes)) parts.nudge(lane);
    },
  };
}
