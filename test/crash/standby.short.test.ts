/** The short form of the standby suite: run it after a change to the code that the suite guards. */
import { standbySuite } from './standby.suite.ts';

standbySuite({ kills: 2, pauses: 1, plantedPauses: 0, how: { timeout: 600_000 } });
