// The public API of @heliograph/client, and the only file that re-exports.

export type { Limits, Reason } from './catalogue-calls.ts';
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryCalls,
  DeliveryFilter,
  DeliveryWithAttempts,
} from './delivery-calls.ts';
export type { Endpoint, EndpointCalls, EndpointFields, EndpointWithSecret, ReplayRange } from './endpoint-calls.ts';
export type { EventCalls, EventFilter, EventPage } from './event-calls.ts';
export type {
  AlertEvent,
  AlertEventData,
  CarrierEvent,
  ContactEvent,
  ContactEventData,
  EndpointDisabledData,
  EndpointDisabledEvent,
  MessageEvent,
  MessageEventData,
  MessageReceivedData,
  MessageReceivedEvent,
  WebhookEvent,
  WebhookEventType,
  WebhookTestEvent,
} from './events.ts';
export { webhookEventTypes } from './events.ts';
export { Heliograph, type HeliographOptions, type MessageFilter } from './heliograph.ts';
export { HeliographError, type HeliographErrorFields } from './heliograph-error.ts';
export type { MediaCalls, UploadedMedia, UploadOptions } from './media-calls.ts';
export type {
  ChangedOptOut,
  ImportedOptOuts,
  OptOut,
  OptOutCalls,
  OptOutEntry,
  OptOutFilter,
  OptOutPlace,
} from './opt-out-calls.ts';
export type {
  CallOptions,
  Hooks,
  RequestInfo,
  ResponseInfo,
  RetryInfo,
  SendOptions,
  UnknownFieldsInfo,
} from './options.ts';
export type {
  DemoTraffic,
  Handset,
  HandsetBehaviour,
  HandsetFilter,
  HandsetMessage,
  HandsetReply,
  QueuedReply,
  SandboxCalls,
  SandboxFaults,
} from './sandbox-calls.ts';
export {
  type ClientReason,
  type DeliveryState,
  deliveryStates,
  type Encoding,
  type FittedMedium,
  type MediumAltered,
  type MediumMeasures,
  type Message,
  type MessageExtras,
  type MessageMedium,
  type MessagePart,
  type MessageStep,
  type MessageWaiting,
  type OutcomeCode,
  outcomeCodes,
  type RecipientResult,
  type RecipientStatus,
  type RequestReason,
  recipientStatuses,
  requestReasons,
  type SendAnswer,
  type SendRequest,
} from './types.ts';
export {
  type Usage,
  type UsageCalls,
  type UsageFigures,
  type UsageFilter,
  type UsageGrouping,
  usageGroupings,
} from './usage-calls.ts';
export {
  type VerifyOptions,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
  webhooks,
} from './webhooks.ts';
