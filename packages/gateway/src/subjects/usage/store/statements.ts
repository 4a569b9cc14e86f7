/** SQL over usage: its counts and sums. */
import { dayMs } from '../../../kernel/clock.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import type { MessageKind } from '../../../model/records.ts';
import { type UsageGrouping, usageGroupings } from '../../../model/usage.ts';
import { type Statement, statement } from '../../../store/query.ts';

export const addToUsage = statement()(
  'add_to_usage',
  {
    account_id: 'text',
    environment: 'text',
    day: 'text',
    number: 'text',
    campaign: 'text',
    kind: 'text',
    country: 'text',
    key: 'text',
    carrier: 'text',
    messages: 'int',
    units: 'int',
  },
  `insert into usage (account_id, environment, day, number, campaign, kind, country, key, carrier, messages, units)
   select r.account_id, r.environment, r.day, r.number, r.campaign, r.kind, r.country, r.key, r.carrier, r.messages,
     r.units from {rows} r where true
   on conflict (account_id, environment, day, number, campaign, kind, country, key, carrier)
   do update set messages = usage.messages + excluded.messages, units = usage.units + excluded.units`,
);

export interface FiguresRow {
  name: string;
  sms_messages: number;
  sms_segments: number;
  mms_messages: number;
}

const sumOf = (what: string, kind: MessageKind) =>
  `cast(coalesce(sum(case when u.kind = '${kind}' then u.${what} else 0 end), 0) as bigint)`;
const figures = `${sumOf('messages', 'SMS')} as sms_messages, ${sumOf('units', 'SMS')} as sms_segments,
  ${sumOf('messages', 'MMS')} as mms_messages`;

const owned = { account_id: 'text', environment: 'text', from: 'text', to: 'text' } as const;
const ofOwner = 'u.account_id = r.account_id and u.environment = r.environment and u.day >= r.from and u.day <= r.to';

const filters = usageGroupings.filter((column) => column !== 'day');
const filtered = {
  ...owned,
  ...(Object.fromEntries(filters.map((column) => [column, 'text'])) as Record<(typeof filters)[number], 'text'>),
} as const;
const isWanted = filters.map((column) => `(r.${column} is null or u.${column} = r.${column})`).join(' and ');

const paged = { ...filtered, after: 'text', limit: 'int' } as const;

/** Ordered by name, after the name `after`. */
export const selectUsage = Object.fromEntries(
  usageGroupings.map((column) => [
    column,
    statement<FiguresRow>()(
      `select_usage_${column}`,
      paged,
      `select u.${column} as name, ${figures} from usage u
       where ${ofOwner} and ${isWanted} and (r.after is null or u.${column} > r.after)
       group by u.${column} order by u.${column} limit r.limit`,
    ),
  ]),
) as Record<UsageGrouping, Statement<typeof paged, FiguresRow>>;

export const selectUsageTotal = statement<Omit<FiguresRow, 'name'>>()(
  'select_usage_total',
  filtered,
  `select ${figures} from usage u where ${ofOwner} and ${isWanted}`,
);

export interface LineRow {
  number: string;
  campaign: string;
  kind: MessageKind;
  country: string;
  messages: number;
  units: number;
}

export const selectUsageLines = statement<LineRow>()(
  'select_usage_lines',
  { ...owned, limit: 'int' },
  `select u.number, u.campaign, u.kind, u.country, cast(sum(u.messages) as bigint) as messages,
     cast(sum(u.units) as bigint) as units
   from usage u where ${ofOwner}
   group by u.number, u.campaign, u.kind, u.country order by u.number, u.campaign, u.kind, u.country limit r.limit`,
);

interface FoundOutcomes {
  /** Days since the epoch. */
  day: number;
  number: string;
  key: string;
  kind: MessageKind;
  carrier: string;
  prefix: string;
  state: DeliveryState;
  found: number;
}

export const selectOutcomes = statement<FoundOutcomes>()(
  'select_outcomes',
  { account_id: 'text', after: 'text', before: 'text', look: 'int' },
  `select m.accepted_at / ${dayMs} as day, m.sender as number, m.key_id as key, m.message_type as kind,
     coalesce(d.carrier, '') as carrier, substr(d.recipient, 1, 4) as prefix, d.state, count(*) as found from (
     select a.message_id from account_messages a
     where a.account_id = r.account_id and a.direction = 'outbound' and a.message_id >= r.after
       and a.message_id < r.before
     order by a.message_id desc limit r.look) newest
   join deliveries d on d.message_id = newest.message_id join messages m on m.request_id = d.request_id
   group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`,
);
