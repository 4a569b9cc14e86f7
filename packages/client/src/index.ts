// The public door of @heliograph/client, and the only file that re-exports: what is not named here is private.

export type {
  CarrierEvent,
  ContactEvent,
  EndpointDisabledEvent,
  MessageEvent,
  MessageEventData,
  MessageReceivedData,
  MessageReceivedEvent,
  WebhookEvent,
  WebhookTestEvent,
} from './events.ts';
export { Heliograph, type HeliographOptions, type MessageFilter } from './heliograph.ts';
export { HeliographError, type HeliographErrorFields } from './heliograph-error.ts';
export type {
  CallOptions,
  Hooks,
  RequestInfo,
  ResponseInfo,
  RetryInfo,
  SendOptions,
} from './options.ts';
export {
  type ClientReason,
  type DeliveryState,
  deliveryStates,
  type Encoding,
  type Message,
  type MessagePart,
  type MessageStep,
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
  type VerifyOptions,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
  webhooks,
} from './webhooks.ts';
