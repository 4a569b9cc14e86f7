/** The short form of D-12, for every day. */
import { recoverySuite } from './recovery.suite.ts';
import { shortForm } from './rounds.ts';

recoverySuite(4, shortForm);
