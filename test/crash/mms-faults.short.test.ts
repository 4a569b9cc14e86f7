/** M-01, M-02, M-06, M-07 and M-11 on the whole gateway, without the cases that are slow by nature. */
import { mmsFaultSuite } from './mms-faults.suite.ts';
import { shortForm } from './rounds.ts';

mmsFaultSuite({ slow: false, how: shortForm });
