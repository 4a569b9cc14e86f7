/**
 * Schema 3: the media of multimedia messages: media to prepare, prepared media, links that anybody may fetch, and media
 * from handsets. A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const mms: Migration = {
  version: 3,
  statements: [
    `create table media_jobs (
      request_id {text} not null primary key,
      account_id {text} not null,
      due_at bigint not null,
      tries bigint not null,
      expires_at bigint not null
    ) {busy}`,
    `create index media_jobs_due on media_jobs (due_at, request_id)`,
    `create index media_jobs_age on media_jobs (expires_at)`,

    // The deliveries of an MMS request: an index on deliveries would cost every SMS.
    `create table mms_deliveries (
      request_id {text} not null,
      message_id {text} not null,
      accepted_at bigint not null,
      primary key (request_id, message_id)
    ) {keyed}`,
    `create index mms_deliveries_age on mms_deliveries (accepted_at)`,
    // A budget of 0 bytes: the originals.
    `create table message_media (
      request_id {text} not null,
      budget_bytes bigint not null,
      position bigint not null,
      hash {text} not null,
      type {text} not null,
      size_bytes bigint not null,
      accepted_at bigint not null,
      primary key (request_id, budget_bytes, position)
    ) {keyed}`,
    // The only index with the time: PostgreSQL would scan one on the time alone to its end for a hash that does not
    // exist.
    `create index message_media_hash on message_media (hash, accepted_at)`,

    `create table media_links (
      media_id {text} not null primary key,
      account_id {text} not null,
      hash {text} not null,
      type {text} not null,
      size_bytes bigint not null,
      file_name {text} not null,
      created_at bigint not null,
      expires_at bigint not null
    ) {keyed}`,
    `create index media_links_hash on media_links (hash, expires_at)`,
    `create index media_links_age on media_links (expires_at)`,

    // The key by which a redelivery is recognised; a message without an id of its peer is stored under its own.
    `create table inbound_mms (
      carrier {text} not null,
      recipient {text} not null,
      peer_message_id {text} not null,
      message_id {text} not null,
      at bigint not null,
      primary key (carrier, recipient, peer_message_id)
    ) {keyed}`,
    `create index inbound_mms_age on inbound_mms (at)`,
  ],
};
