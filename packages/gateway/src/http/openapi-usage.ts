/** The operations of usage. Data only. */
import { usageGroupings, usageLimits } from '../domain/usage.ts';
import { guarded, inQuery, ok, rateHeaders } from './openapi-parts.ts';
import { enveloped, type JsonSchema, pageSchemas } from './schemas.ts';

const { daysMax, groupsMax } = usageLimits;

const day = { type: 'string', format: 'date' } as const;
const count = { type: 'integer', minimum: 0 } as const;

const figures = {
  smsMessages: count,
  smsSegments: { ...count, description: 'What SMS are billed by.' },
  mmsMessages: { ...count, description: 'What MMS are billed by: one for each recipient.' },
  cost: {
    type: ['string', 'null'],
    pattern: '^[0-9]+\\.[0-9]{2,6}$',
    description: 'Exact, as decimal text; null for an account without rates.',
  },
  unpricedMessages: { ...count, description: 'Messages of days before the first rate: counted, and in no cost.' },
} as const;

const figuresSchema: JsonSchema = { type: 'object', required: Object.keys(figures), properties: figures };

const usageSchema: JsonSchema = {
  type: 'object',
  required: ['from', 'to', 'groupBy', 'currency', 'total', 'groups'],
  properties: {
    from: day,
    to: day,
    groupBy: { enum: [...usageGroupings] },
    currency: { type: ['string', 'null'], description: 'ISO 4217.' },
    total: figuresSchema,
    groups: {
      type: 'array',
      description: '`total` is of all groups, also of those on other pages.',
      items: {
        allOf: [
          figuresSchema,
          {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string', description: '`""` where there is none.' } },
          },
        ],
      },
    },
  },
};

export const usageSchemas = { Usage: usageSchema, UsageFigures: figuresSchema };

export const usageOperations: Readonly<Record<string, object>> = {
  '/api/v1/usage': {
    get: guarded({
      operationId: 'getUsage',
      summary: 'What was used, and what it costs',
      description: `A message counts once, when a carrier has taken it. At most ${daysMax} days; days are UTC. Usage is about a second behind.`,
      scope: 'read',
      parameters: [
        inQuery('from', day, 'First day; by default the first of the month of `to`.'),
        inQuery('to', day, 'Last day; by default today.'),
        inQuery('groupBy', { enum: [...usageGroupings], default: 'day' }, 'What the groups are.'),
        inQuery('after', { type: 'string' }, '`next` of the page before.'),
        inQuery(
          'limit',
          { type: 'integer', minimum: 1, maximum: groupsMax, default: groupsMax },
          'Groups of one page.',
        ),
      ],
      answer: ok('Sums', enveloped(pageSchemas.after, usageSchema), { headers: rateHeaders }),
    }),
  },
  '/api/v1/usage/statement': {
    get: guarded({
      operationId: 'getStatement',
      summary: 'The statement of a month as a table',
      description:
        'A line for each number, campaign, country and kind, and for each price within the month; the total last.',
      scope: 'read',
      parameters: [
        { ...inQuery('month', { type: 'string', pattern: '^20[0-9]{2}-[0-9]{2}$' }, 'Like 2026-11.'), required: true },
      ],
      answer: {
        description:
          'from, to, number, campaign, country, kind, messages, unit, units, price, cost, currency; UTF-8 with a byte order mark, lines end in CRLF (RFC 4180)',
        headers: rateHeaders,
        content: { 'text/csv': { schema: { type: 'string' } } },
      },
    }),
  },
};
