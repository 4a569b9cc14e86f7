/** D-13 at 200 positions with HELIO_LONG=full. */
import { diskErrorSuite } from './disk-error.suite.ts';
import { isFull } from './rounds.ts';

diskErrorSuite(Array.from({ length: isFull ? 200 : 12 }, (_, index) => (isFull ? index + 1 : 1 + index * 17)));
