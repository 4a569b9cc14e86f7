/** The short form of the fail-over of Patroni. */
import { patroniSuite } from './patroni.suite.ts';

patroniSuite({
  members: 2,
  kills: 1,
  clocksApart: 0,
  starved: 0,
  plantedKills: 0,
  // Beside other suites it only has to go on.
  acceptsMsMax: 60_000,
  how: { timeout: 600_000 },
});
