/** The short form of D-04 and D-06. */
import { powerSuite } from './power.suite.ts';
import { shortForm } from './rounds.ts';

powerSuite({ cuts: 2, controlCuts: 1, plantedCuts: 0, how: shortForm });
