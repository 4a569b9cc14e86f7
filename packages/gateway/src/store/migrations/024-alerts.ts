/**
 * Schema 24: alerts that fired, and silences. A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const alerts: Migration = {
  version: 24,
  statements: [
    // `told`: 1 once it was sent. `mail`: the state that is still to be mailed, '' = none. `body`: what was measured, as JSON.
    `create table alerts (
      alert_id {text} not null primary key,
      kind {text} not null,
      subject {text} not null,
      environment {text} not null,
      fired_at bigint not null,
      resolved_at bigint,
      told bigint not null,
      mail {text} not null,
      mail_tries bigint not null,
      mail_due_at bigint not null,
      body {text} not null
    ) {keyed}`,
    // No two of one kind and subject fire at a time.
    'create unique index alerts_firing on alerts (kind, subject) where resolved_at is null',
    `create index alerts_mail on alerts (mail_due_at) where mail <> ''`,
    // '' in `kind` and null in `subject`: all of them.
    `create table alert_silences (
      silence_id {text} not null primary key,
      kind {text} not null,
      subject {text},
      at bigint not null,
      until bigint not null,
      who {text} not null
    ) {keyed}`,
  ],
};
