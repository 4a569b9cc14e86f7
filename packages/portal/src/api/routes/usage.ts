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
  days: (OutcomeCounts & { name: string })[];
  before: OutcomeCounts;
  groups: (OutcomeCounts & { name: string })[];
  /** The newest messages of the period, of which the groups are; where there is a filter, the days too. */
  looked: number;
  /** Whether these are all messages of the period. */
  whole: boolean;
}

export interface OutcomeCounts {
  delivered: number;
  failed: number;
  waiting: number;
}

export interface Statement {
  from: string;
  to: string;
  currency: string | null;
  lines: {
    from: string;
    to: string;
    number: string;
    campaign: string;
    country: string;
    kind: 'SMS' | 'MMS';
    messages: number;
    unit: 'segment' | 'message';
    units: number;
    price: string | null;
    cost: string | null;
  }[];
  messages: number;
  cost: string | null;
}

export interface Usage {
  from: string;
  to: string;
  groupBy: 'day' | 'number' | 'campaign' | 'kind' | 'country' | 'key' | 'carrier';
  /** ISO 4217. */
  currency: string | null;
  total: UsageFigures;
  before: { from: string; to: string; total: UsageFigures } | null;
  /** `total` is of all groups, also of those on other pages. */
  groups: (UsageFigures & {
    /** `""` where there is none. */ name: string;
    before: UsageFigures | null;
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
      compare?: 'before' | null;
      number?: string | null;
      campaign?: string | null;
      kind?: string | null;
      country?: string | null;
      key?: string | null;
      carrier?: string | null;
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
    query: {
      from?: string | null;
      to?: string | null;
      groupBy?: 'day' | 'number' | 'campaign' | 'kind' | 'country' | 'key' | 'carrier' | null;
      number?: string | null;
      campaign?: string | null;
      kind?: string | null;
      country?: string | null;
      key?: string | null;
      carrier?: string | null;
    };
    body: undefined;
    answer: Outcomes;
  };
  'GET /usage/statement': {
    query: { month?: string | null };
    body: undefined;
    answer: never;
  };
  'GET /usage/statement-lines': {
    query: { month?: string | null };
    body: undefined;
    answer: Statement;
  };
}
