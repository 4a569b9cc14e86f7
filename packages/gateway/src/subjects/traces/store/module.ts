/** Messages that have ended, with the data for their traces. */
import type { AccountId, MessageId, RequestId } from '../../../kernel/ids.ts';
import { selectEvents } from '../../../messaging/store/statements/views.ts';
import { demoKeyId } from '../../../model/demo.ts';
import { type DeliveryState, deliveryStates, isFinal } from '../../../model/lifecycle.ts';
import { readStoredTrace } from '../../../model/message-extras.ts';
import { isTraced } from '../../../model/traceparent.ts';
import { type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run, statement } from '../../../store/query.ts';
import { lastPosition } from '../../../store/system/operations.ts';

interface EndedRow {
  message_id: MessageId;
  sequence: number;
  request_id: RequestId;
  account_id: AccountId;
  message_type: 'SMS' | 'MMS';
  extras: string | null;
  accepted_at: number;
}

/** A late receipt may still settle what is `unconfirmed`; then it ends a second time. */
const ends = deliveryStates.filter((state) => (isFinal(state) && state !== 'received') || state === 'unconfirmed');

export const selectEnded = statement<EndedRow>()(
  'select_ended',
  { after: 'int', until: 'int' },
  `select e.message_id, e.sequence, d.request_id, d.account_id, m.message_type, m.extras, m.accepted_at
   from events e join deliveries d on d.message_id = e.message_id
     join messages m on m.request_id = d.request_id and m.key_id <> '${demoKeyId}'
   where e.position > r.after and e.position <= r.until and e.state in (${ends.map((state) => `'${state}'`).join(', ')})
   order by e.position`,
);

export interface EndedMessage {
  messageId: MessageId;
  requestId: RequestId;
  accountId: AccountId;
  messageType: 'SMS' | 'MMS';
  /** From its request; null = none. */
  traceparent: string | null;
  acceptedAt: number;
  /** After acceptance, in order; the last is the outcome. `sendingAt`: when the attempt began that this state ends. */
  steps: { state: DeliveryState; at: number; code: string | null; carrier: string | null; sendingAt: number | null }[];
}

export interface EndedQuery {
  /** Position in the event log, and the number of positions to read. */
  after: number;
  limit: number;
  /** Share of the messages without a caller's trace, 0 to 1. */
  share: number;
}

/** Those in the sample. `position`: how far the log was read. */
function* endedAfter({ after, limit, share }: EndedQuery): Operation<{ ended: EndedMessage[]; position: number }> {
  const until = Math.max(after, Math.min(yield* lastPosition(after), after + limit));
  const rows = (yield* run(selectEnded, [{ after, until }])).map((row) => ({
    ...row,
    traceparent: readStoredTrace(row.extras),
  }));
  const chosen = rows.filter(({ request_id, traceparent }) => isTraced(request_id, traceparent, share));
  const events = Map.groupBy(yield* run(selectEvents, chosen), (event) => event.message_id);
  const ended = chosen.map((row) => ({
    messageId: row.message_id,
    requestId: row.request_id,
    accountId: row.account_id,
    messageType: row.message_type,
    traceparent: row.traceparent,
    acceptedAt: row.accepted_at,
    steps: (events.get(row.message_id) ?? [])
      .filter(({ sequence }) => sequence <= row.sequence)
      .sort((one, other) => one.sequence - other.sequence)
      .map(({ state, at, code, carrier, sending_at: sendingAt }) => ({ state, at, code, carrier, sendingAt })),
  }));
  return { ended, position: until };
}

export const traceStore = storeModule({
  name: 'traces',
  writes: {},
  // Ended messages are in the database: only `sent` and earlier states may be in memory.
  reads: { endedAfter: { run: endedAfter, needs: 'nothing' } },
});

export interface TraceStore extends StoreOf<typeof traceStore> {}
