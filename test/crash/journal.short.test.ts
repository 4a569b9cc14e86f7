/** The short form of the kills and cuts at places of the journal; serial, because each has to reach its place. */
import { journalSuite } from './journal.suite.ts';
import { shortForm } from './rounds.ts';

journalSuite({ kills: 1, cuts: 1, how: { ...shortForm, concurrent: false } });
