/**
 * Schema 11: recipients that a request was refused for while others of it were accepted. A published migration is never
 * edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const refusedRecipients: Migration = {
  version: 11,
  statements: [
    // `place` is that in the request, from 0; those of a request go when its message goes.
    `create table refused_recipients (
      request_id {text} not null,
      place bigint not null,
      recipient {text} not null,
      status {text} not null,
      detail {text} not null,
      primary key (request_id, place)
    ) {keyed}`,
  ],
};
