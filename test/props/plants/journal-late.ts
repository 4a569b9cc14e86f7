/** Planted bug: a text is answered before it is in the journal. The crash suites must find lost messages. */
import { lateFrames, lateJournal, type Split } from './late-journal.ts';
import { plantFrames, plantJournal } from './plant.ts';

const writeLaterMs = 1_000;

const all: Split = (entry) => ({ atOnce: null, later: entry });

plantJournal((journal) => lateJournal(journal, writeLaterMs, all));
plantFrames((addFrame) => lateFrames(addFrame, writeLaterMs, all));
