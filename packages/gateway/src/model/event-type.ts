/** The types of event that customers can be notified of. */
import { alertKinds } from './alert.ts';
import type { DeliveryState } from './lifecycle.ts';

/** States with an event for the customer; its type is `message.` and the state. */
export const reportedStates = [
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

type ReportedState = (typeof reportedStates)[number];

/** Events that do not belong to one state of a message. */
export const otherEventTypes = [
  'contact.opted_out',
  'contact.opted_in',
  'carrier.down',
  'carrier.up',
  'endpoint.disabled',
  'webhook.test',
  // Only for companies with an operator.
  ...alertKinds.map((kind) => `alert.${kind}` as const),
] as const;

export type OtherEventType = (typeof otherEventTypes)[number];
export type EventType = `message.${ReportedState}` | OtherEventType;

export const eventTypes: readonly EventType[] = [
  ...reportedStates.map((state) => `message.${state}` as const),
  ...otherEventTypes,
];
