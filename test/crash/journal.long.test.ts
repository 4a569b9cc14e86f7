/** Kills and power cuts at exact places of the journal: 50 of each at each place with HELIO_LONG=full. */
import { journalSuite } from './journal.suite.ts';
import { isFull } from './rounds.ts';

journalSuite({ kills: isFull ? 50 : 5, cuts: isFull ? 50 : 5 });
