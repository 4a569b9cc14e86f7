/**
 * Schema 5: the people of the portal, their sessions, one-time keys, and the audit log. A published migration is never
 * edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const people: Migration = {
  version: 5,
  statements: [
    // Fields for look-ups are columns; everything else of a user is in its body.
    `create table users (
      user_id {text} not null primary key,
      email_key {text} not null,
      account_id {text} not null,
      role {text} not null,
      operator bigint not null,
      disabled bigint not null,
      version bigint not null,
      last_sign_in_at bigint,
      body {text} not null
    ) {keyed}`,
    `create unique index users_email on users (email_key)`,
    `create index users_account on users (account_id, email_key)`,
    `create index users_operator on users (operator, disabled)`,

    `create table sessions (
      id_hash {text} not null primary key,
      session_id {text} not null,
      user_id {text} not null,
      created_at bigint not null,
      seen_at bigint not null,
      confirmed_at bigint not null,
      ends_at bigint not null,
      address {text} not null,
      agent {text} not null
    ) {keyed}`,
    `create index sessions_user on sessions (user_id, created_at)`,
    `create index sessions_end on sessions (ends_at)`,

    `create table one_time_keys (
      key_hash {text} not null primary key,
      key_id {text} not null,
      purpose {text} not null,
      account_id {text} not null,
      created_at bigint not null,
      expires_at bigint not null,
      body {text} not null
    ) {keyed}`,
    `create unique index one_time_keys_id on one_time_keys (key_id)`,
    `create index one_time_keys_account on one_time_keys (account_id, purpose, created_at)`,
    `create index one_time_keys_end on one_time_keys (expires_at)`,

    `create table audit (
      position bigint not null primary key,
      account_id {text} not null,
      user_id {text} not null,
      what {text} not null,
      body {text} not null,
      hash {text} not null
    )`,
    `create index audit_account on audit (account_id, position)`,
  ],
};
