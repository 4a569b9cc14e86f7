/** M-01, M-02, M-06, M-07 and M-11 on the whole gateway, including servers that use every time-out up. */
import { mmsFaultSuite } from './mms-faults.suite.ts';

mmsFaultSuite({ slow: true, how: { concurrent: false, timeout: 180_000 } });
