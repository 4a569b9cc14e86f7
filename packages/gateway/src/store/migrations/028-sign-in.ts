/**
 * Schema 28: who of an identity provider is which user, and whether a session began with two factors there. A published migration
 * is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const signInNames: Migration = {
  version: 28,
  statements: [
    // `identity_key`: SHA-256 of issuer and subject. Two users are never one person of the provider.
    `create table user_identities (
      identity_key {text} not null primary key,
      user_id {text} not null
    ) {keyed}`,
    `create index user_identities_user on user_identities (user_id)`,
    `alter table sessions add column strong bigint not null default 0`,
  ],
};
