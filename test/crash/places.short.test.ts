/** The short form of D-08 to D-11, to run after a change of what they guard. */
import { placesSuite } from './places.suite.ts';
import { shortForm } from './rounds.ts';

placesSuite(2, shortForm);
