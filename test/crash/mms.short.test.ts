/** The short form of D-01 and D-02 with MMS in the mix. */
import { mmsKillSuite } from './mms.suite.ts';
import { shortForm } from './rounds.ts';

mmsKillSuite('SQLite', { rounds: 2, plantedRounds: 0, how: shortForm }, { resend: 'D-01', hold: 'D-02' });
