/**
 * Schema 10: who looks after a conversation, and until when it waits; the role as which a session looks at the portal. A
 * published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const careAndViews: Migration = {
  version: 10,
  statements: [
    // '' = nobody.
    `alter table threads add column assigned_to {text} not null default ''`,
    // 0 = it does not wait.
    `alter table threads add column snoozed_until bigint not null default 0`,
    // Most conversations are nobody's and do not wait: only the others are kept in order.
    `create index threads_assigned on threads (account_id, assigned_to, done, last_message_id) where assigned_to <> ''`,
    `create index threads_snoozed on threads (account_id, snoozed_until) where snoozed_until > 0`,
    // '' = as the one that the user has.
    `alter table sessions add column view_as {text} not null default ''`,
  ],
};
