/**
 * Schema 31: the rows that said who has which send queue say it of everything that one of several nodes has, the duties too. A
 * published migration is never edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const owners: Migration = {
  version: 31,
  statements: [
    'alter table lane_owners rename to owners',
    // A send queue has the name of its carrier.
    'alter table owners rename column lane to name',
  ],
};
