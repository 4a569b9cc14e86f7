/**
 * Schema 15: what a message from a handset has beside its text, and media of any type. A published migration is never
 * edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const messageExtras: Migration = {
  version: 15,
  statements: [
    // JSON of `StoredExtras`; null = none.
    `alter table messages add column extras {text}`,
    `alter table inbound_parts add column extras {text}`,
    // 1: of a type that is not known to be harmless. It is only offered for download, and never sent on.
    `alter table media_links add column download_only bigint`,
  ],
};
