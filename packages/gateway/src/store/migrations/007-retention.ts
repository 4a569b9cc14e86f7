/**
 * Schema 7: retention of old messages: when a text was deleted, how far each account's messages were checked, what was
 * skipped because it was not final yet, and numbers to be erased. A published migration is never edited.
 */
import type { Migration } from '../migration.ts';

export const retention: Migration = {
  version: 7,
  statements: [
    `alter table messages add column body_deleted_at bigint`,
    // `name`: a direction of messages, or the event log. Everything up to `passed` was checked.
    `create table retention_marks (
      account_id {text} not null,
      name {text} not null,
      passed {text} not null,
      primary key (account_id, name)
    ) {keyed}`,
    `create table retention_left (
      account_id {text} not null,
      message_id {text} not null,
      primary key (account_id, message_id)
    ) {keyed}`,
    `create table erasures (
      erasure_id {text} not null primary key,
      account_id {text} not null,
      peer {text} not null,
      requested_at bigint not null,
      requested_by {text} not null,
      passed_outbound {text} not null,
      passed_inbound {text} not null,
      deleted bigint not null,
      left_over bigint not null,
      done_at bigint
    ) {keyed}`,
    `create index erasures_account on erasures (account_id, erasure_id)`,
  ],
};
