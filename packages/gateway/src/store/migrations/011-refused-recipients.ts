/**
 * Schema 11: refused recipients of requests whose other recipients were accepted. A published migration is never
 * edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const refusedRecipients: Migration = {
  version: 11,
  statements: [
    // `place`: the index in the request, from 0; the rows of a request are deleted with its message.
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
