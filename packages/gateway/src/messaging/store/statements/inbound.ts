/** SQL over parts of replies: those waiting for their siblings, and recent ones to recognise a redelivery. */
import { statement } from '../../../store/query.ts';

export interface InboundPartRow {
  sender: string;
  recipient: string;
  reference: number;
  total: number;
  message_id: string;
  request_id: string;
  account_id: string;
  carrier: string;
  sequence: number;
  body_hash: string;
  text: string | null;
  octets: string | null;
  /** JSON; null = none. */
  extras: string | null;
  encoding: 'GSM-7' | 'UCS-2' | null;
  /** 1: the same part belonged to an earlier message, so this may be a redelivery. */
  dup_risk: number;
  /** 1 while siblings are missing; 0 once its message is stored (text and octets are dropped then). */
  waiting: number;
  received_at: number;
}

const key = { sender: 'text', recipient: 'text', reference: 'int', total: 'int' } as const;
const columns = `p.sender, p.recipient, p.reference, p.total, p.message_id, p.request_id, p.account_id, p.carrier,
  p.sequence, p.body_hash, p.text, p.octets, p.extras, p.encoding, p.dup_risk, p.waiting, p.received_at`;

/** All rows of one set of parts (sender, recipient, reference, total). */
export const selectInboundSet = statement<InboundPartRow>()(
  'select_inbound_set',
  { ...key, since: 'int' },
  `select ${columns} from inbound_parts p where p.sender = r.sender and p.recipient = r.recipient
     and p.reference = r.reference and p.total = r.total and (p.waiting = 1 or p.received_at >= r.since)`,
);

export const insertInboundParts = statement()(
  'insert_inbound_parts',
  {
    ...key,
    message_id: 'text',
    request_id: 'text',
    account_id: 'text',
    carrier: 'text',
    sequence: 'int',
    body_hash: 'text',
    text: 'text',
    octets: 'text',
    extras: 'text',
    encoding: 'text',
    dup_risk: 'int',
    waiting: 'int',
    received_at: 'int',
  },
  `insert into inbound_parts (sender, recipient, reference, total, message_id, request_id, account_id, carrier,
     sequence, body_hash, text, octets, extras, encoding, dup_risk, waiting, received_at)
   select r.sender, r.recipient, r.reference, r.total, r.message_id, r.request_id, r.account_id, r.carrier,
     r.sequence, r.body_hash, r.text, r.octets, r.extras, r.encoding, r.dup_risk, r.waiting, r.received_at
   from {rows} r`,
);

const partKey = { ...key, message_id: 'text' } as const;
const samePart = `inbound_parts.sender = r.sender and inbound_parts.recipient = r.recipient
  and inbound_parts.reference = r.reference and inbound_parts.total = r.total
  and inbound_parts.message_id = r.message_id`;

/** The message is stored: only the data that recognises a redelivery is kept. */
export const markInboundStored = statement()(
  'mark_inbound_stored',
  partKey,
  `update inbound_parts set waiting = 0, text = null, octets = null, extras = null from {rows} r where ${samePart}`,
);

export const deleteInboundParts = statement()(
  'delete_inbound_parts',
  partKey,
  `delete from inbound_parts using {rows} r where ${samePart}`,
);

export const selectWaitingBefore = statement<InboundPartRow>()(
  'select_waiting_before',
  { before: 'int', limit: 'int' },
  `select ${columns} from inbound_parts p where p.waiting = 1 and p.received_at < r.before
   order by p.received_at limit r.limit`,
);

export const selectInboundBefore = statement<InboundPartRow>()(
  'select_inbound_before',
  { before: 'int', limit: 'int' },
  `select ${columns} from inbound_parts p where p.waiting = 0 and p.received_at < r.before
   order by p.received_at limit r.limit`,
);
