/** D-04 and D-06 with their counts: 200 cuts with HELIO_LONG=full. The client keeps sending during the cut. */
import { powerSuite } from './power.suite.ts';
import { isFull } from './rounds.ts';

powerSuite({ cuts: isFull ? 200 : 20, controlCuts: 12, plantedCuts: 16 });
