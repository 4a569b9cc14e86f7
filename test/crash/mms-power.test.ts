/** The short form of D-04 with MMS in the mix, for every day. */
import { mmsPowerSuite } from './mms-power.suite.ts';
import { everyday } from './rounds.ts';

mmsPowerSuite({ cuts: 2, plantedCuts: 0, how: everyday });
