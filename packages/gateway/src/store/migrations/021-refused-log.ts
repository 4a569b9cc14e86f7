/**
 * Schema 21: refused recipients are found by company and by number. A published migration is never edited; changes come as
 * the next number.
 */
import type { Migration } from '../migration.ts';

/** Characters that people write between the digits of a number. */
const between = ['+', ' ', '-', '(', ')', '.', '/'] as const;
const digits = between.reduce((sql, sign) => `replace(${sql}, '${sign}', '')`, 'recipient');

export const refusedLog: Migration = {
  version: 21,
  statements: [
    `alter table refused_recipients add column account_id {text} not null default ''`,
    // The digits of `recipient`.
    `alter table refused_recipients add column number {text} not null default ''`,
    `update refused_recipients set number = ${digits}, account_id = coalesce(
       (select m.account_id from messages m where m.request_id = refused_recipients.request_id), '')`,
    'create index refused_of_account on refused_recipients (account_id, request_id, place)',
    'create index refused_by_number on refused_recipients (account_id, number, request_id, place)',
  ],
};
