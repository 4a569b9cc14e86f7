/** The short form of D-01 and D-02, for every day. */
import { killSuite } from './kill.suite.ts';
import { everyday } from './rounds.ts';

killSuite('SQLite', { rounds: 3, plantedRounds: 3, plants: 'surest', how: everyday }, { resend: 'D-01', hold: 'D-02' });
