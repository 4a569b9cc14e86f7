/** Replaces `store/system/frames.ts` when a test planted something; see plant.ts. */
import { addFrame as addReal } from '../../../packages/gateway/src/store/system/frames.ts';
import { throughPlant } from './plant.ts';

export * from '../../../packages/gateway/src/store/system/frames.ts';

export const addFrame = throughPlant.frames(addReal);
