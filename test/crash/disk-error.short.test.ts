/** The short form of D-13, to run after a change of the store, of the journal, or of how messages leave. */
import { diskErrorSuite } from './disk-error.suite.ts';
import { shortForm } from './rounds.ts';

diskErrorSuite([3, 40], shortForm);
