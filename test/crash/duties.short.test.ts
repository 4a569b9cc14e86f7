/** The short form of the suite of duties, to run after a change of what it guards. */
import { dutySuite } from './duties.suite.ts';

dutySuite({ kills: 2, pauses: 2, greedy: true, how: { timeout: 600_000 } });
