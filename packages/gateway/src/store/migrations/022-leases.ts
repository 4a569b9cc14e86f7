/**
 * Schema 22: which node may act, and until when on the database's clock. A published migration is never edited; changes
 * come as the next number.
 */
import type { Migration } from '../migration.ts';

export const leases: Migration = {
  version: 22,
  statements: [
    `create table leases (
      name {text} not null primary key,
      epoch bigint not null,
      expires_at bigint not null
    ) {keyed}`,
  ],
};
