/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface CarrierBoard {
  range: '1h' | '6h' | '24h' | '7d' | '30d';
  from: string;
  until: string;
  beforeFrom: string;
  beforeUntil: string;
  carriers: CarrierBoardRow[];
}

export interface CarrierBoardRow {
  carrierId: string;
  name: string;
  environment: 'sandbox' | 'live';
  enabled: boolean;
  now: CarrierFigures;
  before: CarrierFigures;
  /** The gravest first. */
  worse: CarrierWorse[];
  /** Messages taken in each bar; null = a gap. */
  trend: (number | null)[];
}

export interface CarrierFigures {
  /** Messages that the carrier took. */ taken: number;
  tries: number;
  /** Messages taken per second of the time that was watched; null = nobody watched. */
  perSecond: number | null;
  /** Tries that it refused, for now or for good. */
  refused: number;
  /** Of the tries, 0 to 1 */
  refusalRate: number | null;
  /** Tries that it refused as too many at once. */
  throttled: number;
  delivered: number;
  undelivered: number;
  /** Delivered, of the messages with a final receipt, 0 to 1 */
  deliveryRate: number | null;
  /** Final receipts that came, of the messages taken in the same time. Above 1 when they are of earlier messages; null where none are asked for. */
  receiptRate: number | null;
  /** From the taking to the final receipt, of a sample. */
  delayP50Ms: number | null;
  delayP95Ms: number | null;
  /** Messages that fell into doubt. */
  uncertain: number;
  /** Of the tries, 0 to 1 */
  uncertainRate: number | null;
  /** Messages in doubt whose fate became known, or that were sent again. */
  resolved: number;
  /** Of the window, on average, 0 to 1 */
  windowUse: number | null;
  windowPeak: number;
  /** Messages that waited, on average. */
  queued: number | null;
  queuedPeak: number;
  /** For how long the oldest of them had been due, at most. */
  oldestPeakMs: number;
  /** Of the time that was watched, 0 to 1 */
  upShare: number | null;
  limit: {
    factor: 'off' | 'paused' | 'opening' | 'down' | 'unanswered' | 'rate' | 'throttled' | 'window';
    /** Of the time that was watched. */
    share: number;
  } | null;
  /** For how long the gateway watched; 0 = it did not run: a gap. */
  watchedMs: number;
}

export interface CarrierWorse {
  figure: 'refusalRate' | 'deliveryRate' | 'receiptRate' | 'delayP50Ms' | 'uncertainRate' | 'upShare';
  now: number;
  before: number;
  /** How grave it is. */
  weight: number;
}

export interface CarrierHistory {
  range: '1h' | '6h' | '24h' | '7d' | '30d';
  from: string;
  until: string;
  beforeFrom: string;
  beforeUntil: string;
  carrierId: string;
  name: string;
  now: CarrierFigures;
  before: CarrierFigures;
  /** The gravest first. */
  worse: CarrierWorse[];
  bars: CarrierHistoryBar[];
  /** The most first. */
  codes: {
    /** A try that was refused, or a message with a receipt that it failed. */ part: 'refused' | 'undelivered';
    code: string;
    count: number;
    before: number;
  }[];
}

export type CarrierHistoryBar = CarrierFigures & { from: string; until: string };

export interface CarrierHistoryRoutes {
  'GET /carrier-history': {
    query: { range?: string | null };
    body: undefined;
    answer: CarrierBoard;
  };
  'GET /carrier-history/:carrierId': {
    query: { range?: string | null };
    body: undefined;
    answer: CarrierHistory;
  };
}
