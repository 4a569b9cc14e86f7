/**
 * Planted bug: a commit whose answer was lost counts as not stored. The simulation must find messages that are under way for
 * ever, as no node learned that they were claimed.
 */
import { standIn } from './plant.ts';

export * from '../../../packages/gateway/src/store/postgres-doubt.ts';

export const hasMark = async (): Promise<boolean> => false;

standIn('store/postgres-doubt.ts', import.meta.url);
