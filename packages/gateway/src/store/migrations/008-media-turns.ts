/**
 * Schema 8: the media jobs of each account in order, so that accounts take turns however many jobs one of them has. A
 * published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const mediaTurns: Migration = {
  version: 8,
  statements: [`create index media_jobs_turns on media_jobs (account_id, due_at, request_id)`],
};
