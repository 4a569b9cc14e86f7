/** The short form of the ends at places of the journal, for every day; one at a time, as each has to get to its place. */
import { journalSuite } from './journal.suite.ts';
import { everyday } from './rounds.ts';

journalSuite({ kills: 1, cuts: 1, how: { ...everyday, concurrent: false } });
