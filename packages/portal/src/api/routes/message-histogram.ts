/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface MessageHistogram {
  from: string;
  until: string;
  /** Length of a bar. Bars begin at multiples of it (UTC). */
  stepMs: number;
  /** Oldest first, without a gap; none when no message was found. */
  bars: MessageHistogramBar[];
  /** Messages in all bars. */
  count: number;
  countedTo: string | null;
  problems: { token: string; sentence: string }[];
}

export interface MessageHistogramBar {
  at: string;
  delivered: number;
  /** Failed, undelivered or expired. */
  failed: number;
  /** Without an outcome: still waiting, or without a receipt. */
  waiting: number;
  received: number;
  canceled: number;
}

export interface MessageHistogramRoutes {
  'GET /message-histogram': {
    query: { q?: string | null };
    body: undefined;
    answer: MessageHistogram;
  };
}
