/** Replaces `store/context.ts` for `duty-blind.ts`: every node has every duty. */
export * from '../../../packages/gateway/src/store/context.ts';

export const hasOwned = (): boolean => true;
