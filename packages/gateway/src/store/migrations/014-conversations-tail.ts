/**
 * Schema 14: the last sent messages in the order in which they were stored, until they are gathered into
 * `conversations`. A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const conversationsTail: Migration = {
  version: 14,
  statements: [
    // No key: rows are only appended, and all of them are deleted together.
    `create table conversations_tail (
      run bigint not null,
      own {text} not null,
      peer {text} not null,
      outbound bigint not null,
      message_id {text} not null
    )`,
  ],
};
