/**
 * Schema 1: messages and their deliveries, the timeline, parts and receipts, idempotency, inbound parts, records.
 * A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

/** States the queue works on. Written as `or` because SQLite uses a partial index only for terms it finds literally. */
const working = ['queued', 'sending', 'uncertain', 'held', 'sent'].map((state) => `state = '${state}'`).join(' or ');

export const first: Migration = {
  version: 1,
  statements: [
    `create table messages (
      request_id {text} not null primary key,
      account_id {text} not null,
      key_id {text} not null,
      direction {text} not null,
      reference_id {text} not null,
      sender {text} not null,
      text {text} not null,
      wire_text {text},
      octets {text},
      media_urls {text} not null,
      message_type {text} not null,
      encoding {text},
      segments bigint not null,
      accepted_at bigint not null
    ) {keyed}`,

    `create table deliveries (
      message_id {text} not null primary key,
      request_id {text} not null,
      account_id {text} not null,
      recipient {text} not null,
      lane {text} not null,
      state {text} not null,
      code {text},
      carrier {text},
      carrier_code {text},
      due_at bigint not null,
      expires_at bigint not null,
      attempts bigint not null,
      dup_risk bigint not null,
      sequence bigint not null,
      token bigint not null,
      concat_reference bigint not null,
      segments bigint not null,
      updated_at bigint not null
    ) {busy}`,
    `create index deliveries_work on deliveries (state, lane, due_at, message_id, expires_at) where ${working}`,
    // A table and not an index of deliveries: PostgreSQL writes every index of a row anew with each change of its state.
    `create table account_messages (
      account_id {text} not null,
      direction {text} not null,
      message_id {text} not null,
      primary key (account_id, direction, message_id)
    ) {keyed}`,

    // One log of all events in the order of their commits; a message's timeline is its rows of it. "type" and body only for
    // events about no message: the type of the others is their state, and what they say stands in their message.
    `create table events (
      position {serial} primary key,
      account_id {text} not null,
      message_id {text} not null,
      sequence bigint not null,
      state {text},
      type {text},
      at bigint not null,
      code {text},
      carrier {text},
      carrier_code {text},
      detail {text},
      sending_at bigint,
      dup_risk bigint not null,
      body {text}
    )`,
    `create unique index events_message on events (message_id, sequence)`,

    `create table parts (
      message_id {text} not null,
      part bigint not null,
      carrier {text} not null,
      carrier_message_id {text} not null,
      id_key {text} not null,
      recipient {text} not null,
      state {text} not null,
      code {text},
      carrier_code {text},
      accepted_at bigint not null,
      updated_at bigint not null,
      primary key (message_id, part)
    ) {keyed}`,
    `create index parts_id on parts (carrier, id_key, recipient)`,

    `create table receipts (
      carrier {text} not null,
      recipient {text} not null,
      carrier_message_id {text} not null,
      state {text} not null,
      id_keys {text} not null,
      code {text},
      carrier_code {text},
      raw {text} not null,
      received_at bigint not null,
      primary key (carrier, recipient, carrier_message_id, state)
    ) {keyed}`,
    `create index receipts_age on receipts (received_at)`,
    `create table receipt_keys (
      carrier {text} not null,
      id_key {text} not null,
      recipient {text} not null,
      carrier_message_id {text} not null,
      state {text} not null,
      primary key (carrier, id_key, recipient, carrier_message_id, state)
    ) {keyed}`,

    `create table idempotency (
      account_id {text} not null,
      key {text} not null,
      body_hash {text} not null,
      answer {text} not null,
      request_id {text} not null,
      expires_at bigint not null,
      primary key (account_id, key)
    ) {keyed}`,
    `create index idempotency_age on idempotency (expires_at)`,

    `create table inbound_parts (
      sender {text} not null,
      recipient {text} not null,
      reference bigint not null,
      total bigint not null,
      message_id {text} not null,
      request_id {text} not null,
      account_id {text} not null,
      carrier {text} not null,
      sequence bigint not null,
      body_hash {text} not null,
      text {text},
      octets {text},
      encoding {text},
      dup_risk bigint not null,
      waiting bigint not null,
      received_at bigint not null,
      primary key (sender, recipient, reference, total, message_id)
    ) {keyed}`,
    `create index inbound_parts_age on inbound_parts (waiting, received_at)`,

    `create table records (kind {text} not null, key {text} not null, body {text} not null, primary key (kind, key)) {keyed}`,
    `create table settings (name {text} not null primary key, value {text} not null) {keyed}`,
    `create table counters (name {text} not null primary key, value bigint not null) {keyed}`,
  ],
};
