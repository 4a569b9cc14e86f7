/**
 * `/api/v1/usage`: what the caller's account used and what it costs, by day, number and so on, and the statement of a month
 * as a table. Only the caller's account and environment. What counts, and what it costs, is decided elsewhere.
 */
import {
  type DayRange,
  daysIn,
  daysOfMonth,
  isDay,
  type UsageGrouping,
  usageGroupings,
  usageLimits,
} from '../domain/usage.ts';
import { statementLinesMax, type UsageDesk, type UsageQuery } from '../flow/usage/report.ts';
import { type Answer, rejection, success } from './exchange.ts';
import type { Call } from './guard.ts';
import { valuesOnce, wholeNumber } from './list-query.ts';
import { ownerOf } from './owner.ts';
import type { Query } from './query.ts';
import type { RouteModule } from './server.ts';

const { daysMax, groupsMax } = usageLimits;

export function usageRoutes(desk: UsageDesk): RouteModule {
  async function read(call: Call): Promise<Answer> {
    const query = usageQuery(call.exchange.query, desk.today());
    if (typeof query === 'string') return rejection('INVALID_FIELD', query);
    const { currency, total, groups, next } = await desk.read(ownerOf(call), query);
    const { from, to, groupBy } = query;
    const detail = `Usage from ${from} to ${to} (UTC) by ${groupBy}.`;
    return success(detail, { from, to, groupBy, currency, total, groups }, next);
  }

  async function statement(call: Call): Promise<Answer> {
    const month = monthOf(call.exchange.query);
    if (typeof month === 'string') return rejection('INVALID_FIELD', month);
    const table = await desk.statement(ownerOf(call), month);
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
  }

  return (_app, { guarded }) => {
    guarded.get('/api/v1/usage', 'read', read);
    guarded.get('/api/v1/usage/statement', 'read', statement);
  };
}

function usageQuery(query: Query, today: string): UsageQuery | string {
  const values = valuesOnce(query, ['from', 'to', 'groupBy', 'after', 'limit']);
  if (typeof values === 'string') return values;
  const to = values.to ?? today;
  const from = values.from ?? `${to.slice(0, 7)}-01`;
  if (!isDay(from) || !isDay(to)) return 'The query parameters from and to must be days like 2026-11-30.';
  if (from > to) return 'The query parameter from must not be later than to.';
  if (daysIn({ from, to }) > daysMax) return `Ask for at most ${daysMax} days at once.`;
  const groupBy = values.groupBy ?? 'day';
  if (!isGrouping(groupBy)) return `The query parameter groupBy must be one of ${usageGroupings.join(', ')}.`;
  const limit = wholeNumber('limit', values.limit, { min: 1, max: groupsMax, whenMissing: groupsMax });
  return typeof limit === 'string' ? limit : { from, to, groupBy, after: values.after, limit };
}

function isGrouping(text: string): text is UsageGrouping {
  return (usageGroupings as readonly string[]).includes(text);
}

function monthOf(query: Query): DayRange | string {
  const values = valuesOnce(query, ['month']);
  if (typeof values === 'string') return values;
  const month = values.month === null ? null : daysOfMonth(values.month);
  return month ?? 'The query parameter month must be a month like 2026-11.';
}
