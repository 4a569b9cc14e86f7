/** Calls about usage: what was used and what it costs, by day, number and so on. */
import { HeliographError } from './heliograph-error.ts';
import type { CallOptions } from './options.ts';
import { type Transport, withQuery } from './transport.ts';

/** What groups can be made by. */
export const usageGroupings = ['day', 'number', 'campaign', 'kind', 'country', 'key', 'carrier'] as const;

/** A newer gateway may know more. */
export type UsageGrouping = (typeof usageGroupings)[number] | (string & {});

export interface UsageFilter {
  /** First day (UTC), `YYYY-MM-DD`; the first of the month of `to` unless told. */
  from?: string;
  /** Last day; today unless told. */
  to?: string;
  /** `day` unless told. */
  groupBy?: UsageGrouping;
}

export interface UsageFigures {
  smsMessages: number;
  smsSegments: number;
  mmsMessages: number;
  /** Exact, as decimal text; null for an account without rates. */
  cost: string | null;
  /** Messages of days before the first rate: in no cost. */
  unpricedMessages: number;
}

export interface Usage {
  from: string;
  to: string;
  groupBy: UsageGrouping;
  /** ISO 4217. */
  currency: string | null;
  total: UsageFigures;
  /** All of them; `name` is empty where there is none. */
  groups: (UsageFigures & { name: string })[];
}

export interface UsageCalls {
  /** What was used on these days, at most 366 of them. Throws HeliographError. */
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
