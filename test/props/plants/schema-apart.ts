/** A later version, whose schema gateways of this one cannot go on with. Not a bug. */
import { plantMigration } from './plant.ts';

plantMigration({
  statements: ['create table next_things (id bigint not null primary key, note {text} not null) {keyed}'],
});
