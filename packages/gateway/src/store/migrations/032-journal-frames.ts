/**
 * Schema 32: the journal of a PostgreSQL store with a single node (`postgres-journal.ts`). SQLite keeps its journal in a
 * file, and this table empty. A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const journalFrames: Migration = {
  version: 32,
  statements: [`create table journal_frames (place bigint not null primary key, text {text} not null) {keyed}`],
  // Frames live for seconds: compressing them costs more than writing them.
  postgres: [`alter table journal_frames alter column text set storage external`],
};
