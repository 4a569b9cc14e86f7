/**
 * Schema 33: the index of carriers' message ids begins with the period in which a part was accepted. PostgreSQL gets it at once if
 * no part is stored, otherwise while the gateway works (`postgres-indexes.ts`). A published migration is never edited;
 * changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const partsPeriod = {
  name: 'parts_period',
  on: 'parts ((accepted_at / 1296000000), carrier, id_key, recipient)',
  replaces: 'parts_id',
};

const atOnce = [`drop index ${partsPeriod.replaces}`, `create index ${partsPeriod.name} on ${partsPeriod.on}`];

export const partsByPeriod: Migration = {
  version: 33,
  statements: [],
  sqlite: atOnce,
  postgres: [`do $$ begin if not exists (select from parts) then ${atOnce.join('; ')}; end if; end $$`],
};
