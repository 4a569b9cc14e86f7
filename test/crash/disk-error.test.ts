/** The short form of D-13, for every day. */
import { diskErrorSuite } from './disk-error.suite.ts';
import { everyday } from './rounds.ts';

diskErrorSuite([3, 40], everyday);
