/**
 * Schema 19: how often an uncertain message was sent again, and why it became uncertain last. A published migration is
 * never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const doubt: Migration = {
  version: 19,
  statements: [
    `alter table deliveries add column repeats bigint not null default 0`,
    `alter table deliveries add column doubt {text}`,
    // A late receipt may prove them. Few messages ever get here, so the others need no index entry.
    `create index deliveries_unproven on deliveries (lane, recipient) where state = 'unconfirmed' and code = 'UNCERTAIN'`,
  ],
};
