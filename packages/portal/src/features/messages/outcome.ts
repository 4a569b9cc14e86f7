/** The outcome of one message in plain words: why, what to do, and whether it is billed, from its own events. Pure. */

import { labelsOf } from '../../language/labels';
import type { TimelineEvent, Whole } from './message-data';
import { spanText } from './timeline';

const labels = labelsOf('outcome');

interface OutcomeText {
  cause: string;
  fix: string;
}

/** Catalogue texts are written for the documentation, with names between grave accents; this replaces them by words. */
export function plainText(text: string): string {
  return text.replace(/(the |its |The )?`(\w+)`/g, (_, article: string | undefined, name: string) => {
    const shown = Object.hasOwn(labels.names, name) ? labels.names[name as keyof typeof labels.names] : undefined;
    return shown ?? `${article ?? ''}${name}`;
  });
}

type Facts = Pick<Whole, 'code' | 'state' | 'events'>;

export function wasSent({ events }: Pick<Whole, 'events'>): boolean {
  return events.some(({ state }) => state === 'sent');
}

/** More than the catalogue knows, from the message's own events. */
export function outcomeText(message: Facts, reason: { cause: readonly string[]; fix: readonly string[] }): OutcomeText {
  const { code } = message;
  const shown = { cause: plainText(reason.cause[0] ?? ''), fix: plainText(reason.fix[0] ?? '') };
  if (code === 'EXPIRED') return wasSent(message) ? labels.gaveUp : labels.neverLeft;
  if (code !== 'NO_RECEIPT') return shown;
  const waitedMs = waitForReceipt(message);
  return waitedMs === null ? shown : { ...shown, cause: labels.noReceipt(spanText(waitedMs)) };
}

/** The headline, in plainer words than the catalogue's. */
export function outcomeTitle(message: Facts, reason: { title: string }): string {
  if (message.code !== 'EXPIRED') return reason.title;
  return wasSent(message) ? labels.gaveUpTitle : labels.neverLeftTitle;
}

/** Time from the last submission to the end of the wait. */
export function waitForReceipt({ events }: Pick<Whole, 'events'>): number | null {
  const end = events.findLast(({ state }) => state === 'unconfirmed');
  const begin = events.findLast(({ state }) => state === 'sent');
  if (begin === undefined || end === undefined) return null;
  return Date.parse(end.occurredAt) - Date.parse(begin.occurredAt);
}

const waiting = new Set(['accepted', 'queued', 'sending', 'uncertain', 'held']);

/** Billed once a carrier accepts it. Null for a received message, which has its own sentence. */
export function billedText(message: Pick<Whole, 'state' | 'direction' | 'events'>): string | null {
  if (message.direction === 'inbound') return null;
  if (wasSent(message)) return labels.billed;
  // A receipt proves that the carrier had it although the link broke.
  if (message.state === 'delivered' || message.state === 'undelivered') return labels.billed;
  return waiting.has(message.state) ? labels.notYet : labels.notBilled;
}

const tooFast = /THROTTLED|MSGQFUL|HTTP 429/;

/** Whether the carrier requested a later attempt because messages came too fast, or its own queue was full. */
export function isThrottled({ state, carrierCode, detail }: Pick<TimelineEvent, 'state' | 'carrierCode' | 'detail'>) {
  return state === 'queued' && tooFast.test(`${carrierCode} ${detail}`);
}

/** Whether a person assigned this receipt to the message, which the event's detail says. */
export function isByHand({ detail }: Pick<TimelineEvent, 'detail'>): boolean {
  return detail === 'Matched by hand.';
}

/** The detail of an event as a sentence; '' when its code says the same. */
export function detailText({ detail, carrierCode, state }: Pick<TimelineEvent, 'detail' | 'carrierCode' | 'state'>) {
  // The sentence of that state already says it.
  if (detail === null || state === 'unconfirmed') return '';
  if (carrierCode !== null && detail.startsWith(`The carrier answered ${carrierCode}`)) return '';
  const text = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
