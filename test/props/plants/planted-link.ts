/** Replaces `subjects/cells/cell-link.ts` for `forward-twice.ts`. */
import { createCellLink as createReal } from '../../../packages/gateway/src/subjects/cells/cell-link.ts';

export * from '../../../packages/gateway/src/subjects/cells/cell-link.ts';

export function createCellLink(...given: Parameters<typeof createReal>): ReturnType<typeof createReal> {
  const link = createReal(...given);
  return {
    ...link,
    send: (request, answerMs) => {
      if (request.method === 'POST' && request.target.startsWith('/SendSMS')) {
        link.send(request, answerMs).catch(() => {});
      }
      return link.send(request, answerMs);
    },
  };
}
