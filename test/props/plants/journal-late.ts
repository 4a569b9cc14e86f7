/** Planted bug: a text is answered before it is in the journal. The crash suites must find lost messages. */
import { lateJournal } from './late-journal.ts';
import { plantJournal } from './plant.ts';

const writeLaterMs = 1_000;

plantJournal((journal) => lateJournal(journal, writeLaterMs, (entry) => ({ atOnce: null, later: entry })));
