/** The short form of the cluster suite, to run after a change of what it guards. */
import { clusterSuite } from './cluster.suite.ts';

clusterSuite({
  kills: 1,
  otherKills: 1,
  pauses: 2,
  absences: 2,
  plantedPauses: 0,
  greedy: true,
  how: { timeout: 300_000 },
});
