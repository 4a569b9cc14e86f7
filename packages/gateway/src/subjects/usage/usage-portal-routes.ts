/**
 * `/usage/budget` and `/usage/outcomes`: use of the monthly budget, and outcomes by day and number. Long periods are
 * read backwards within a bound.
 */

import { rejection, success } from '../../http/exchange.ts';
import { ownerOf } from '../../http/owner.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { textQueries } from '../../http/query-fields.ts';
import { answers } from '../../http/route.ts';
import { day, flag, list, named, object, orNull, plain, whole } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import type { OutcomeRow } from '../../model/usage.ts';
import { dayOf, daysIn, isDay, usageLimits } from '../../model/usage.ts';
import type { BudgetOf } from './budget.ts';
import type { UsageStore } from './store/module.ts';

const budgetUse = named(
  'BudgetUse',
  object({
    monthly: plain(),
    currency: plain(),
    spent: plain(),
    percent: whole(),
  }),
);

const outcomeRow = named(
  'OutcomeRow',
  object({
    day: plain(),
    number: plain(),
    state: plain(),
    count: whole(),
    campaignId: orNull(plain()),
  }),
);

const outcomes = named(
  'Outcomes',
  object({
    from: day,
    to: day,
    looked: whole('The newest messages, all that were counted.'),
    whole: flag('Whether these are all messages of the period.'),
    rows: list(outcomeRow),
  }),
);

export interface UsagePortalParts {
  store: Pick<UsageStore, 'outcomes'>;
  budgetOf: BudgetOf;
}

/** Messages of one period that are looked at, the newest: a few hundredths of a second of the reading thread. */
export const outcomesLook = 20_000;
const dayMs = 86_400_000;

export function usagePortalRoutes({ store, budgetOf }: UsagePortalParts): PortalModule {
  return (routes, { clock, directory }) => {
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
      query: textQueries({
        from: 'A day, `2026-11-01`, UTC; the first of the month when left out.',
        to: 'Until this day.',
      }),
      answer: answers(outcomes, 'What became of it, by day and number'),
      work: async ({ account, environment, query }) => {
        const to = query.to ?? dayOf(clock.now());
        const from = query.from ?? `${to.slice(0, 7)}-01`;
        if (!isDay(from) || !isDay(to) || from > to) {
          return rejection('INVALID_FIELD', 'The query parameters from and to must be days like 2026-11-30, in order.');
        }
        if (daysIn({ from, to }) > usageLimits.daysMax) {
          return rejection('INVALID_FIELD', `Ask for at most ${usageLimits.daysMax} days at once.`);
        }
        const { accountId } = account;
        const period = { from: Date.parse(from), until: Date.parse(to) + dayMs };
        const rows = await store.outcomes({ accountId, ...period, look: outcomesLook });
        const looked = rows.reduce((sum, { count }) => sum + count, 0);
        const isOurs = ({ number }: OutcomeRow) => {
          const known = directory().number(number);
          return known === undefined || (known.accountId === accountId && known.environment === environment);
        };
        return success(`The outcomes of ${counted(looked, 'message')}.`, {
          from,
          to,
          looked,
          whole: looked < outcomesLook,
          rows: rows.filter(isOurs).map((row) => ({
            ...row,
            campaignId: directory().number(row.number)?.campaignId ?? null,
          })),
        });
      },
    });
  };
}
