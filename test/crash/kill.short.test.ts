/** The short form of D-01 and D-02. */
import { killSuite } from './kill.suite.ts';
import { shortForm } from './rounds.ts';

killSuite(
  'SQLite',
  { rounds: 3, plantedRounds: 3, plants: 'surest', how: shortForm },
  { resend: 'D-01', hold: 'D-02' },
);
