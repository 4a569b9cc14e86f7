/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface BudgetUse {
  monthly: string;
  currency: string;
  spent: string;
  percent: number;
}

export interface Outcomes {
  from: string;
  to: string;
  /** The newest messages, all that were counted. */
  looked: number;
  /** Whether these are all messages of the period. */
  whole: boolean;
  rows: OutcomeRow[];
}

export interface OutcomeRow {
  day: string;
  number: string;
  state: string;
  count: number;
  campaignId: string | null;
}

export interface Usage {
  from: string;
  to: string;
  groupBy: 'day' | 'number' | 'campaign' | 'kind' | 'country' | 'key' | 'carrier';
  /** ISO 4217. */
  currency: string | null;
  total: UsageFigures;
  /** `total` is of all groups, also of those on other pages. */
  groups: (UsageFigures & {
    /** `""` where there is none. */ name: string;
  })[];
}

export interface UsageFigures {
  smsMessages: number;
  /** The unit in which SMS are billed. */
  smsSegments: number;
  /** The unit in which MMS are billed: one for each recipient. */
  mmsMessages: number;
  /** Exact, as decimal text; null for an account without rates. */
  cost: string | null;
  /** Messages of days before the first rate: counted without a cost. */
  unpricedMessages: number;
}

export interface UsageRoutes {
  'GET /usage': {
    query: {
      from?: string | null;
      to?: string | null;
      groupBy?: 'day' | 'number' | 'campaign' | 'kind' | 'country' | 'key' | 'carrier' | null;
      after?: string | null;
      limit?: number | null;
    };
    body: undefined;
    answer: Usage;
  };
  'GET /usage/budget': {
    query: Record<never, never>;
    body: undefined;
    answer: BudgetUse | null;
  };
  'GET /usage/outcomes': {
    query: { from?: string | null; to?: string | null };
    body: undefined;
    answer: Outcomes;
  };
  'GET /usage/statement': {
    query: { month?: string | null };
    body: undefined;
    answer: never;
  };
}
