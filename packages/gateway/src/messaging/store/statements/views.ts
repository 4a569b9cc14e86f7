/** SQL that shows messages to their account. */
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { statement } from '../../../store/query.ts';
import { ofOwnSide, ownOfMessage, ownSideColumns } from './own-side.ts';

export interface ViewRow {
  message_id: string;
  request_id: string;
  reference_id: string;
  direction: 'outbound' | 'inbound';
  sender: string;
  recipient: string;
  text: string;
  media_urls: string;
  /** Base64 of a body that is not text; only for a reply. */
  octets: string | null;
  /** JSON of `StoredExtras`; only for a reply. */
  extras: string | null;
  message_type: 'SMS' | 'MMS';
  encoding: 'GSM-7' | 'UCS-2' | null;
  segments: number;
  state: DeliveryState;
  code: string | null;
  carrier: string | null;
  carrier_code: string | null;
  dup_risk: number;
  sequence: number;
  accepted_at: number;
  updated_at: number;
  body_deleted_at: number | null;
}

/** For a statement with `deliveries d` and `messages m`. */
export const listedColumns = `d.message_id, d.request_id, m.reference_id, m.direction, m.sender, d.recipient, m.text, m.media_urls,
  m.octets, m.extras, m.message_type, m.encoding, m.segments, d.state, d.code, d.carrier, d.carrier_code, d.dup_risk, d.sequence,
  m.accepted_at, d.updated_at, m.body_deleted_at`;

export const selectMessage = statement<ViewRow>()(
  'select_message',
  { account_id: 'text', message_id: 'text' },
  `select ${listedColumns} from deliveries d join messages m on m.request_id = d.request_id
   where d.message_id = r.message_id and d.account_id = r.account_id`,
);

const listed = `select ${listedColumns} from account_messages a
     join deliveries d on d.message_id = a.message_id join messages m on m.request_id = d.request_id
   where a.account_id = r.account_id and a.direction = r.direction
     and (r.sender is null or m.sender = r.sender) and (r.recipient is null or d.recipient = r.recipient)
     and ${ofOwnSide(ownOfMessage)}`;
const listing = {
  account_id: 'text',
  direction: 'text',
  sender: 'text',
  recipient: 'text',
  ...ownSideColumns,
  before: 'text',
  after: 'text',
  limit: 'int',
} as const;

/** One direction at a time, newest first, down to the id `after`. */
export const selectMessages = statement<ViewRow>()(
  'select_messages',
  listing,
  `${listed} and a.message_id < r.before and a.message_id >= r.after order by a.message_id desc limit r.limit`,
);

/** The same, oldest first, up to the id `before`. */
export const selectMessagesAfter = statement<ViewRow>()(
  'select_messages_after',
  listing,
  `${listed} and a.message_id > r.after and a.message_id <= r.before order by a.message_id limit r.limit`,
);

export interface EventRow {
  message_id: string;
  sequence: number;
  state: DeliveryState;
  at: number;
  code: string | null;
  carrier: string | null;
  carrier_code: string | null;
  detail: string | null;
  /** When the try began that this event ends; its `sending` event has no separate row. */
  sending_at: number | null;
}

export const selectEvents = statement<EventRow>()(
  'select_events',
  { message_id: 'text', accepted_at: 'int' },
  `select e.message_id, e.sequence, e.state, e.at, e.code, e.carrier, e.carrier_code, e.detail,
     e.sending_at
   from {rows} r, events e{log of r.message_id since r.accepted_at} where {in log e}`,
);
