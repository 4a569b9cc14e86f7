/** SQL of the look-ups that show messages to their account. Every one is limited to an account. */
import type { DeliveryState } from '../../domain/lifecycle.ts';
import { statement } from '../query.ts';

export interface ViewRow {
  message_id: string;
  request_id: string;
  reference_id: string;
  direction: 'outbound' | 'inbound';
  sender: string;
  recipient: string;
  text: string;
  media_urls: string;
  message_type: 'SMS' | 'MMS';
  encoding: 'GSM-7' | 'UCS-2' | null;
  segments: number;
  state: DeliveryState;
  code: string | null;
  carrier: string | null;
  carrier_code: string | null;
  dup_risk: number;
  accepted_at: number;
  updated_at: number;
}

const view = `select d.message_id, d.request_id, m.reference_id, m.direction, m.sender, d.recipient, m.text, m.media_urls,
    m.message_type, m.encoding, m.segments, d.state, d.code, d.carrier, d.carrier_code, d.dup_risk, m.accepted_at,
    d.updated_at
  from deliveries d join messages m on m.request_id = d.request_id`;

export const selectMessage = statement<ViewRow>()(
  'select_message',
  { account_id: 'text', message_id: 'text' },
  `${view} where d.message_id = r.message_id and d.account_id = r.account_id`,
);

const listColumns = { account_id: 'text', sender: 'text', recipient: 'text', before: 'text', limit: 'int' } as const;

const list = (direction: string) =>
  `${view} where d.account_id = r.account_id ${direction}
     and (r.sender is null or m.sender = r.sender) and (r.recipient is null or d.recipient = r.recipient)
     and d.message_id < r.before
   order by d.message_id desc limit r.limit`;

export const selectMessages = {
  all: statement<ViewRow>()('select_messages', listColumns, list('')),
  inbound: statement<ViewRow>()('select_messages_inbound', listColumns, list(`and d.state = 'received'`)),
  outbound: statement<ViewRow>()('select_messages_outbound', listColumns, list(`and d.state <> 'received'`)),
};

export interface EventRow {
  message_id: string;
  sequence: number;
  state: DeliveryState;
  at: number;
  code: string | null;
  carrier: string | null;
  carrier_code: string | null;
  detail: string | null;
}

export const selectEvents = statement<EventRow>()(
  'select_events',
  { message_id: 'text' },
  `select e.message_id, e.sequence, e.state, e.at, e.code, e.carrier, e.carrier_code, e.detail
   from {rows} r, events e where e.message_id = r.message_id`,
);
