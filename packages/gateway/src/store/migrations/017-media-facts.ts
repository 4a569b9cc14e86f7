/**
 * Schema 17: media jobs know the hosts of their URLs, so that hosts take turns within an account; media of messages know
 * their measures, what was changed in them, and which of them failed. A published migration is never edited; changes come
 * as the next number.
 */
import type { Migration } from '../migration.ts';

export const mediaFacts: Migration = {
  version: 17,
  statements: [
    // Jobs of the schema before share one group.
    `alter table media_jobs add column hosts {text} not null default ''`,
    `create index media_jobs_hosts on media_jobs (account_id, hosts, due_at, request_id)`,
    `alter table message_media add column width bigint`,
    `alter table message_media add column height bigint`,
    `alter table message_media add column frames bigint`,
    `alter table message_media add column altered {text}`,
  ],
};
