/** `/api/v1/usage`: usage and cost of the caller's account and environment, and the monthly statement as CSV. */

import { rejection, success } from '../../http/exchange.ts';
import { ownerOf } from '../../http/owner.ts';
import { type QueryField, type QueryOf, textQuery, wholeQuery } from '../../http/query-fields.ts';
import { answersPage, answersRaw } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { day, extended, list, named, object, oneOf, orNull, plain, written } from '../../http/shape.ts';
import {
  type DayRange,
  daysIn,
  daysOfMonth,
  isDay,
  type UsageGrouping,
  usageGroupings,
  usageLimits,
} from '../../model/usage.ts';
import { statementLinesMax, type UsageQuery, type UsageService } from './report.ts';

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
    groups: list(
      extended(usageFigures, { name: plain('`""` where there is none.') }),
      '`total` is of all groups, also of those on other pages.',
    ),
  }),
);

const { daysMax, groupsMax } = usageLimits;

const fields = {
  from: textQuery('First day; by default the first of the month of `to`.', day),
  to: textQuery('Last day; by default today.', day),
  groupBy: textQuery('How to group.', { enum: [...usageGroupings], default: 'day' }),
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
        const { currency, total, groups, next } = await service.read(ownerOf(call), query);
        const { from, to, groupBy } = query;
        const detail = `Usage from ${from} to ${to} (UTC) by ${groupBy}.`;
        return success(detail, { from, to, groupBy, currency, total, groups }, next);
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
          body: table,
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
  return { from, to, groupBy, after, limit };
}

const monthQuery: QueryField<DayRange> = {
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
