/** The short form of D-01 and D-02 with MMS in the mix, to run after a change of what they guard. */
import { mmsKillSuite } from './mms.suite.ts';
import { shortForm } from './rounds.ts';

mmsKillSuite('SQLite', { rounds: 2, plantedRounds: 0, how: shortForm }, { resend: 'D-01', hold: 'D-02' });
