/** The short form of D-08 to D-11, for every day. */
import { placesSuite } from './places.suite.ts';
import { everyday } from './rounds.ts';

placesSuite(2, everyday);
