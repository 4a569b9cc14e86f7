/**
 * Schema 23: the bytes of media and evidence in PostgreSQL, where every node can read them; with SQLite they stay in the data
 * folder, and the tables empty. A published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const mediaFiles: Migration = {
  version: 23,
  statements: [
    // `folder`: media or evidence. `put_at`: when the same bytes were last put.
    `create table media_files (
       folder {text} not null, hash {text} not null, size_bytes bigint not null, put_at bigint not null,
       primary key (folder, hash)
     )`,
    `create table media_chunks (
       folder {text} not null, hash {text} not null, position bigint not null, bytes {bytes} not null,
       primary key (folder, hash, position)
     )`,
  ],
};
