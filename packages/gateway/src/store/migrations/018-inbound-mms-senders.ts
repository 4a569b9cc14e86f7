/**
 * Schema 18: a redelivered message from a handset is recognised by its sender too, not only by its peer's id for it. A
 * published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

const sender = `select m.sender from deliveries d join messages m on m.request_id = d.request_id
  where d.message_id = inbound_mms.message_id`;

export const inboundMmsSenders: Migration = {
  version: 18,
  statements: [
    // A message without an id of its peer is stored under its own id, which stays.
    `update inbound_mms set peer_message_id = peer_message_id || ' ' || (${sender})
     where peer_message_id <> message_id and exists (${sender})`,
  ],
};
