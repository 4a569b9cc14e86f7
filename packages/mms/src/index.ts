/** The package's public API. */
export { isDigits, isMailAddress, readAddress } from './address.ts';
export { presentable } from './content.ts';
export { isMalformed, isUnwritable, type Malformed, type MalformedReason, type Unwritable } from './failure.ts';
export { defaultLimits, type MmsLimits } from './limits.ts';
export type { TransferEncoding } from './mime-write.ts';
export { type MmState, type MmStatusMeaning, mmStatus, mmStatusWords, type ReadStatus } from './mm-status.ts';
export { type Mm4Malformed, type Mm4Received, readMm4, responseTo } from './mm4-read.ts';
export { type Mm4RequestStatus, mm4RequestStatuses, mm4Status } from './mm4-status.ts';
export type * from './mm4-types.ts';
export { type Mm4Mail, type Mm4WriteOptions, writeMm4 } from './mm4-write.ts';
export { type Mm7Schema, mm7Dialect, mm7Schemas } from './mm7-dialect.ts';
export { type SubmitOutcome, submitOutcome } from './mm7-outcome.ts';
export { type Mm7Input, type Mm7Malformed, type Mm7Received, readMm7, rsErrorFor } from './mm7-read.ts';
export { mm7Status, mm7StatusOf, mm7StatusTable } from './mm7-status.ts';
export type * from './mm7-types.ts';
export { type Mm7Http, type Mm7WriteOptions, writeMm7 } from './mm7-write.ts';
export {
  emptyMessage,
  type MessageClass,
  type MmsMessage,
  type MmsPart,
  type Priority,
  textOf,
} from './mms-message.ts';
export { inOrderOf, readSmil, writeSmil } from './smil.ts';
export type { Concern, Retry, StatusMeaning } from './status.ts';
