/** A cell uses what it lends twice, so that a slow machine shows it too, and does not notice that it sends anything. */
import { standIn } from './plant.ts';

standIn('subjects/cells/rate-share.ts', 'planted-share.ts');
