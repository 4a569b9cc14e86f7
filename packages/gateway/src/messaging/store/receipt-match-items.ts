/** Parameters and results of matching receipts by hand, and of counting carrier refusals. Types only. */
import type { EpochMs } from '../../kernel/clock.ts';
import type { MessageId } from '../../kernel/ids.ts';
import type { Receipt } from '../../model/delivery.ts';
import type { DeliveryState } from '../../model/lifecycle.ts';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import type { MatchCandidate, MatchFault } from '../../model/receipt-match.ts';
import type { Transition } from './transition.ts';

/** Identifies a kept receipt. */
export type ReceiptName = Pick<Receipt, 'carrier' | 'carrierMessageId' | 'to' | 'state'>;

export interface FoundCandidate extends MatchCandidate {
  /** The sent text; for comparing, not for display. Null after its retention. */
  text: string | null;
}

export type MatchOutcome =
  | { kind: 'matched'; moves: Transition[] }
  /** The receipt is no longer kept: it was matched, or its day is over. */
  | { kind: 'no receipt' }
  | { kind: 'no message' }
  | { kind: 'refused'; fault: MatchFault };

export interface CarrierErrors {
  /** Events examined, and the time of the oldest; null when there is none. */
  looked: number;
  since: EpochMs | null;
  errors: {
    carrier: string;
    /** `queued`: it will be tried again. */
    state: DeliveryState;
    code: OutcomeCode | null;
    carrierCode: string | null;
    count: number;
    lastAt: EpochMs;
  }[];
}

export interface ReceiptCandidatesQuery {
  receipt: ReceiptName;
  messageId: MessageId | null;
}

export interface MatchReceiptRequest {
  receipt: ReceiptName;
  messageId: MessageId;
  part: number;
  audit: NewAuditEntry;
}
