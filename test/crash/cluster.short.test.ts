/** The short form of the cluster suite: run it after a change to the code that the suite guards. */
import { clusterSuite } from './cluster.suite.ts';

clusterSuite({
  kills: 1,
  otherKills: 1,
  pauses: 2,
  absences: 2,
  plantedPauses: 0,
  greedy: true,
  how: { timeout: 600_000 },
});
