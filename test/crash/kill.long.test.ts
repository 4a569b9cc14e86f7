/** D-01 and D-02 with their counts: 100 kills each with HELIO_LONG=full. */
import { killSuite } from './kill.suite.ts';
import { isFull } from './rounds.ts';

killSuite('SQLite', { rounds: isFull ? 100 : 15, plantedRounds: 4 }, { resend: 'D-01', hold: 'D-02' });
