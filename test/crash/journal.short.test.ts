/** The short form of the ends at places of the journal, to run after a change of what they guard; one at a time, as each has to get to its place. */
import { journalSuite } from './journal.suite.ts';
import { shortForm } from './rounds.ts';

journalSuite({ kills: 1, cuts: 1, how: { ...shortForm, concurrent: false } });
