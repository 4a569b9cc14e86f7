/**
 * Stores receipts and replies from carriers. Resolves only after the commit, because the carrier is acknowledged then.
 * Finds the owner of a reply here; the store matches receipts.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Ids, LaneId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { createSummedLog } from '../../kernel/summed-log.ts';
import type { InboundMms, InboundPart, Receipt } from '../../model/delivery.ts';
import type { Consent, KeywordItem } from '../consent/consent.ts';
import type { InboundItem, InboundResult } from '../store/items.ts';
import type { InboundStore } from '../store/modules/inbound.ts';
import type { MessageStore } from '../store/modules/messages.ts';
import { type InboundMmsParts, inboundMmsItems, nobodysAccount } from './receive-mms.ts';

export interface Receiver {
  receipts(receipts: Receipt[]): Promise<void>;
  inbound(parts: InboundPart[]): Promise<void>;
  /** Rejects if the message or one of its media could not be stored. */
  inboundMms(message: InboundMms): Promise<void>;
}

export interface ReceiverParts extends Omit<InboundMmsParts, 'nobodys'> {
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  ids: Ids;
  store: Pick<MessageStore, 'receipts' | 'knownReceipts'> & Pick<InboundStore, 'inbound' | 'inboundMms'>;
  consent: Pick<Consent, 'commandFor' | 'storeKeywords'>;
  /** New messages wait in this lane. */
  nudge(lane: LaneId): void;
}

export function createReceiver(parts: ReceiverParts): Receiver {
  const lines = createSummedLog(parts);
  const nobodys = (carrier: string) => lines.warn(carrier, { carrier }, 'a reply to a number nobody has');

  function asItem(part: InboundPart): InboundItem {
    const owner = parts.directory().number(part.to);
    if (owner === undefined) nobodys(part.carrier);
    return {
      part,
      accountId: owner?.accountId ?? nobodysAccount,
      messageId: parts.ids.message(),
      requestId: parts.ids.request(),
      consent: owner === undefined ? null : parts.consent.commandFor(part, owner),
    };
  }

  async function keep(items: readonly KeywordItem[], store: () => Promise<InboundResult>): Promise<void> {
    const hasKeyword = items.some(({ consent }) => consent !== null);
    const { lanes } = await (hasKeyword ? parts.consent.storeKeywords(items, store) : store());
    for (const lane of new Set(lanes)) parts.nudge(lane);
  }

  /** Applies the texts that the store recognises as receipts, and returns the others. */
  async function withoutReceipts(inbound: InboundPart[]): Promise<InboundPart[]> {
    const doubtful = inbound.flatMap(({ perhaps }) => perhaps ?? []);
    if (doubtful.length === 0) return inbound;
    const known = await parts.store.knownReceipts(doubtful);
    const applied = new Set(doubtful.filter((_, index) => known[index]));
    return inbound.flatMap(({ perhaps, ...text }) => (perhaps && applied.has(perhaps) ? [] : text));
  }

  return {
    receipts: async (receipts) => {
      await parts.store.receipts(receipts);
    },
    inbound: async (inbound) => {
      const texts = await withoutReceipts(inbound);
      if (texts.length === 0) return;
      const items = texts.map(asItem);
      const changes = items.map(({ part: { from }, consent }) => ({ from, consent }));
      await keep(changes, () => parts.store.inbound(items));
    },
    inboundMms: async (message) => {
      const items = await inboundMmsItems(message, { ...parts, nobodys });
      await keep(items, () => parts.store.inboundMms(items));
    },
  };
}
