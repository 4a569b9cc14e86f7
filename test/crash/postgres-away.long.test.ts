/**
 * N-03 to N-05 with their counts: 50 restarts with HELIO_LONG=full, and a server that freezes for longer than its
 * sessions survive.
 */
import { awaySuite } from './postgres-away.suite.ts';
import { isFull } from './rounds.ts';

awaySuite({ rounds: isFull ? 50 : 8, frozenMs: 22_000 });
