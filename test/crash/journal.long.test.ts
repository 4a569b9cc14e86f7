/** Ends at places of the journal: 50 kills and 50 cuts at each with HELIO_LONG=full. */
import { journalSuite } from './journal.suite.ts';
import { isFull } from './rounds.ts';

journalSuite({ kills: isFull ? 50 : 5, cuts: isFull ? 50 : 5 });
