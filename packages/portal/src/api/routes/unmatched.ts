/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface KeptReceipt {
  carrier: string;
  carrierMessageId: string;
  to: string | null;
  state: string;
  code: string | null;
  carrierCode: string | null;
  raw: string;
  receivedAt: string;
}

export interface ReceiptCandidates {
  receipt: KeptReceipt;
  candidates: ReceiptCandidate[];
}

export interface ReceiptCandidate {
  messageId: string;
  accountId: string;
  accountName: string;
  acceptedAt: string;
  carrier: string | null;
  partState: string | null;
  partsMissing: number;
  from: string;
  to: string;
  state: string;
  part: number;
  partCount: number;
  carrierMessageId: string | null;
  handedOverAt: string;
  refusal: string | null;
  clues: {
    speaks: 'for' | 'against' | 'neither';
    what:
      | 'same handset'
      | 'no handset named'
      | 'waits for its receipt'
      | 'never answered'
      | 'over already'
      | 'other form of the id'
      | 'id contained'
      | 'other id'
      | 'no id on record'
      | 'before the message'
      | 'after the message'
      | 'submit date fits'
      | 'submit date differs'
      | 'text fits'
      | 'text differs';
    byMs?: number;
  }[];
}

export interface MatchedReceipt {
  /** The new state of the message; null if it did not change. */ moved: string | null;
}

export interface UnmatchedRoutes {
  'GET /unmatched': {
    query: Record<never, never>;
    body: undefined;
    answer: KeptReceipt[];
  };
  'POST /unmatched/candidates': {
    query: Record<never, never>;
    body: unknown;
    answer: ReceiptCandidates;
  };
  'POST /unmatched/match': {
    query: Record<never, never>;
    body: unknown;
    answer: MatchedReceipt;
  };
}
