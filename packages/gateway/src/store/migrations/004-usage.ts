/**
 * Schema 4: counts for billing, by day and by billing dimension. `counters` has the position up to which the event log
 * is counted. A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const usage: Migration = {
  version: 4,
  statements: [
    `create table usage (
      account_id {text} not null,
      environment {text} not null,
      day {text} not null,
      number {text} not null,
      campaign {text} not null,
      kind {text} not null,
      country {text} not null,
      key {text} not null,
      carrier {text} not null,
      messages bigint not null,
      units bigint not null,
      primary key (account_id, environment, day, number, campaign, kind, country, key, carrier)
    ) {keyed}`,
  ],
};
