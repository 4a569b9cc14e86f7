/** The short form of D-13, run it after a change to the store, the journal or the send path. */
import { diskErrorSuite } from './disk-error.suite.ts';
import { shortForm } from './rounds.ts';

diskErrorSuite([3, 40], shortForm);
