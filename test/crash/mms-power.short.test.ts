/** The short form of D-04 with MMS in the mix. */
import { mmsPowerSuite } from './mms-power.suite.ts';
import { shortForm } from './rounds.ts';

mmsPowerSuite({ cuts: 2, plantedCuts: 0, how: shortForm });
