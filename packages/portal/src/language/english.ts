/** Loads all English labels, for tests of modules that take theirs on import: import it before them. */
import { loadLabels } from './labels';

await Promise.all([loadLabels('start'), loadLabels('rest')]);
