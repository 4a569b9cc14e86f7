/**
 * Schema 14: what was sent last stands in the order in which it was stored, until it is gathered into `conversations`. A
 * published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const conversationsTail: Migration = {
  version: 14,
  statements: [
    // No key: a row is only ever added at the end, and all of them leave together.
    `create table conversations_tail (
      run bigint not null,
      own {text} not null,
      peer {text} not null,
      outbound bigint not null,
      message_id {text} not null
    )`,
  ],
};
