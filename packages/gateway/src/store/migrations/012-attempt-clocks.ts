/**
 * Schema 12: what the clock of an endpoint said at each attempt. A published migration is never edited; changes come as the
 * next number.
 */
import type { Migration } from '../migration.ts';

export const attemptClocks: Migration = {
  version: 12,
  statements: [
    // Our clock less the endpoint's, in seconds; null = its answer did not say.
    `alter table webhook_attempts add column skew_seconds bigint`,
  ],
};
