/**
 * Schema 30: PostgreSQL keeps the event log in partitions by position, which retention drops whole. What exists becomes the
 * first partition without being read: its end is set while the gateway works (`postgres-partitions.ts`). SQLite keeps one
 * table. A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const logPartitions: Migration = {
  version: 30,
  statements: [
    // For each full partition: the position after its last one, and the time of its newest event.
    `create table log_partitions (ends bigint not null primary key, newest_at bigint not null) {keyed}`,
  ],
  postgres: [
    `alter table events rename to events_first`,
    `alter index events_pkey rename to events_first_pkey`,
    `alter index events_message rename to events_first_message`,
    `create table events (like events_first including defaults) partition by range (position)`,
    `alter table events add primary key (position)`,
    `alter table events attach partition events_first for values from (minvalue) to (maxvalue)`,
  ],
};
