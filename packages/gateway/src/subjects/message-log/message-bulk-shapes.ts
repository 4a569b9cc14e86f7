/** Shapes of the answers in `message-bulk-routes.ts`. */
import { flag, list, named, object, plain, whole } from '../../http/shape.ts';

export const bulkPreview = named(
  'BulkPreview',
  object({
    messageIds: list(plain()),
    states: list(
      object({
        state: plain(),
        count: whole(),
      }),
    ),
    left: list(
      object({
        code: plain(),
        count: whole(),
      }),
    ),
    more: flag(),
    runId: plain(),
    typedAbove: whole(),
    messagesMax: whole(),
  }),
);

export const bulkRan = named(
  'BulkRan',
  object({
    action: plain(),
    count: whole(),
    done: whole(),
    reasons: list(
      object({
        code: plain(),
        detail: plain(),
        count: whole(),
      }),
    ),
  }),
);
