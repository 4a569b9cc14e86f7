/**
 * Schema 2: the outbox (which endpoint gets which event), the opt-out list, and which messages went between a number
 * and a handset. A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const outbox: Migration = {
  version: 2,
  statements: [
    `create table webhook_deliveries (
      endpoint_id {text} not null,
      position bigint not null,
      account_id {text} not null,
      event_id {text} not null,
      type {text} not null,
      state {text} not null,
      attempts bigint not null,
      tries bigint not null,
      due_at bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      last_status bigint,
      primary key (endpoint_id, position)
    ) {busy}`,
    `create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, position) where state = 'waiting'`,
    `create index webhook_deliveries_state on webhook_deliveries (endpoint_id, state, position)`,
    `create index webhook_deliveries_age on webhook_deliveries (updated_at)`,
    `create table webhook_attempts (
      endpoint_id {text} not null,
      position bigint not null,
      attempt bigint not null,
      at bigint not null,
      duration_ms bigint not null,
      status bigint,
      error {text},
      answer {text} not null,
      primary key (endpoint_id, position, attempt)
    ) {keyed}`,
    `create table endpoint_health (
      endpoint_id {text} not null primary key,
      failing_since bigint,
      last_success_at bigint
    ) {keyed}`,

    `create table opt_outs (
      scope {text} not null,
      contact {text} not null,
      account_id {text} not null,
      state {text} not null,
      since bigint not null,
      how {text} not null,
      reason {text} not null,
      evidence_message_id {text},
      primary key (scope, contact)
    ) {keyed}`,
    `create index opt_outs_account on opt_outs (account_id, contact, scope)`,
    // When a contact's keyword was last answered, so that two machines cannot answer each other for ever.
    `create table confirmations (
      scope {text} not null,
      contact {text} not null,
      keyword {text} not null,
      at bigint not null,
      primary key (scope, contact, keyword)
    ) {keyed}`,

    // Both directions of what went between an own number and a handset, in runs of some thousand rows by the time at which
    // they began: a row of one order over all would dirty a page of its own. The direction stands before the id, so that
    // the last message sent is found at once however many were received since.
    `create table conversations (
      run bigint not null,
      own {text} not null,
      peer {text} not null,
      outbound bigint not null,
      message_id {text} not null,
      primary key (run, own, peer, outbound, message_id)
    ) {keyed}`,
  ],
};
