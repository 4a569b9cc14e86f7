/** Duties with their counts: 100 kills and 100 pauses with HELIO_LONG=full. */

import { takeOverMsMax } from '../props/cluster-rules.ts';
import { dutySuite } from './duties.suite.ts';
import { isFull } from './rounds.ts';

const many = isFull ? 100 : 8;
dutySuite({ kills: many, pauses: many, takeOverMsMax, greedy: true });
