/** The short form of D-08 to D-11. */
import { placesSuite } from './places.suite.ts';
import { shortForm } from './rounds.ts';

placesSuite(2, shortForm);
