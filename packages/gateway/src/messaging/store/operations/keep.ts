/**
 * Moves journaled texts into the database, each once and with the progress of its first attempt (`queued`, `sending`
 * or `sent`). The rows are exactly those that accept, claim and settle would have written. The caller makes sure that
 * no receipt waits for them.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { Settlement } from '../../../model/delivery.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { SmsItem } from '../items.ts';
import { insertEvents } from '../statements/deliveries.ts';
import { selectKnownRequests } from '../statements/messages.ts';
import { insertFirstParts } from '../statements/parts.ts';
import { type AcceptedRow, acceptedRows, insertAccepted } from './accept.ts';
import { lowerHead } from './claim.ts';
import { type Moved, moved } from './move.ts';
import { asChange, partRows } from './settle.ts';

export interface Kept {
  /** A text without an idempotency key that is not held. */
  item: SmsItem;
  /** The first try of each delivery; null = not begun. */
  tries: readonly (Try | null)[];
}

export interface Try {
  /** Time of `sending`, and its node. */
  at: EpochMs;
  token: number;
  /** Null = still open. */
  end: { at: EpochMs; settlement: Settlement } | null;
}

/** Those that the database lacks; returns them. */
export function* keepUnknown<K extends Kept>(items: readonly K[], context: WriteContext): Operation<K[]> {
  const unknown = yield* unknownOf(items);
  yield* keep(unknown, context);
  return unknown;
}

/** Those that the database lacks. */
export function* unknownOf<K extends Kept>(items: readonly K[]): Operation<K[]> {
  const ids = items.map(({ item }) => ({ request_id: item.message.requestId }));
  const known = new Set((yield* run(selectKnownRequests, ids)).map((row) => row.request_id));
  return items.filter(({ item }) => !known.has(item.message.requestId));
}

export function* keep(items: readonly Kept[], context: WriteContext): Operation<void> {
  const deliveries: AcceptedRow[] = [];
  const events: Moved['event'][] = [];
  const parts: ReturnType<typeof partRows> = [];
  for (const { item, tries } of items) {
    acceptedRows(item).forEach((row, place) => {
      const own = tries[place]!;
      deliveries.push(row);
      if (own === null) {
        lowerHead(context, row.lane, row.due_at);
        return;
      }
      const { at, token, end } = own;
      Object.assign(row, moved(row, { to: 'sending', at, token, attempts: 1, carrier: row.lane }).row);
      if (end === null) {
        context.sending.set(row.message_id, row);
        return;
      }
      parts.push(...partRows({ row, settlement: end.settlement }, { now: end.at }));
      const { row: ended, event } = moved(row, asChange(row, end.settlement, { now: end.at }));
      Object.assign(row, ended);
      events.push(event);
    });
  }
  yield* insertAccepted(
    items.map(({ item }) => item),
    deliveries,
    context,
  );
  yield* run(
    insertEvents,
    events.map((event) => ({ ...event, position: context.positions.next() })),
  );
  yield* run(insertFirstParts, parts);
}
