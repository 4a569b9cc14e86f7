/** `/api/v1/usage`: usage and cost of the caller's account and environment, and the monthly statement as CSV. */

import { rejection, success } from '../../http/exchange.ts';
import { ownerOf } from '../../http/owner.ts';
import {
  numberQuery,
  type QueryField,
  type QueryOf,
  textQueries,
  textQuery,
  wholeQuery,
} from '../../http/query-fields.ts';
import { answersPage, answersRaw } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { day, extended, list, named, object, oneOf, orNull, plain, written } from '../../http/shape.ts';
import {
  type DayRange,
  daysIn,
  daysOfMonth,
  isDay,
  type UsageFilter,
  type UsageGrouping,
  usageGroupings,
  usageLimits,
} from '../../model/usage.ts';
import { statementCsv, statementLinesMax, type UsageQuery, type UsageService } from './report.ts';

const count = (description?: string) =>
  written<number>({ type: 'integer', minimum: 0, ...(description !== undefined && { description }) });

const usageFigures = named(
  'UsageFigures',
  object({
    smsMessages: count(),
    smsSegments: count('The unit in which SMS are billed.'),
    mmsMessages: count('The unit in which MMS are billed: one for each recipient.'),
    cost: written<string | null>({
      type: ['string', 'null'],
      pattern: '^[0-9]+\\.[0-9]{2,6}$',
      description: 'Exact, as decimal text; null for an account without rates.',
    }),
    unpricedMessages: count('Messages of days before the first rate: counted without a cost.'),
  }),
);

const usage = named(
  'Usage',
  object({
    from: day,
    to: day,
    groupBy: oneOf(usageGroupings),
    currency: orNull(plain('ISO 4217.')),
    total: usageFigures,
    before: orNull(object({ from: day, to: day, total: usageFigures })),
    groups: list(
      extended(usageFigures, { name: plain('`""` where there is none.'), before: orNull(usageFigures) }),
      '`total` is of all groups, also of those on other pages.',
    ),
  }),
);

const { daysMax, groupsMax } = usageLimits;

/** An empty value selects messages without one. */
export const usageFilters = {
  number: numberQuery('Only what was sent from this number.'),
  ...textQueries({
    campaign: 'Only this campaign; empty: without one.',
    kind: 'Only `SMS` or `MMS`.',
    country: 'Only to this country, `US`; empty: unknown.',
    key: 'Only by this API key; `portal:` and a user id: by this person in the portal.',
    carrier: 'Only over this carrier.',
  }),
};

/** The filter, or the sentence about its fault. */
export function usageFilterOf(values: QueryOf<typeof usageFilters>): UsageFilter | string {
  const { number, campaign, kind, country, key, carrier } = values;
  if (kind !== null && kind !== 'SMS' && kind !== 'MMS') return 'The query parameter kind must be SMS or MMS.';
  return { number, campaign, kind, country, key, carrier };
}

const fields = {
  from: textQuery('First day; by default the first of the month of `to`.', day),
  to: textQuery('Last day; by default today.', day),
  groupBy: textQuery('How to group.', { enum: [...usageGroupings], default: 'day' }),
  compare: textQuery('`before`: also the figures of as many days right before, of all and of each group but days.', {
    enum: ['before'],
  }),
  ...usageFilters,
  after: textQuery('`next` of the previous page.'),
  limit: wholeQuery({ min: 1, max: groupsMax, whenMissing: groupsMax }, 'Groups of one page.'),
};
const permission = 'readUsage';

export function usageRoutes(service: UsageService): RouteModule {
  return (_app, { guarded }) => {
    guarded.add({
      method: 'GET',
      path: '/api/v1/usage',
      scope: 'read',
      people: { permission },
      operationId: 'getUsage',
      summary: 'Usage and its cost',
      description: `A message counts once, when a carrier has taken it. At most ${daysMax} days; days are UTC. Usage is about a second behind.`,
      query: fields,
      answer: answersPage(usage, 'after', 'Sums'),
      work: async (call) => {
        const query = usageQuery(call.query, service.today());
        if (typeof query === 'string') return rejection('INVALID_FIELD', query);
        const { currency, total, before, groups, next } = await service.read(ownerOf(call), query);
        const { from, to, groupBy } = query;
        const detail = `Usage from ${from} to ${to} (UTC) by ${groupBy}.`;
        return success(detail, { from, to, groupBy, currency, total, before, groups }, next);
      },
    });

    guarded.add({
      method: 'GET',
      path: '/api/v1/usage/statement',
      scope: 'read',
      people: { permission, holdsNoText: true },
      operationId: 'getStatement',
      summary: 'The statement of a month as a table',
      description: 'One line for each number, campaign, country, kind and price within the month; the total last.',
      query: { month: monthQuery },
      answer: answersRaw(
        'text/csv',
        'from, to, number, campaign, country, kind, messages, unit, units, price, cost, currency; UTF-8 with a byte order mark, lines end in CRLF (RFC 4180)',
      ),
      work: async (call) => {
        const { month } = call.query;
        const table = await service.statement(ownerOf(call), month);
        if (table === null) {
          const detail = `The statement of this month has more than ${statementLinesMax} lines. Read GET /api/v1/usage instead.`;
          return rejection('INVALID_FIELD', detail);
        }
        const fileName = `statement-${month.from.slice(0, 7)}.csv`;
        return {
          status: 200,
          reason: 'SUCCESS',
          body: statementCsv(table),
          contentType: 'text/csv; charset=utf-8',
          headers: ['Content-Disposition', `attachment; filename="${fileName}"`],
        };
      },
    });
  };
}

function usageQuery(values: QueryOf<typeof fields>, today: string): UsageQuery | string {
  const { after, limit } = values;
  const to = values.to ?? today;
  const from = values.from ?? `${to.slice(0, 7)}-01`;
  if (!isDay(from) || !isDay(to)) return 'The query parameters from and to must be days like 2026-11-30.';
  if (from > to) return 'The query parameter from must not be later than to.';
  if (daysIn({ from, to }) > daysMax) return `Ask for at most ${daysMax} days at once.`;
  const groupBy = values.groupBy ?? 'day';
  if (!isGrouping(groupBy)) return `The query parameter groupBy must be one of ${usageGroupings.join(', ')}.`;
  if (values.compare !== null && values.compare !== 'before') return 'The query parameter compare must be before.';
  const filter = usageFilterOf(values);
  if (typeof filter === 'string') return filter;
  return { from, to, groupBy, compare: values.compare === 'before', filter, after, limit };
}

export const monthQuery: QueryField<DayRange> = {
  schema: { type: 'string', pattern: '^20[0-9]{2}-[0-9]{2}$' },
  description: 'Like 2026-11.',
  required: true,
  read: (_name, value) => {
    const month = value === null ? null : daysOfMonth(value);
    return month === null ? { fault: 'The query parameter month must be a month like 2026-11.' } : { value: month };
  },
};

function isGrouping(text: string): text is UsageGrouping {
  return (usageGroupings as readonly string[]).includes(text);
}
