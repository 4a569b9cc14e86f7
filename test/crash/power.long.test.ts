/**
 * D-04 and D-06 with their counts: 200 cuts with HELIO_LONG=full. The client stands still while the power goes: an fsync
 * under way at that very moment may report success in this simulation (plain SQLite shows the same), so that only what
 * was acknowledged before the cut is evidence. The kill suites try the planted bugs.
 */
import { powerSuite } from './power.suite.ts';
import { isFull } from './rounds.ts';

powerSuite({ cuts: isFull ? 200 : 20, controlCuts: 12, plantedCuts: 0 });
