/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface HomeShown {
  checklist: HomeStep[];
  first: { from: string; to: string | null } | null;
  pair: boolean;
  carriers: { up: number; all: number } | null;
  attention: HomeAttention[];
  demo: { messages: number; from: string; until: string } | null;
}

export interface HomeStep {
  step: 'number' | 'campaign' | 'carrier' | 'webhook' | 'accepted' | 'answered';
  done: boolean;
  facts: {
    state?: string;
    name?: string | null;
    binds?: number;
    address?: string | null;
    number?: string | null;
    status?: string | null;
    campaignId?: string;
    messageId?: string;
    tookMs?: number | null;
    from?: string;
    at?: string;
    endpointId?: string;
    deliveryId?: string;
  };
}

export interface HomeAttention {
  kind:
    | 'campaign'
    | 'clock'
    | 'alert'
    | 'carrier down'
    | 'bind down'
    | 'limit'
    | 'certificate'
    | 'carrier certificate'
    | 'budget'
    | 'endpoint failing'
    | 'endpoint disabled'
    | 'unmatched receipts'
    | 'held messages'
    | 'uncertain messages';
  name: string | null;
  state: string | null;
  count: number | null;
  since: string | null;
  href: string | null;
}

export interface SeededPair {
  bearerToken: string;
  authToken: string;
}

export interface HomePeriod {
  period: '24h' | '7d' | '30d';
  from: string;
  until: string;
  beforeFrom: string;
  beforeUntil: string;
  /** The log is still being counted: figures are too low. */
  behind: boolean;
  bars: HomeBar[];
  total: PeriodFigures;
  before: PeriodFigures;
  reasons: HomeReason[];
}

export interface HomeBar {
  from: string;
  until: string;
  /** Taken by a carrier. */
  sent: number;
  delivered: number;
  /** Undelivered, expired, or not sent. */
  failed: number;
  /** Sent, and without an outcome so far. */
  waiting: number;
  replies: number;
}

export interface PeriodFigures {
  /** Taken by a carrier. */ sent: number;
  delivered: number;
  /** Undelivered, expired, or not sent. */
  failed: number;
  /** Sent, and without an outcome so far. */
  waiting: number;
  replies: number;
  /** Of the messages with an outcome; null without any. */
  deliveryRate: number | null;
  /** Half of the delivered ones took no longer; null without any. */
  medianMs: number | null;
}

export interface HomeReason {
  code: string;
  count: number;
  before: number;
  bars: number[];
}

export interface HomeRoutes {
  'GET /home': {
    query: Record<never, never>;
    body: undefined;
    answer: HomeShown;
  };
  'GET /home/figures': {
    query: { period?: string | null; timeZone?: string | null };
    body: undefined;
    answer: HomePeriod;
  };
  'GET /home/pair': {
    query: Record<never, never>;
    body: undefined;
    answer: SeededPair;
  };
}
