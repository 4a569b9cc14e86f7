/**
 * Schema 19: how often a message was sent again out of doubt, and why it was in doubt last. A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const doubt: Migration = {
  version: 19,
  statements: [
    `alter table deliveries add column repeats bigint not null default 0`,
    `alter table deliveries add column doubt {text}`,
    // A late receipt may prove them. Few ever come here, so the others pay for no entry.
    `create index deliveries_unproven on deliveries (lane, recipient) where state = 'unconfirmed' and code = 'UNCERTAIN'`,
  ],
};
