/**
 * Sends the text and links of an MMS as an SMS when the carrier reports that the recipient cannot receive MMS and the
 * account has `mmsFallback: links`. Handling the same event twice, after a crash too, sends nothing twice.
 */
import type { LaneId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Directory } from '../../model/directory.ts';
import type { EventType } from '../../model/event-type.ts';
import type { Limits } from '../../model/limits.ts';
import type { SendingNumber } from '../../model/records.ts';
import type { CustomerEvent, EventMessage } from '../../model/webhook-event.ts';
import { type OwnTextParts, ownShape, ownText, wayTo } from '../accept/own-text.ts';
import type { Consent } from '../consent/consent.ts';
import { isStopped } from '../consent/consent-rules.ts';
import type { SmsItem } from '../store/items.ts';
import type { MessageStore } from '../store/modules/messages.ts';

export interface MmsFallback {
  /** Accepts any event of the log and ignores most. Resolves when the text is on disk. Throws StoreUnavailable. */
  follow(event: CustomerEvent): Promise<void>;
}

export interface MmsFallbackParts extends OwnTextParts {
  logger: Logger;
  limits: Pick<Limits, 'validityMinutesDefault' | 'smsSegmentsMax' | 'idempotencyKeptHours'>;
  store: Pick<MessageStore, 'accept'>;
  consent: Pick<Consent, 'isOptedOut'>;
  /** Messages have become due in this lane. */
  nudge(lane: LaneId, count: number): void;
}

/** The event types that may lead to a text with links. */
export const fallbackTypes = ['message.failed', 'message.undelivered'] as const satisfies readonly EventType[];

/** Whether the event leads to a text with links; `directory` says whether the account wants one. */
export function wantsFallback({ accountId, type, message }: CustomerEvent, directory: Directory): boolean {
  return (
    message?.code === 'MMS_NOT_SUPPORTED' &&
    (fallbackTypes as readonly EventType[]).includes(type) &&
    message.direction === 'outbound' &&
    message.messageType === 'MMS' &&
    directory.account(accountId)?.mmsFallback === 'links'
  );
}

export function createMmsFallback(parts: MmsFallbackParts): MmsFallback {
  const { clock, limits, logger } = parts;
  const validityMs = limits.validityMinutesDefault * 60_000;

  function itemFor(event: CustomerEvent, message: EventMessage): SmsItem | { closed: string } {
    // Also turns at-least-once into once: a repeat comes while the idempotency row is kept, or never.
    if (clock.now() >= event.at + validityMs) return { closed: 'EXPIRED' };
    const number = parts.directory().number(message.from);
    if (number?.accountId !== event.accountId) return { closed: 'SENDER_NOT_FOUND' };
    if (isStopped(parts.consent, number, message.to)) return { closed: 'OPTED_OUT' };
    return textFor(message, number);
  }

  function textFor(message: EventMessage, number: SendingNumber): SmsItem | { closed: string } {
    const way = wayTo(message.to, number, parts);
    if ('closed' in way) return way;
    const text = [message.text.trimEnd(), ...message.mediaUrls].filter((line) => line !== '').join('\n');
    const shape = ownShape({ ...way, text }, parts);
    if (shape.segments > limits.smsSegmentsMax) return { closed: 'TEXT_TOO_LONG' };
    const { messageId, referenceId, from, to } = message;
    const idempotency = {
      // No caller's key contains this character: those are printable ASCII.
      key: `fallback·${messageId}`,
      bodyHash: messageId,
      answer: '',
      expiresAt: clock.now() + limits.idempotencyKeptHours * 3_600_000,
    };
    return ownText({ ...way, keyId: `fallback:${messageId}`, referenceId, from, to, text, idempotency }, parts, shape);
  }

  return {
    follow: async (event) => {
      const { message } = event;
      if (message === null || !wantsFallback(event, parts.directory())) return;
      const item = itemFor(event, message);
      if ('closed' in item) {
        logger.warn({ messageId: message.messageId, why: item.closed }, 'no text with links follows this MMS');
        return;
      }
      const [result] = await parts.store.accept([item]);
      if (result?.kind !== 'stored') return;
      const [{ lane, messageId }] = item.deliveries as [SmsItem['deliveries'][0]];
      logger.info({ messageId, insteadOf: message.messageId }, 'a text with links follows an MMS');
      parts.nudge(lane, 1);
    },
  };
}
