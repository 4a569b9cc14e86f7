/** The messages of MM4 as values. Source: 3GPP TS 23.140 §8.4. */

import type { ReadStatus } from './mm-status.ts';
import type { MmsMessage } from './mms-message.ts';

interface Common {
  /** The request's id, without quotes; a response repeats it. */
  transactionId: string;
  /** X-Mms-Message-ID, without quotes and angle brackets. Together with the peer it identifies duplicates. */
  messageId: string;
}

interface Request extends Common {
  /** Whether the peer waits for the RES. */
  ackRequest: boolean;
  /** X-Mms-Originator-System, else Sender: the address for the RES. '' when neither is a mail address. Not written. */
  replyTo: string;
}

export interface Mm4ForwardReq extends Request {
  type: 'MM4_forward.REQ';
  message: MmsMessage;
  /** True when the recipient must not see who sent it (X-Mms-Sender-Visibility: Hide). */
  hidesSender: boolean;
}

export interface Mm4DeliveryReportReq extends Request {
  type: 'MM4_delivery_report.REQ';
  /** The intended recipient, in the From of the report. */
  recipient: string;
  /** The sender, in the To of the report. */
  originator: string;
  /** Time of the event; null when the peer gives no readable one. */
  date: Date | null;
  /** As the peer wrote it; see `mmStatus` for its meaning. */
  mmStatus: string;
  statusText: string;
}

export interface Mm4ReadReplyReportReq extends Request {
  type: 'MM4_read_reply_report.REQ';
  recipient: string;
  originator: string;
  date: Date | null;
  readStatus: ReadStatus;
  statusText: string;
}

export interface Mm4Response extends Common {
  type: 'MM4_forward.RES' | 'MM4_delivery_report.RES' | 'MM4_read_reply_report.RES';
  /** X-Mms-Request-Status-Code as the peer wrote it; see `mm4Status` for its meaning. */
  requestStatus: string;
  statusText: string;
  /** X-Internal-Status-Code of Bandwidth; '' elsewhere. Not written. */
  vendorCode: string;
}

export type Mm4Request = Mm4ForwardReq | Mm4DeliveryReportReq | Mm4ReadReplyReportReq;
export type Mm4Message = Mm4Request | Mm4Response;
export type Mm4Type = Mm4Message['type'];

export const mm4Types: readonly Mm4Type[] = [
  'MM4_forward.REQ',
  'MM4_forward.RES',
  'MM4_delivery_report.REQ',
  'MM4_delivery_report.RES',
  'MM4_read_reply_report.REQ',
  'MM4_read_reply_report.RES',
];
