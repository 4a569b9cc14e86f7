/** The short form of the standby suite, to run after a change of what it guards. */
import { standbySuite } from './standby.suite.ts';

standbySuite({ kills: 2, pauses: 1, plantedPauses: 0, how: { timeout: 240_000 } });
