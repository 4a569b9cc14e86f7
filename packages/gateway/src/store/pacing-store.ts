/**
 * The seam's part for the limits that networks set and for hours in which nothing goes: what was handed over to carriers
 * since a time, as the log has it, and what waits for its turn. Every look is bounded.
 */
import type { EpochMs } from '../domain/clock.ts';
import type { MessageKind } from '../domain/records.ts';

/** Where in the queues a look went on to. */
export interface WaitingPlace {
  lane: string;
  dueAt: EpochMs;
  messageId: string;
}

export interface WaitingMessage {
  messageId: string;
  /** The sender. */
  number: string;
  dueAt: EpochMs;
}

/** What a number handed over of one kind. */
export interface HandedOver {
  number: string;
  kind: MessageKind;
  /** Seconds since the epoch of what was handed over after `lately`; 0 for all before. */
  second: number;
  /** SMS: segments that the carrier took or may have taken; MMS: messages. */
  units: number;
}

export interface PacingStore {
  /** Place of the log behind which everything stands that was told at `at` or later. */
  positionAt(at: EpochMs): Promise<number>;
  /**
   * What was handed over since `since`, in the log after `after`; looks at no more than `limit` places. When it has reached
   * the end (`more` false), what is in the hands of carriers at that very moment is counted with it.
   */
  handedOver(request: {
    after: number;
    limit: number;
    since: EpochMs;
    lately: EpochMs;
  }): Promise<{ handed: HandedOver[]; position: number; more: boolean }>;
  /** Messages that wait beyond `now` and say why with one of these codes, among the next `limit` that wait. */
  waitingFor(request: {
    codes: readonly string[];
    now: EpochMs;
    after: WaitingPlace | null;
    limit: number;
  }): Promise<{ waiting: WaitingMessage[]; next: WaitingPlace | null }>;
  /** Those of the messages that still wait in the queue are due at `now`. Returns how many were not yet. */
  makeDue(messageIds: string[], now: EpochMs): Promise<number>;
}
