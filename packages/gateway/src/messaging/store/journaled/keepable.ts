/**
 * Decides which messages may stay in memory and which settlements let them stay there. Anything that the database
 * might refuse must not be answered from the journal.
 */
import type { Settlement } from '../../../model/delivery.ts';
import type { AcceptItem } from '../items.ts';

/** Nothing that ends sooner: what is in memory must not be late. */
const validityMinMs = 60_000;

/** A text on its way at once, without idempotency key, and of nothing but values the database takes. */
export function isKeepable({ message, deliveries, idempotency, held }: AcceptItem): boolean {
  if (idempotency || held || message.messageType !== 'SMS' || deliveries.length === 0) return false;
  const { requestId, accountId, keyId, direction, referenceId, from, text, wireText, encoding } = message;
  return (
    [requestId, accountId, keyId, direction, referenceId, from, text, wireText ?? '', encoding ?? ''].every(isText) &&
    Number.isSafeInteger(message.segments) &&
    Number.isSafeInteger(message.acceptedAt) &&
    deliveries.every(
      ({ messageId, to, lane, expiresAt, concatReference }) =>
        isText(messageId) &&
        isText(to) &&
        isText(lane) &&
        Number.isSafeInteger(concatReference) &&
        Number.isSafeInteger(expiresAt) &&
        expiresAt - message.acceptedAt >= validityMinMs,
    )
  );
}

/** Sent, and nothing to say of it. */
export function isPlain({ to, code, carrier, carrierCode, detail, dueAt, parts }: Settlement): boolean {
  return (
    to === 'sent' &&
    code === null &&
    carrierCode === null &&
    detail === null &&
    isText(carrier) &&
    Number.isSafeInteger(dueAt) &&
    parts.every(
      ({ part, spans = 1, carrierMessageId }) =>
        Number.isSafeInteger(part) && Number.isSafeInteger(spans) && isText(carrierMessageId),
    )
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
