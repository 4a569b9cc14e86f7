/** Calls about usage: quantities and costs, by day, number and so on. */
import { HeliographError } from './heliograph-error.ts';
import type { CallOptions } from './options.ts';
import { type Transport, withQuery } from './transport.ts';

/** The dimensions to group by. */
export const usageGroupings = ['day', 'number', 'campaign', 'kind', 'country', 'key', 'carrier'] as const;

/** A newer gateway may know more. */
export type UsageGrouping = (typeof usageGroupings)[number] | (string & {});

export interface UsageFilter {
  /** First day (UTC), `YYYY-MM-DD`; default: the first of the month of `to`. */
  from?: string;
  /** Last day; default: today. */
  to?: string;
  /** Default: `day`. */
  groupBy?: UsageGrouping;
}

export interface UsageFigures {
  smsMessages: number;
  smsSegments: number;
  mmsMessages: number;
  /** Exact, as decimal text; null for an account without rates. */
  cost: string | null;
  /** Messages of days before the first rate, which are in no cost. */
  unpricedMessages: number;
}

export interface Usage {
  from: string;
  to: string;
  groupBy: UsageGrouping;
  /** ISO 4217. */
  currency: string | null;
  total: UsageFigures;
  /** All groups; `name` is empty where there is none. */
  groups: (UsageFigures & { name: string })[];
}

export interface UsageCalls {
  /** Usage of these days, at most 366. Throws HeliographError. */
  get(filter?: UsageFilter, options?: CallOptions): Promise<Usage>;
}

export function usageCalls(call: Transport): UsageCalls {
  return {
    async get(filter = {}, options = {}) {
      const groups: Usage['groups'] = [];
      for (let after: string | null = null; ; ) {
        const path = withQuery('/api/v1/usage', { ...filter, after });
        const { envelope } = await call({ method: 'GET', path, repeatable: true }, options);
        const page = envelope.data as Usage | undefined;
        if (!Array.isArray(page?.groups)) {
          throw new HeliographError('INVALID_RESPONSE', 'The answer is no usage.', { status: 200 });
        }
        groups.push(...page.groups);
        if (typeof envelope.next !== 'string') return { ...page, groups };
        after = envelope.next;
      }
    },
  };
}
