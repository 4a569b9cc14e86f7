/** Delays texts accepted in the same transaction (quiet hours) and records the reason in their timeline. */
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { AcceptItem } from '../items.ts';
import { insertEvents } from '../statements/deliveries.ts';
import { updateHeld } from '../statements/queue.ts';

/** Behind `accepted` and `queued`. */
const heldSequence = 3;

export function* holdBack(items: readonly AcceptItem[], { positions }: WriteContext): Operation<void> {
  const rows = items.flatMap((item) => heldRows(item));
  yield* run(updateHeld, rows);
  yield* run(
    insertEvents,
    rows.map((row) => ({ ...row, position: positions.next() })),
  );
}

function heldRows({ message, deliveries, held }: AcceptItem) {
  if (held === undefined) return [];
  if (message.messageType === 'MMS' || deliveries.some(({ sending }) => sending)) {
    throw new Error(`${message.requestId}: only texts that wait in the queue can be held back`);
  }
  return deliveries.map(({ messageId, expiresAt }) => ({
    message_id: messageId,
    account_id: message.accountId,
    sequence: heldSequence,
    state: 'queued',
    at: message.acceptedAt,
    code: held.code,
    carrier: null,
    carrier_code: null,
    detail: held.detail,
    sending_at: null,
    dup_risk: 0,
    due_at: Math.min(held.until, expiresAt),
  }));
}
