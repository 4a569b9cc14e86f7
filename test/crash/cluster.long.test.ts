/** Three nodes with their counts: 100 kills and 100 pauses with HELIO_LONG=full. */
import { clusterSuite } from './cluster.suite.ts';
import { isFull } from './rounds.ts';

const many = isFull ? 100 : 4;
clusterSuite({
  kills: many,
  otherKills: many,
  pauses: many,
  absences: isFull ? 50 : 4,
  plantedPauses: 4,
  greedy: true,
});
