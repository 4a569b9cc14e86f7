/** D-12 with 100 kills with HELIO_LONG=full. */
import { recoverySuite } from './recovery.suite.ts';
import { isFull } from './rounds.ts';

recoverySuite(isFull ? 100 : 20);
