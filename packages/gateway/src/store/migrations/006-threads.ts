/**
 * Schema 6: conversations as people read them: one row for a number and a handset that has written to it, updated by
 * each of its messages. A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const threads: Migration = {
  version: 6,
  statements: [
    `create table threads (
      account_id {text} not null,
      own {text} not null,
      peer {text} not null,
      last_message_id {text} not null,
      last_at bigint not null,
      unread bigint not null,
      done bigint not null,
      primary key (account_id, own, peer)
    ) {busy}`,
    `create index threads_account on threads (account_id, done, last_message_id)`,
    `create index threads_own on threads (account_id, own, done, last_message_id)`,
    // Earlier messages count as read.
    `insert into threads (account_id, own, peer, last_message_id, last_at, unread, done)
     select d.account_id, d.recipient, m.sender, max(d.message_id), max(m.accepted_at), 0, 0
     from account_messages a join deliveries d on d.message_id = a.message_id
       join messages m on m.request_id = d.request_id
     where a.direction = 'inbound' group by d.account_id, d.recipient, m.sender`,
  ],
};
