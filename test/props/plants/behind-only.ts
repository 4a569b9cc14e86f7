/**
 * Planted bug: the database is never synced when it takes what the journal held, and the journal begins anew all the same.
 * The power suites must find lost messages with it. As long as the machine runs nothing is missing.
 */
import { plantConnection, plantJournal } from './plant.ts';

let isOpen = false;

plantJournal((journal) => {
  isOpen = true;
  return journal;
});

plantConnection((connection) => ({
  ...connection,
  write: (operation) => (isOpen ? connection.writeBehind(operation) : connection.write(operation)),
}));
