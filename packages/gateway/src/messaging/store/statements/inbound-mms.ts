/** SQL over recent MMS replies, to recognise a redelivery. */
import { statement } from '../../../store/query.ts';

/** A message from a handset, by its peer's id. */
export interface InboundMmsRow {
  carrier: string;
  recipient: string;
  peer_message_id: string;
  message_id: string;
}

const peerKey = { carrier: 'text', recipient: 'text', peer_message_id: 'text' } as const;

export const selectInboundMms = statement<InboundMmsRow>()(
  'select_inbound_mms',
  peerKey,
  `select i.carrier, i.recipient, i.peer_message_id, i.message_id from {rows} r, inbound_mms i
   where i.carrier = r.carrier and i.recipient = r.recipient and i.peer_message_id = r.peer_message_id`,
);

export const insertInboundMms = statement()(
  'insert_inbound_mms',
  { ...peerKey, message_id: 'text', at: 'int' },
  `insert into inbound_mms (carrier, recipient, peer_message_id, message_id, at)
   select r.carrier, r.recipient, r.peer_message_id, r.message_id, r.at from {rows} r`,
);

export const selectInboundMmsBefore = statement<InboundMmsRow>()(
  'select_inbound_mms_before',
  { before: 'int', limit: 'int' },
  `select carrier, recipient, peer_message_id, message_id from inbound_mms where at < r.before
   order by at limit r.limit`,
);

export const deleteInboundMms = statement()(
  'delete_inbound_mms',
  peerKey,
  `delete from inbound_mms using {rows} r where inbound_mms.carrier = r.carrier
     and inbound_mms.recipient = r.recipient and inbound_mms.peer_message_id = r.peer_message_id`,
);
