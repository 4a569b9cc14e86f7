/** D-08 to D-11 with their counts: 200 kills at each place with HELIO_LONG=full. */
import { placesSuite } from './places.suite.ts';
import { isFull } from './rounds.ts';

placesSuite(isFull ? 200 : 15);
