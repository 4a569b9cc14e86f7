/** A later version, whose schema gateways of this one can go on with. Not a bug. */
import { plantMigration } from './plant.ts';

plantMigration({
  besideOlder: true,
  statements: [
    'create table next_things (id bigint not null primary key, note {text} not null) {keyed}',
    'alter table messages add column next_note {text}',
    'alter table deliveries add column next_count bigint not null default 0',
  ],
});
