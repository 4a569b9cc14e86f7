/** The short form of the cluster suite, to run after a change of what it guards. */
import { clusterSuite } from './cluster.suite.ts';

clusterSuite({ kills: 2, otherKills: 1, pauses: 1, absences: 2, plantedPauses: 0, how: { timeout: 300_000 } });
