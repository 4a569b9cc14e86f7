/** Shapes of the answers in `usage-portal-routes.ts`. */
import { day, flag, list, named, object, orNull, plain, whole } from '../../http/shape.ts';

export const budgetUse = named(
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

export const outcomes = named(
  'Outcomes',
  object({
    from: day,
    to: day,
    looked: whole('Messages that were looked at, the newest.'),
    whole: flag('Whether that is the whole period.'),
    rows: list(outcomeRow),
  }),
);
