/** All English labels at once, for tests of modules that take theirs: imported before them. */
import { loadLabels } from './labels';

await Promise.all([loadLabels('start'), loadLabels('rest')]);
