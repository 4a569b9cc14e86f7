/** The package's public API. */
export { createClient } from './client.ts';
export type * from './client-types.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  type BindName,
  type Command,
  type CommandName,
  commandById,
  commandByName,
  type RequestName,
  type ResponseName,
} from './commands.ts';
export { type DecodeOptions, decodePdu } from './decode.ts';
export { type EncodeOptions, encodePdu } from './encode.ts';
export type { DestAddress, UnsuccessSme } from './field.ts';
export { Framer } from './framer.ts';
export {
  isFinalState,
  type MessageState,
  numberOfState,
  stateOfNumber,
  stateOfWord,
  wordOfState,
} from './message-state.ts';
export type * from './pdu.ts';
export { PDU_LENGTH_MAX } from './pdu.ts';
export { ReadShare } from './read-share.ts';
export { isReceipt, parseReceipt, type Receipt, type ReceiptOptions, receiptFromText } from './receipt.ts';
export {
  type IdForm,
  type IdMatch,
  idForms,
  normalReceiptId,
  receiptIdCandidates,
  receiptIdMatch,
} from './receipt-id.ts';
export { type ReceiptDetails, receiptFields, receiptText, type SubmitAddresses } from './receipt-write.ts';
export {
  defaultReconnectPolicy,
  type FailureCount,
  nextDelay,
  noFailures,
  type ReconnectCause,
  type ReconnectPolicy,
} from './reconnect.ts';
export { createServer } from './server.ts';
export type * from './server-types.ts';
export { Session } from './session.ts';
export type * from './session-types.ts';
export { sessionLimits } from './session-types.ts';
export { cutEscape, readContent, type SmContent, type SmFields } from './sm-content.ts';
export { digitsOf, type Ports } from './sm-fields.ts';
export { type PartStyle, partsMax, type SmPart, type SmParts, textToParts } from './sm-parts.ts';
export { type StatusClass, type StatusName, status, statusClass, statusName } from './status.ts';
export { absoluteTime, parseSmppTime, relativeTime, type SmppTime } from './time-format.ts';
export { readTlv, readTlvs, type TlvName, type TlvValue, tlv, tlvByTag } from './tlvs.ts';
