/** SQL that reads the event log for billing and for outcomes by the hour, in one look. */
import { dayMs } from '../../../../kernel/clock.ts';
import { hourMs, outcomesCounted, tookBounds, tookOver } from '../../../../model/hourly-outcomes.ts';
import { statement } from '../../../../store/query.ts';

/**
 * What messages are counted by, joined to one text: SQLite sorts the rows to group them, and compares one column in place of
 * eleven. Everything here is an id, a number of our own or a closed code, none of which contains the separator.
 */
export const keyColumns = [
  'account_id',
  /** Days since the epoch. */
  'day',
  /** Hours since the epoch. */
  'hour',
  'key_id',
  'message_type',
  'prefix',
  'carrier',
  'state',
  'code',
  'took',
] as const;
export const keySeparator = '\u001f';

interface CountedRow {
  /** The values of `keyColumns`. */
  key: string;
  /** Its own column: for a reply it came from the carrier. */
  own: string;
  messages: number;
  /** How many of them this state first shows as taken by a carrier, and their units. */
  taken: number;
  units: number;
}

/**
 * The event by which a message is first known to be taken, exactly one in its timeline: `sent` happens once, because no
 * arrow of the lifecycle leads back to it; a receipt's state is the first only when neither `sent` nor an `unconfirmed`
 * that follows `sent` comes right before it. Otherwise `uncertain`, `held`, or an `unconfirmed` that follows these
 * comes before it.
 */
const isFirstTaken = `(e.state = 'sent' or (e.state in ('delivered', 'undelivered') and not exists (
    select 1 from events p{log of e.message_id since m.accepted_at}
    where {in log p} and p.sequence = e.sequence - 1 and (p.state = 'sent'
      or p.state = 'unconfirmed' and p.code <> 'UNCERTAIN'))))`;

const took = `case when e.state <> 'delivered' then 0
  ${tookBounds.map((bound) => `when e.at - m.accepted_at <= ${bound} then ${bound}`).join(' ')} else ${tookOver} end`;
const listed = outcomesCounted.map((state) => `'${state}'`).join(', ');

export const selectCountsAfter = statement<CountedRow>()(
  'select_counts_after',
  { after: 'int', until: 'int' },
  `select c.key, c.own, cast(sum(c.messages) as bigint) as messages, cast(sum(c.taken * c.messages) as bigint) as taken,
     cast(sum(c.taken * c.units) as bigint) as units
   from (
     select concat_ws('${keySeparator}', ${keyColumns.map((name) => `o.${name}`).join(', ')}) as key, o.own, o.taken,
       count(*) as messages, sum(o.units) as units
     from (
       select e.account_id, e.at / ${dayMs} as day, m.accepted_at / ${hourMs} as hour,
         case when m.direction = 'inbound' then d.recipient else m.sender end as own, m.key_id, m.message_type,
         case when m.direction = 'inbound' then '' else substr(d.recipient, 1, 4) end as prefix,
         coalesce(e.carrier, '') as carrier, e.state,
         case when e.state in ('undelivered', 'failed', 'expired') then coalesce(e.code, '') else '' end as code,
         ${took} as took, case when ${isFirstTaken} then 1 else 0 end as taken,
         case when m.message_type = 'MMS' then 1 else d.segments end as units
       from events e join deliveries d on d.message_id = e.message_id join messages m on m.request_id = d.request_id
       where e.position > r.after and e.position <= r.until and e.state in (${listed})) o
     group by 1, 2, 3) c
   group by 1, 2`,
);
