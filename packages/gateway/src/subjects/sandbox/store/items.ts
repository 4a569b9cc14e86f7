/**
 * Parameters and results for made-up messages: complete lives with past times, marked by `demoKeyId`, never notified,
 * and removable.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { Encoding, Message, NewDelivery } from '../../../model/delivery.ts';
import type { DemoOutcome } from '../../../model/demo.ts';

/** A request with what became of each recipient. */
export interface DemoRequest {
  message: Message;
  deliveries: NewDelivery[];
  /** One for each delivery, in their order. */
  outcomes: DemoOutcome[];
}

/** What a handset sent. */
export interface DemoReceived {
  messageId: string;
  requestId: string;
  accountId: string;
  carrier: string;
  from: string;
  to: string;
  text: string;
  encoding: Encoding;
  segments: number;
  receivedAt: EpochMs;
}

export interface AddDemoRequest {
  begins: EpochMs;
  sent: DemoRequest[];
  received: DemoReceived[];
}

export interface RemoveDemoRequest {
  accountId: string;
  from: EpochMs;
  until: EpochMs;
  limit: number;
  cursor: string | null;
}
