/** The messages of MM7 as values. '' and null mean that the element is missing. Source: 3GPP TS 23.140 §8.7. */

import type { ReadStatus } from './mm-status.ts';
import type { MmsMessage } from './mms-message.ts';

/** The schema and version a peer speaks. They do not correspond: see `mm7Dialects`. */
export interface Mm7Dialect {
  namespace: string;
  /** MM7Version, e.g. `6.8.0`. */
  version: string;
}

export interface Mm7Status {
  /** 1000–9999; see `mm7Status` for its meaning. */
  code: number;
  text: string;
  /** Recipients named in Details: those that were not reached with status 1100. */
  failedRecipients: string[];
}

interface Common {
  /** The request's id; a response repeats it, and has '' when the request had none. */
  transactionId: string;
}

export type ChargedParty = 'Sender' | 'Recipient' | 'Both' | 'Neither';
export const chargedParties: readonly ChargedParty[] = ['Sender', 'Recipient', 'Both', 'Neither'];

export interface Mm7SubmitReq extends Common {
  type: 'SubmitReq';
  vaspId: string;
  vasId: string;
  serviceCode: string;
  linkedId: string;
  timeStamp: Date | null;
  /** A time, or seconds from now. */
  earliestDeliveryTime: Date | number | null;
  chargedParty: ChargedParty | null;
  distributionIndicator: boolean | null;
  message: MmsMessage;
}

export interface Mm7SubmitRsp extends Common {
  type: 'SubmitRsp';
  status: Mm7Status;
  /** '' when the submission was refused, or the peer gives none: then no report can be matched. */
  messageId: string;
}

/** A reply of a handset. Its class, `deliveryReport`, `readReply` and `expiry` are not transmitted. */
export interface Mm7DeliverReq extends Common {
  type: 'DeliverReq';
  mmsRelayServerId: string;
  vaspId: string;
  vasId: string;
  linkedId: string;
  timeStamp: Date | null;
  message: MmsMessage;
}

export interface Mm7DeliverRsp extends Common {
  type: 'DeliverRsp';
  status: Mm7Status;
  serviceCode: string;
}

export interface Mm7DeliveryReportReq extends Common {
  type: 'DeliveryReportReq';
  mmsRelayServerId: string;
  messageId: string;
  /** The intended recipient; '' when the peer does not name it. */
  recipient: string;
  sender: string;
  date: Date | null;
  /** As the peer wrote it; see `mmStatus` for its meaning. */
  mmStatus: string;
  statusText: string;
}

export interface Mm7ReadReplyReq extends Common {
  type: 'ReadReplyReq';
  mmsRelayServerId: string;
  messageId: string;
  recipient: string;
  sender: string;
  timeStamp: Date | null;
  readStatus: ReadStatus;
  statusText: string;
}

export interface Mm7CancelReq extends Common {
  type: 'CancelReq';
  vaspId: string;
  vasId: string;
  messageId: string;
}

/** Answers with only a status, and the errors of both sides, which are sent as SOAP faults. */
export interface Mm7StatusRsp extends Common {
  type: 'DeliveryReportRsp' | 'ReadReplyRsp' | 'CancelRsp' | 'RSErrorRsp' | 'VASPErrorRsp';
  status: Mm7Status;
}

/** A SOAP fault without MM7 elements. Read only. Source: SOAP 1.1 §4.4. */
export interface Mm7Fault extends Common {
  type: 'Fault';
  faultCode: string;
  faultString: string;
}

export type Mm7Written =
  | Mm7SubmitReq
  | Mm7SubmitRsp
  | Mm7DeliverReq
  | Mm7DeliverRsp
  | Mm7DeliveryReportReq
  | Mm7ReadReplyReq
  | Mm7CancelReq
  | Mm7StatusRsp;

export type Mm7Message = Mm7Written | Mm7Fault;
