/** The fail-over of Patroni with its counts: 50 kills of the leader with HELIO_LONG=full. */
import { asynchronousSuite, patroniSuite } from './patroni.suite.ts';
import { isFull } from './rounds.ts';

patroniSuite({
  members: isFull ? 3 : 2,
  kills: isFull ? 50 : 3,
  clocksApart: isFull ? 5 : 1,
  starved: isFull ? 5 : 1,
  plantedKills: 3,
  acceptsMsMax: 5_000,
});

asynchronousSuite();
