/**
 * What comes back from carriers: receipts and replies, into the store. Resolves only after the commit, so that the
 * carrier is acknowledged for nothing that could still be lost. Who owns a reply is decided here; matching is one
 * operation of the store, next to the moves it causes.
 */
import type { Clock } from '../domain/clock.ts';
import type { InboundPart, Receipt } from '../domain/delivery.ts';
import type { Directory } from '../domain/directory.ts';
import type { Ids } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';
import type { Store } from '../store/store.ts';

export interface Receiver {
  receipts(receipts: Receipt[]): Promise<void>;
  inbound(parts: InboundPart[]): Promise<void>;
}

/** Account id of replies to a number nobody has: kept, visible to the operator only. */
export const nobodysAccount = '';

export function createReceiver(parts: {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  directory(): Directory;
  store: Pick<Store, 'receipts' | 'inbound'>;
}): Receiver {
  return {
    receipts: async (receipts) => {
      await parts.store.receipts(receipts);
    },
    inbound: async (inbound) => {
      const directory = parts.directory();
      await parts.store.inbound(
        inbound.map((part) => {
          const owner = directory.number(part.to);
          if (owner === undefined) parts.logger.warn({ carrier: part.carrier }, 'a reply to a number nobody has');
          return {
            part,
            accountId: owner?.accountId ?? nobodysAccount,
            messageId: parts.ids.message(),
            requestId: parts.ids.request(),
            consent: null,
          };
        }),
      );
    },
  };
}
