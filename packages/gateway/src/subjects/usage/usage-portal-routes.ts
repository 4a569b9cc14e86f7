/**
 * `/usage/budget`, `/usage/outcomes` and `/usage/statement-lines`: use of the monthly budget, outcomes by day and group
 * compared with the days before, the statement for printing. Messages of long periods are read backwards, within a
 * bound.
 */

import { rejection, success } from '../../http/exchange.ts';
import { ownerOf } from '../../http/owner.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { textQueries, textQuery } from '../../http/query-fields.ts';
import { answers } from '../../http/route.ts';
import { day, extended, flag, list, named, object, oneOf, orNull, plain, whole } from '../../http/shape.ts';
import { dayMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import {
  type DayRange,
  dayOf,
  daysIn,
  isDay,
  rangeBefore,
  type UsageFilter,
  type UsageGrouping,
  type UsageOwner,
  usageGroupings,
  usageLimits,
} from '../../model/usage.ts';
import type { BudgetOf } from './budget.ts';
import { countedBy, hourlyCounts, type OutcomeCounts, placedRows } from './outcomes.ts';
import type { UsageService } from './report.ts';
import type { HourlySum } from './store/hourly.ts';
import type { UsageStore } from './store/module.ts';
import { monthQuery, usageFilterOf, usageFilters } from './usage-routes.ts';

const budgetUse = named(
  'BudgetUse',
  object({
    monthly: plain(),
    currency: plain(),
    spent: plain(),
    percent: whole(),
  }),
);

const outcomeCounts = named('OutcomeCounts', object({ delivered: whole(), failed: whole(), waiting: whole() }));
const namedCounts = list(extended(outcomeCounts, { name: plain() }));

const outcomes = named(
  'Outcomes',
  object({
    from: day,
    to: day,
    /** Days without messages are omitted. */
    days: namedCounts,
    before: outcomeCounts,
    groups: namedCounts,
    looked: whole('The newest messages of the period, of which the groups are; where there is a filter, the days too.'),
    whole: flag('Whether these are all messages of the period.'),
  }),
);

const statementTable = named(
  'Statement',
  object({
    from: day,
    to: day,
    currency: orNull(plain()),
    lines: list(
      object({
        from: day,
        to: day,
        number: plain(),
        campaign: plain(),
        country: plain(),
        kind: oneOf(['SMS', 'MMS']),
        messages: whole(),
        unit: oneOf(['segment', 'message']),
        units: whole(),
        price: orNull(plain()),
        cost: orNull(plain()),
      }),
    ),
    messages: whole(),
    cost: orNull(plain()),
  }),
);

export interface UsagePortalParts {
  store: Pick<UsageStore, 'outcomes' | 'hourlyOutcomes'>;
  budgetOf: BudgetOf;
  statement: UsageService['statement'];
}

/** The most messages of one period that are read, newest first: a few hundredths of a second of the reading thread. */
export const outcomesLook = 20_000;
/** More lines than anybody prints. */
export const printedLinesMax = 2_000;

export function usagePortalRoutes({ store, budgetOf, statement }: UsagePortalParts): PortalModule {
  return (routes, { clock, directory }) => {
    /** The hourly counts include every message, but not its number and so on; for a filter, messages are read. */
    async function countedOf(owner: UsageOwner, range: DayRange, filter: UsageFilter, by: UsageGrouping) {
      const { accountId } = owner;
      const spanOf = ({ from, to }: DayRange) => ({ from: Date.parse(from), until: Date.parse(to) + dayMs });
      const days = Array.from({ length: daysIn(range) }, (_, i) => dayOf(Date.parse(range.from) + i * dayMs));
      const before = rangeBefore(range);
      const rows = await store.outcomes({ accountId, ...spanOf(range), look: outcomesLook });
      const placed = placedRows(rows, owner, filter, directory());
      const looked = {
        looked: rows.reduce((sum, { count }) => sum + count, 0),
        groups: listed(countedBy(placed, by)),
      };
      if (Object.values(filter).some((value) => value !== null)) {
        const past = await store.outcomes({ accountId, ...spanOf(before), look: outcomesLook });
        const pastDays = countedBy(placedRows(past, owner, filter, directory()), 'day');
        return { ...looked, days: listed(countedBy(placed, 'day')), before: summed([...pastDays.values()]) };
      }
      const spans = [...days.map((day) => spanOf({ from: day, to: day })), spanOf(before)];
      const hourly = await store.hourlyOutcomes({ ...owner, spans });
      const sums = spans.map((): HourlySum[] => []);
      for (const sum of hourly) sums[sum.span]!.push(sum);
      const counts = sums.map((sum) => summed([hourlyCounts(sum)]));
      return {
        ...looked,
        days: days.flatMap((name, i) => (sums[i]!.length === 0 ? [] : [{ name, ...counts[i]! }])),
        before: counts.at(-1)!,
      };
    }

    routes.add({
      method: 'GET',
      path: '/usage/budget',
      access: 'readUsage',
      answer: answers(orNull(budgetUse), 'The budget of this month'),
      work: async (call) => success('The budget of this month.', await budgetOf(ownerOf(call))),
    });

    routes.add({
      method: 'GET',
      path: '/usage/outcomes',
      access: 'readUsage',
      query: {
        ...textQueries({
          from: 'A day, `2026-11-01`, UTC; the first of the month when left out.',
          to: 'Until this day.',
        }),
        groupBy: textQuery('How to group.', { enum: [...usageGroupings], default: 'number' }),
        ...usageFilters,
      },
      answer: answers(outcomes, 'What became of messages by the day (UTC) of their acceptance, and by group'),
      work: async (call) => {
        const { query } = call;
        const to = query.to ?? dayOf(clock.now());
        const from = query.from ?? `${to.slice(0, 7)}-01`;
        if (!isDay(from) || !isDay(to) || from > to) {
          return rejection('INVALID_FIELD', 'The query parameters from and to must be days like 2026-11-30, in order.');
        }
        if (daysIn({ from, to }) > usageLimits.daysMax) {
          return rejection('INVALID_FIELD', `Ask for at most ${usageLimits.daysMax} days at once.`);
        }
        const by = usageGroupings.find((one) => one === (query.groupBy ?? 'number'));
        const filter = usageFilterOf(query);
        if (by === undefined) {
          const detail = `The query parameter groupBy must be one of ${usageGroupings.join(', ')}.`;
          return rejection('INVALID_FIELD', detail);
        }
        if (typeof filter === 'string') return rejection('INVALID_FIELD', filter);
        const found = await countedOf(ownerOf(call), { from, to }, filter, by);
        const detail = `The outcomes of messages from ${from} to ${to} (UTC).`;
        return success(detail, { from, to, ...found, whole: found.looked < outcomesLook });
      },
    });

    routes.add({
      method: 'GET',
      path: '/usage/statement-lines',
      access: 'readUsage',
      query: { month: monthQuery },
      answer: answers(statementTable, 'The statement of a month, to be printed'),
      work: async (call) => {
        const table = await statement(ownerOf(call), call.query.month, printedLinesMax);
        if (table !== null) return success(`A statement of ${counted(table.lines.length, 'line')}.`, table);
        const detail = `The statement of this month has more than ${printedLinesMax} lines. Download it as CSV.`;
        return rejection('INVALID_FIELD', detail);
      },
    });
  };
}

function listed(groups: ReadonlyMap<string, OutcomeCounts>): (OutcomeCounts & { name: string })[] {
  return [...groups].map(([name, counts]) => ({ name, ...counts })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function summed(all: readonly OutcomeCounts[]): OutcomeCounts {
  const sum = (name: keyof OutcomeCounts) => all.reduce((total, counts) => total + counts[name], 0);
  return { delivered: sum('delivered'), failed: sum('failed'), waiting: sum('waiting') };
}
