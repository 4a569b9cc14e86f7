/**
 * Schema 13: the log of API calls, and the counts of those that were not kept one by one. A published migration is
 * never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const requestLog: Migration = {
  version: 13,
  statements: [
    // `body` is redacted JSON. Rows are stored apart from their key, so that the oldest one is found without reading
    // the others.
    `create table request_log (
      account_id {text} not null,
      request_id {text} not null,
      at bigint not null,
      environment {text} not null,
      key_id {text} not null,
      method {text} not null,
      path {text} not null,
      status bigint not null,
      reason {text} not null,
      detail {text} not null,
      address {text} not null,
      ms bigint not null,
      dry_run bigint not null,
      body {text},
      body_bytes bigint not null,
      primary key (account_id, request_id)
    )`,
    `create table request_log_unkept (
      account_id {text} not null,
      environment {text} not null,
      minute bigint not null,
      calls bigint not null,
      primary key (account_id, environment, minute)
    ) {keyed}`,
  ],
};
