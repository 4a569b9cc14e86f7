/** The types of event that customers can be notified of. */
import { alertKinds } from './alert.ts';
import type { DeliveryState } from './lifecycle.ts';

/** States whose event goes to the customer; the type is `message.` and the state. */
export const toldStates = [
  'received',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'expired',
  'unconfirmed',
  'held',
  'canceled',
] as const satisfies readonly DeliveryState[];

type ToldState = (typeof toldStates)[number];

/** Events that are about no single state of a message. */
export const otherEventTypes = [
  'contact.opted_out',
  'contact.opted_in',
  'carrier.down',
  'carrier.up',
  'endpoint.disabled',
  'webhook.test',
  // For companies with an operator only.
  ...alertKinds.map((kind) => `alert.${kind}` as const),
] as const;

export type OtherEventType = (typeof otherEventTypes)[number];
export type EventType = `message.${ToldState}` | OtherEventType;

export const eventTypes: readonly EventType[] = [
  ...toldStates.map((state) => `message.${state}` as const),
  ...otherEventTypes,
];
