/** A rolling upgrade from the version published last, and to one that is still to come. */
import { rollingSuite } from './rolling.suite.ts';

rollingSuite();
