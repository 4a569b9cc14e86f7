/** Two nodes with their counts: 100 kills and 100 pauses with HELIO_LONG=full. */
import { isFull } from './rounds.ts';
import { standbySuite } from './standby.suite.ts';

standbySuite({ kills: isFull ? 100 : 4, pauses: isFull ? 100 : 4, plantedPauses: 4 });
