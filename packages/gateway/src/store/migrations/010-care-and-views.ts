/**
 * Schema 10: assignment and snooze of a conversation; the role as which a session views the portal. A published
 * migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const careAndViews: Migration = {
  version: 10,
  statements: [
    // '' = nobody.
    `alter table threads add column assigned_to {text} not null default ''`,
    // 0 = not snoozed.
    `alter table threads add column snoozed_until bigint not null default 0`,
    // Most conversations are neither assigned nor snoozed: only the others are indexed.
    `create index threads_assigned on threads (account_id, assigned_to, done, last_message_id) where assigned_to <> ''`,
    `create index threads_snoozed on threads (account_id, snoozed_until) where snoozed_until > 0`,
    // '' = the user's own role.
    `alter table sessions add column view_as {text} not null default ''`,
  ],
};
