/**
 * Schema 9: the routing rules as they were after each change, so that people can compare and go back. A published
 * migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const routeVersions: Migration = {
  version: 9,
  statements: [
    `create table route_versions (
      version bigint not null primary key,
      at bigint not null,
      who {text} not null,
      body {text} not null
    ) {keyed}`,
  ],
};
