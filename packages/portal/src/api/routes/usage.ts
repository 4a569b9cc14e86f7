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
  /** Messages that were looked at, the newest. */
  looked: number;
  /** Whether that is the whole period. */
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
  /** What SMS are billed by. */
  smsSegments: number;
  /** What MMS are billed by: one for each recipient. */
  mmsMessages: number;
  /** Exact, as decimal text; null for an account without rates. */
  cost: string | null;
  /** Messages of days before the first rate: counted, and in no cost. */
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
