/**
 * Schema 26: contacts and canned replies of a company; unread conversations, and those of one telephone, by an index. A
 * published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const contacts: Migration = {
  version: 26,
  statements: [
    // `tags`: a JSON list. `words`: name and tags as they are searched.
    `create table contacts (
      account_id {text} not null,
      contact {text} not null,
      name {text} not null,
      note {text} not null,
      tags {text} not null,
      words {text} not null,
      updated_at bigint not null,
      primary key (account_id, contact)
    ) {keyed}`,
    `create table canned_replies (
      account_id {text} not null,
      reply_id {text} not null,
      title {text} not null,
      body {text} not null,
      updated_at bigint not null,
      primary key (account_id, reply_id)
    ) {keyed}`,
    // Few among many.
    `create index threads_unread on threads (account_id, last_message_id) where unread > 0`,
    `create index threads_peer on threads (account_id, peer)`,
  ],
};
