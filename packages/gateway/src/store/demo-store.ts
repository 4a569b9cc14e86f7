/**
 * The seam's part for made-up traffic of a sandbox: whole lives of messages, written at once with times of the past, under
 * a key of their own (`demoKeyId`) by which they are never told to anybody and can be removed again.
 */
import type { EpochMs } from '../domain/clock.ts';
import type { Encoding, Message, NewDelivery } from '../domain/delivery.ts';
import type { DemoOutcome } from '../domain/demo-traffic.ts';

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

export interface DemoStore {
  /**
   * Stores messages that are over, with their timelines, in the lists and conversations. In the order of time; `begins` is the
   * time of the first of all. Nothing may be stored twice.
   */
  addDemo(request: { begins: EpochMs; sent: DemoRequest[]; received: DemoReceived[] }): Promise<void>;
  /**
   * Removes what was made up between two times: looks at no more than `limit` messages, and takes their usage with the last
   * step. `cursor` is what the step before gave, null for the first; null comes back after the last.
   */
  removeDemo(request: {
    accountId: string;
    from: EpochMs;
    until: EpochMs;
    limit: number;
    cursor: string | null;
  }): Promise<{ deleted: number; cursor: string | null }>;
}
