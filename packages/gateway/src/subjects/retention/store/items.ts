/** Parameters and results of retention. Steps are bounded; a kill between two loses only time. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { RetentionCut } from '../../../model/retention.ts';

/** A number whose messages are to go. */
export interface Erasure {
  /** `era_` + 26 characters. */
  erasureId: string;
  accountId: string;
  /** E.164 digits; masked when it is done. */
  peer: string;
  requestedAt: EpochMs;
  /** For people: an e-mail address. */
  requestedBy: string;
  /** Messages that went so far. */
  deleted: number;
  /** Messages that were not final, or so a moment ago: they stay. */
  leftOver: number;
  doneAt: EpochMs | null;
}

export type ForgetMessagesRequest = RetentionCut & {
  endpointIds: string[];
  now: EpochMs;
  limit: number;
  cursor: string | null;
};

export interface ForgetEventsRequest {
  before: EpochMs;
  limit: number;
}

export interface ErasuresQuery {
  accountId: string | null;
  limit: number;
}

export interface EraseRequest {
  erasureId: string;
  endpointIds: string[];
  settledBefore: EpochMs;
  now: EpochMs;
  limit: number;
}
