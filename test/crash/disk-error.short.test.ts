/** The short form of D-13, to run after a change of what they guard. */
import { diskErrorSuite } from './disk-error.suite.ts';
import { shortForm } from './rounds.ts';

diskErrorSuite([3, 40], shortForm);
