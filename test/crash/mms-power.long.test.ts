/** D-04 with MMS in the mix, with its counts: 200 cuts with HELIO_LONG=full. */
import { mmsPowerSuite } from './mms-power.suite.ts';
import { isFull } from './rounds.ts';

mmsPowerSuite({ cuts: isFull ? 200 : 20, plantedCuts: 4 });
