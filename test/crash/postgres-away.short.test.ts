/** The short form of N-03 to N-05. */
import { awaySuite } from './postgres-away.suite.ts';

awaySuite({ rounds: 1, frozenMs: 7_000, how: { timeout: 600_000 } });
