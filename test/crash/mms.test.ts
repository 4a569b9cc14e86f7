/** The short form of D-01 and D-02 with MMS in the mix, for every day. */
import { mmsKillSuite } from './mms.suite.ts';
import { everyday } from './rounds.ts';

mmsKillSuite('SQLite', { rounds: 2, plantedRounds: 0, how: everyday }, { resend: 'D-01', hold: 'D-02' });
