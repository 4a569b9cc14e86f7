/**
 * Generated messages of a sandbox, marked by `demoKeyId`: complete lives with past times, written like real ones
 * (accept, transitions, replies) in one transaction, never notified, and removed the way retention does. Messages of
 * other keys are never touched.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import { type AccountId, firstIdAt, type LaneId, type MessageId, type RequestId } from '../../../kernel/ids.ts';
import type { MmsItem, SmsItem } from '../../../messaging/store/items.ts';
import { accept } from '../../../messaging/store/operations/accept.ts';
import { prepareMedia } from '../../../messaging/store/operations/media-jobs.ts';
import { type Change, makeMoves } from '../../../messaging/store/operations/move.ts';
import { writeReceived } from '../../../messaging/store/operations/received.ts';
import { type DeliveryRow, selectDeliveries } from '../../../messaging/store/statements/deliveries.ts';
import { insertParts, updatePartStates } from '../../../messaging/store/statements/parts.ts';
import { carrierIdKey } from '../../../model/carrier-id.ts';
import type { Encoding } from '../../../model/delivery.ts';
import { type DemoOutcome, demoKeyId } from '../../../model/demo.ts';
import type { WriteContext } from '../../../store/context.ts';
import { oneDone, type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import { type Gone, goneOf, letGo, oldPage, requestIds } from '../../retention/store/gone.ts';
import {
  deleteHistoryCountsDemo,
  deleteHistoryDemo,
  deleteHourlyDemo,
  deleteUsageOfKey,
  selectRunsAt,
} from './statements.ts';

/** A request with the outcome of each recipient. */
export type DemoRequest = (Pick<SmsItem, 'message' | 'deliveries'> | Pick<MmsItem, 'message' | 'deliveries'>) & {
  /** One for each delivery, in order. */
  outcomes: DemoOutcome[];
};

/** A message from a handset. */
export interface DemoReceived {
  messageId: MessageId;
  requestId: RequestId;
  accountId: AccountId;
  carrier: string;
  from: string;
  to: string;
  text: string;
  encoding: Encoding;
  segments: number;
  receivedAt: EpochMs;
}

export interface AddDemoRequest {
  begins: EpochMs;
  sent: DemoRequest[];
  received: DemoReceived[];
}

export interface RemoveDemoRequest {
  accountId: AccountId;
  from: EpochMs;
  until: EpochMs;
  limit: number;
  cursor: string | null;
}

/**
 * Stores finished messages with their timelines, in the lists and conversations. Ordered by time; `begins` is the time
 * of the very first. No message may be stored twice.
 */
export function* addDemo(items: readonly AddDemoRequest[], context: WriteContext): Operation<null[]> {
  for (const { begins, sent, received } of items) {
    const runs = yield* runsAt([...sent.map(({ message }) => message.acceptedAt), ...received.map(receivedAt)]);
    const runOf = (at: EpochMs) => runs.get(at) ?? begins;
    for (const [place, requests] of Map.groupBy(sent, ({ message }) => runOf(message.acceptedAt))) {
      yield* addSent(requests, inRun(context, place));
    }
    for (const [place, texts] of Map.groupBy(received, (one) => runOf(one.receivedAt))) {
      yield* writeReceived(texts.map(asReceived), inRun(context, place));
    }
  }
  return items.map(() => null);
}

const receivedAt = (one: DemoReceived): EpochMs => one.receivedAt;

/** The run of conversations that had begun at each time; none if nothing was stored before it. */
function* runsAt(times: readonly EpochMs[]): Operation<Map<EpochMs, number>> {
  const rows = yield* run(
    selectRunsAt,
    [...new Set(times)].map((at) => ({ at })),
  );
  return new Map(rows.flatMap(({ at, run: place }) => (place === null ? [] : [[at, place]])));
}

function inRun(context: WriteContext, place: number): WriteContext {
  return { ...context, positions: { next: context.positions.next, run: () => place, begun: () => false } };
}

function* addSent(requests: readonly DemoRequest[], context: WriteContext): Operation<void> {
  const items = requests.map(({ outcomes: _, ...item }) => ({ ...item, idempotency: null }));
  yield* accept(items, context);
  // Nothing is fetched: the pictures are generated too.
  yield* prepareMedia(
    items
      .filter(({ message }) => message.messageType === 'MMS')
      .map(({ message: { requestId, acceptedAt } }) => ({
        requestId,
        now: acceptedAt,
        outcome: { to: 'queued' as const, media: { original: [], fitted: [] } },
      })),
    context,
  );
  const lives = requests.flatMap(({ message, deliveries, outcomes }) =>
    deliveries.map(({ messageId, lane }, i) => ({
      messageId,
      lane,
      at: message.acceptedAt,
      outcome: outcomes[i]!,
    })),
  );
  const params = lives.map(({ messageId }) => ({ message_id: messageId }));
  const rows = new Map((yield* run(selectDeliveries, params)).map((row) => [row.message_id, row]));
  const steps = lives.map((life) => ({ ...life, row: rows.get(life.messageId)! }));
  yield* makeMoves(
    steps.map(({ row, at, lane, outcome }) => ({ row, change: taking(at, lane, outcome, context) })),
    context,
  );
  const taken = steps.flatMap((life) => {
    const { sentAfterMs } = life.outcome;
    return sentAfterMs === null ? [] : [{ ...life, sentAt: life.at + sentAfterMs }];
  });
  yield* makeMoves(
    taken.map(({ row, sentAt }) => ({ row, change: { to: 'sent', at: sentAt, dueAt: sentAt } as Change })),
    context,
  );
  yield* addParts(taken);
  yield* makeMoves(
    steps.map(({ row, at, outcome: { to, endAfterMs, code, carrierCode } }) => ({
      row,
      change: { to, at: at + endAfterMs, code, carrierCode },
    })),
    context,
  );
}

function taking(at: EpochMs, carrier: string, { sendingAfterMs }: DemoOutcome, { token }: WriteContext): Change {
  return { to: 'sending', at: at + sendingAfterMs, carrier, attempts: 1, token };
}

function* addParts(
  taken: readonly { row: DeliveryRow; sentAt: EpochMs; at: EpochMs; lane: LaneId; outcome: DemoOutcome }[],
) {
  const parts = taken.flatMap(({ row, sentAt, at, lane, outcome }) =>
    Array.from({ length: Math.max(1, row.segments) }, (_, i) => {
      const carrierMessageId = `demo-${row.message_id.slice(4)}-${i + 1}`;
      const { to, code, carrierCode: carrier_code } = outcome;
      const end = { state: to, code, carrier_code, at: at + outcome.endAfterMs };
      const id = { message_id: row.message_id, part: i + 1, spans: 1 };
      const place = { carrier: lane, carrier_message_id: carrierMessageId, recipient: row.recipient, at: sentAt };
      return { id, place: { ...id, ...place, id_key: carrierIdKey(carrierMessageId) }, end };
    }),
  );
  yield* run(
    insertParts,
    parts.map(({ place }) => place),
  );
  yield* run(
    updatePartStates,
    parts.filter(({ end }) => end.state !== 'unconfirmed').map(({ id, end }) => ({ ...id, ...end })),
  );
}

function asReceived(text: DemoReceived) {
  const none = { octets: null, mediaUrls: [], messageType: 'SMS' as const, concatReference: 0, dupRisk: 0 };
  return { ...text, ...none, keyId: demoKeyId };
}

export interface DemoRemoval {
  gone: Gone | null;
  /** Set in the last step. */
  usageOf: string | null;
  cursor: string | null;
}

const directions = ['outbound', 'inbound'] as const;

export function* removableDemo(request: RemoveDemoRequest): Operation<DemoRemoval> {
  const { accountId, from, until, limit, cursor } = request;
  const [direction = directions[0], after = firstIdAt('msg_', from)] = cursor?.split('|') ?? [];
  const page = yield* oldPage({ accountId, limit }, direction, after, until);
  const messages = page.requests.flat().filter((row) => row.key_id === demoKeyId);
  const gone = yield* goneOf({ accountId, endpointIds: [] }, messages, requestIds(messages));
  const goesOn = page.more && page.last !== null;
  const next = goesOn ? `${direction}|${page.last}` : direction === 'outbound' ? 'inbound' : null;
  return { gone, usageOf: next === null ? accountId : null, cursor: next };
}

export function* removeDemo(items: readonly DemoRemoval[]): Operation<null[]> {
  for (const { gone, usageOf } of items) {
    if (gone !== null) yield* letGo(gone);
    if (usageOf === null) continue;
    yield* run(deleteUsageOfKey, [{ account_id: usageOf, key: demoKeyId }]);
    yield* run(deleteHourlyDemo, [{ account_id: usageOf }]);
    yield* run(deleteHistoryDemo, [{ account_id: usageOf }]);
    yield* run(deleteHistoryCountsDemo, [{ account_id: usageOf }]);
  }
  return items.map(() => null);
}

export const demoStore = storeModule({
  name: 'demo',
  writes: { addDemo: { run: addDemo }, removeDemo: { run: removeDemo } },
  reads: { removableDemo: { run: removableDemo } },
  verbs: (on) => ({
    addDemo: oneDone(on.addDemo),
    /**
     * Removes generated messages between two times: reads at most `limit` messages, and removes their usage with the
     * last step. `cursor` comes from the step before, null for the first; returns null after the last.
     */
    async removeDemo(request: Parameters<typeof on.removableDemo>[0]) {
      const found = await on.removableDemo(request);
      if (found.gone !== null || found.usageOf !== null) await on.removeDemo([found]);
      return { deleted: found.gone?.messages.length ?? 0, cursor: found.cursor };
    },
  }),
});

export interface DemoStore extends StoreOf<typeof demoStore> {}
