/**
 * SQL over waiting deliveries, and delaying those just accepted. States are literals so that the partial index
 * applies.
 */
import type { LaneId } from '../../../kernel/ids.ts';
import { statement } from '../../../store/query.ts';
import { type DeliveryRow, deliveryRow } from './deliveries.ts';

export const updateHeld = statement()(
  'update_held',
  { message_id: 'text', sequence: 'int', due_at: 'int', code: 'text' },
  `update deliveries set due_at = r.due_at, code = r.code, sequence = r.sequence from {rows} r
   where deliveries.message_id = r.message_id`,
  true,
);

type WorkingState = 'queued' | 'sending' | 'uncertain' | 'sent';

/** The lanes with deliveries of a state, by skipping from lane to lane in the index instead of reading all rows. */
const lanesOf = (state: WorkingState) =>
  `with recursive lanes (lane) as (
     select min(lane) from deliveries where state = '${state}'
     union all
     select (select min(d.lane) from deliveries d where d.state = '${state}' and d.lane > lanes.lane) from lanes
     where lanes.lane is not null)
   select lane from lanes where lane is not null`;

export const selectLanes = {
  queued: statement<{ lane: LaneId }>()('select_lanes_queued', {}, lanesOf('queued')),
  sending: statement<{ lane: LaneId }>()('select_lanes_sending', {}, lanesOf('sending')),
  uncertain: statement<{ lane: LaneId }>()('select_lanes_uncertain', {}, lanesOf('uncertain')),
  sent: statement<{ lane: LaneId }>()('select_lanes_sent', {}, lanesOf('sent')),
};

const dueColumns = { lane: 'text', now: 'int', limit: 'int' } as const;

export const selectExpired = statement<{ message_id: string }>()(
  'select_expired',
  dueColumns,
  `select message_id from deliveries
   where state = 'queued' and lane = r.lane and due_at <= r.now and expires_at <= r.now limit r.limit`,
);

/** What the last attempt of a waiting delivery left: the carrier's refusal, if it gave one. */
export const selectLastRefusal = statement<{ message_id: string; code: string | null; carrier_code: string | null }>()(
  'select_last_refusal',
  { message_id: 'text' },
  `select d.message_id, d.code, d.carrier_code from {rows} r, deliveries d where d.message_id = r.message_id`,
);

export const selectUndecided = statement<{ message_id: string }>()(
  'select_undecided',
  dueColumns,
  `select message_id from deliveries where state = 'uncertain' and lane = r.lane and due_at <= r.now
   order by due_at limit r.limit`,
);

/** Its repeats are used up: checked again when its validity ends. */
export const postponeUncertain = statement()(
  'postpone_uncertain',
  { message_id: 'text', due_at: 'int' },
  `update deliveries set due_at = r.due_at from {rows} r
   where deliveries.message_id = r.message_id and deliveries.state || '' = 'uncertain'`,
);

export const selectUnreported = statement<{ message_id: string }>()(
  'select_unreported',
  dueColumns,
  `select message_id from deliveries where state = 'sent' and lane = r.lane and due_at <= r.now
   order by due_at limit r.limit`,
);

/** Deliveries that an earlier start of a node left with its carriers. */
export const selectAbandoned = statement<DeliveryRow>()(
  'select_abandoned',
  { lane: 'text', token: 'int', limit: 'int' },
  `select ${deliveryRow} from deliveries d
   where d.state = 'sending' and d.lane = r.lane and d.token <> r.token limit r.limit`,
);

export const selectNextDue = {
  queued: statement<{ due_at: number | null }>()(
    'select_next_due_queued',
    { lane: 'text', now: 'int' },
    `select min(due_at) as due_at from deliveries where state = 'queued' and lane = r.lane and due_at > r.now`,
  ),
  uncertain: statement<{ due_at: number | null }>()(
    'select_next_due_uncertain',
    { lane: 'text', now: 'int' },
    `select min(due_at) as due_at from deliveries where state = 'uncertain' and lane = r.lane and due_at > r.now`,
  ),
};

export const selectQueueCounts = statement<{ lane: LaneId; queued: number; oldest_due_at: number | null }>()(
  'select_queue_counts',
  {},
  `select lane, count(*) as queued, min(due_at) as oldest_due_at from deliveries where state = 'queued'
   group by lane order by lane`,
);

export interface QueuedDeliveryRow {
  message_id: string;
  due_at: number;
  account_id: string;
  sender: string;
  recipient: string;
  message_type: 'SMS' | 'MMS';
  begun: number;
}

export const selectQueued = statement<QueuedDeliveryRow>()(
  'select_queued',
  { lane: 'text', due_at: 'int', message_id: 'text', limit: 'int' },
  `select d.message_id, d.due_at, d.account_id, m.sender, d.recipient, m.message_type,
     case when exists (select 1 from parts p where p.message_id = d.message_id) then 1 else 0 end as begun
   from deliveries d join messages m on m.request_id = d.request_id
   where d.state = 'queued' and d.lane = r.lane and (d.due_at, d.message_id) > (r.due_at, r.message_id)
   order by d.due_at, d.message_id limit r.limit`,
);

export const updateLanes = statement<{ message_id: string; due_at: number }>()(
  'update_lanes',
  { message_id: 'text', lane: 'text', at: 'int' },
  `update deliveries set lane = r.lane, updated_at = r.at from {rows} r
   where deliveries.message_id = r.message_id and deliveries.state || '' = 'queued'
   returning deliveries.message_id as message_id, deliveries.due_at as due_at`,
);

export const selectIdempotencyBefore = statement<{ account_id: string; key: string }>()(
  'select_idempotency_before',
  { now: 'int', limit: 'int' },
  `select account_id, key from idempotency where expires_at <= r.now order by expires_at limit r.limit`,
);
