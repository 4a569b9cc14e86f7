/**
 * Schema 25: outcomes of messages by the hour of their acceptance, which Home sums up. `counters` has the position up to which
 * the event log is counted into it: an existing log is counted from its beginning, in pages, while the gateway works. A
 * published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const hourlyOutcomes: Migration = {
  version: 25,
  statements: [
    // `hour`: ms of its beginning. `code`: of failures, else ''. `took`: a bound of the time to delivery in ms, else 0.
    `create table hourly_outcomes (
      account_id {text} not null,
      environment {text} not null,
      hour bigint not null,
      outcome {text} not null,
      code {text} not null,
      took bigint not null,
      demo bigint not null,
      messages bigint not null,
      primary key (account_id, environment, hour, outcome, code, took, demo)
    ) {keyed}`,
  ],
};
