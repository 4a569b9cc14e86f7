/**
 * Planted bug: the database is not synced when it takes the journal's texts, and the journal restarts all the same. The
 * power suites must find lost messages. Nothing is lost while the machine runs.
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
  sync: () => {},
  syncBehind: () => {},
}));
