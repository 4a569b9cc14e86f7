/** Replaces `subjects/cells/rate-share.ts` for `lend-and-use.ts`. */
import { createLentShare as createReal } from '../../../packages/gateway/src/subjects/cells/rate-share.ts';

export * from '../../../packages/gateway/src/subjects/cells/rate-share.ts';

export function createLentShare(...given: Parameters<typeof createReal>): ReturnType<typeof createReal> {
  const share = createReal(...given);
  const perSecond = (nowMs: number): number => {
    const { own, lent, borrowed } = share.figures(nowMs);
    return own + lent + borrowed;
  };
  return { ...share, perSecond, lowest: perSecond, took: () => {} };
}
