/** The short form of D-13, run it after a change to the store, the journal or the send path. */
import { diskErrorSuite } from './disk-error.suite.ts';
import { shortForm } from './rounds.ts';

// In the start, and among the first texts: a new store syncs once for each change of its schema.
diskErrorSuite([3, 70], { ...shortForm, plantedAt: [70, 75, 80, 85] });
