/**
 * Schema 20: how many parts of a long text one carrier id covers. A published migration is never edited; changes come
 * as the next number.
 */
import type { Migration } from '../migration.ts';

export const spans: Migration = {
  version: 20,
  statements: [`alter table parts add column spans bigint not null default 1`],
};
