/** Three nodes with their counts: 100 kills and 100 pauses with HELIO_LONG=full. */
import { clusterSuite } from './cluster.suite.ts';
import { isFull } from './rounds.ts';

clusterSuite({
  kills: isFull ? 50 : 4,
  otherKills: isFull ? 50 : 4,
  pauses: isFull ? 100 : 4,
  absences: isFull ? 50 : 4,
  plantedPauses: 4,
  greedy: true,
});
