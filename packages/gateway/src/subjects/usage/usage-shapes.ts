/** The shapes of usage: sums, and what they cost. */
import { day, extended, list, named, object, oneOf, orNull, plain, written } from '../../http/shape.ts';
import { usageGroupings } from '../../model/usage.ts';

const count = (description?: string) =>
  written<number>({ type: 'integer', minimum: 0, ...(description !== undefined && { description }) });

export const usageFigures = named(
  'UsageFigures',
  object({
    smsMessages: count(),
    smsSegments: count('What SMS are billed by.'),
    mmsMessages: count('What MMS are billed by: one for each recipient.'),
    cost: written<string | null>({
      type: ['string', 'null'],
      pattern: '^[0-9]+\\.[0-9]{2,6}$',
      description: 'Exact, as decimal text; null for an account without rates.',
    }),
    unpricedMessages: count('Messages of days before the first rate: counted, and in no cost.'),
  }),
);

export const usage = named(
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
