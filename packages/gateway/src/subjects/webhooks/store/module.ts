/**
 * The outbox: deliveries for each endpoint, results of attempts, expiry, replay. An event gets one delivery for each
 * endpoint, and only a waiting one changes state. A replay runs in steps, each in its own transaction.
 */
import type { AccountId } from '../../../kernel/ids.ts';
import type {
  AttemptOutcome,
  EndpointHealth,
  FanOutRequest,
  RecordAttemptsRequest,
  ReplayWebhooksRequest,
} from '../../../messaging/store/items.ts';
import { storable } from '../../../messaging/store/operations/storable.ts';
import { ownedDuty } from '../../../model/duty.ts';
import type { WriteContext } from '../../../store/context.ts';
import { one, type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import { putCounter, selectCounter } from '../../../store/system/statements.ts';
import {
  deleteAttempts,
  deleteWebhooks,
  insertAttempts,
  insertWebhooks,
  putHealth,
  requeueWebhooks,
  selectIdleWebhooks,
  selectWebhooks,
  updateWebhooks,
  type WebhookRow,
} from './statements.ts';
import {
  dueWebhooks,
  endpointHealth,
  replayable,
  webhookDeliveries,
  webhookDelivery,
  webhookQueues,
  webhooksOf,
} from './views.ts';

const replayedMax = 10_000;

/** Deliveries reset in one transaction. */
const stepRows = 500;

type Found = ReturnType<typeof replayable> extends Operation<infer R> ? R : never;

interface ReplaySteps {
  look(query: Parameters<typeof replayable>[0]): Promise<Found>;
  write(items: Replay[]): Promise<boolean[]>;
}

export async function replay(
  { accountId, endpointId, which, now, countOnly = false }: ReplayWebhooksRequest,
  steps: ReplaySteps,
): Promise<{ replayed: number; position: number }> {
  const write = async (positions: number[]) => {
    if (countOnly) return positions.length;
    const done = await steps.write(positions.map((position) => ({ accountId, endpointId, position, now })));
    return done.filter((one) => one).length;
  };
  if ('position' in which) return { replayed: await write([which.position]), position: which.position };

  let replayed = 0;
  const { since, until, failedOnly = false } = which;
  let { after } = which;
  for (let more = true; more && replayed < replayedMax; ) {
    const found = await steps.look({ accountId, endpointId, since, until, after, failedOnly });
    const positions = found.positions.slice(0, replayedMax - replayed);
    for (let first = 0; first < positions.length; first += stepRows) {
      replayed += await write(positions.slice(first, first + stepRows));
    }
    after = positions.length < found.positions.length ? positions.at(-1)! : found.position;
    more = found.more;
  }
  return { replayed, position: after };
}

const markCounter = 'fanned_out';

export function* fannedOut(): Operation<number> {
  const [found] = yield* run(selectCounter, [{ name: markCounter }]);
  return found?.value ?? 0;
}

export function* fanOut(items: readonly FanOutRequest[], context: WriteContext): Operation<boolean[]> {
  const done: boolean[] = [];
  for (const item of items) done.push(yield* fanOutOnce(item, context));
  return done;
}

function* fanOutOnce({ from, to, deliveries }: FanOutRequest, { now }: WriteContext): Operation<boolean> {
  if ((yield* fannedOut()) !== from) return false;
  yield* run(
    insertWebhooks,
    deliveries.map((delivery) => ({
      endpoint_id: delivery.endpointId,
      position: delivery.position,
      account_id: delivery.accountId,
      event_id: delivery.eventId,
      type: delivery.type,
      created_at: delivery.at,
      now,
    })),
  );
  yield* run(putCounter, [{ name: markCounter, value: to }]);
  return true;
}

/** A record to write after an attempt. */
export type AttemptNote = { outcome: AttemptOutcome } | { health: EndpointHealth };

export function* recordAttempts(notes: readonly AttemptNote[], { now }: WriteContext): Operation<null[]> {
  const outcomes = notes.flatMap((note) => ('outcome' in note ? [note.outcome] : []));
  const rows = yield* loadWebhooks(outcomes);
  const attempts = outcomes.flatMap((outcome) => {
    const row = rows.get(keyOf(outcome.endpointId, outcome.position));
    if (!row) return [];
    apply(row, outcome);
    return [attemptRow(row, outcome)];
  });
  yield* run(insertAttempts, attempts);
  yield* run(
    updateWebhooks,
    [...rows.values()].map((row) => ({ ...row, state: row.webhook_state, now })),
  );
  yield* run(putHealth, healthRows(notes));
  return notes.map(() => null);
}

function* loadWebhooks(outcomes: readonly AttemptOutcome[]): Operation<Map<string, WebhookRow>> {
  const keys = new Map(
    outcomes.map(({ endpointId, position }) => [keyOf(endpointId, position), { endpoint_id: endpointId, position }]),
  );
  const rows = yield* run(selectWebhooks, [...keys.values()]);
  return new Map(rows.map((row) => [keyOf(row.endpoint_id, row.position), row]));
}

function keyOf(endpointId: string, position: number): string {
  return `${position} ${endpointId}`;
}

/** The attempt counts in any case; its result changes only a delivery that still waits for this attempt. */
function apply(row: WebhookRow, { attempt, tries, to, dueAt }: AttemptOutcome): void {
  row.attempts += 1;
  row.last_status = attempt.status;
  const replayed = row.tries < tries;
  if (row.webhook_state !== 'waiting' || (replayed && to !== 'delivered')) return;
  row.tries += 1;
  row.webhook_state = to;
  if (to === 'waiting') row.due_at = dueAt;
}

function attemptRow(row: WebhookRow, { attempt }: AttemptOutcome) {
  return {
    endpoint_id: row.endpoint_id,
    position: row.position,
    attempt: row.attempts,
    at: attempt.at,
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    answer: storable(attempt.answer),
    skew_seconds: attempt.skewSeconds,
  };
}

/** The latest health of each endpoint. */
function healthRows(notes: readonly AttemptNote[]) {
  const rows = notes.flatMap((note) => {
    if (!('health' in note)) return [];
    const { endpointId, failingSince, lastSuccessAt } = note.health;
    return [{ endpoint_id: endpointId, failing_since: failingSince, last_success_at: lastSuccessAt }];
  });
  return [...new Map(rows.map((row) => [row.endpoint_id, row])).values()];
}

export interface Replay {
  accountId: AccountId;
  endpointId: string;
  position: number;
  now: number;
}

/** For each, whether the delivery exists; it is now waiting, with all its attempts ahead. */
export function* replayWebhooks(items: readonly Replay[]): Operation<boolean[]> {
  const byKey = new Map(items.map((item) => [keyOf(item.endpointId, item.position), item]));
  const found = new Set<string>();
  for (const [endpointId, ofEndpoint] of Map.groupBy(byKey.values(), (item) => item.endpointId)) {
    const rows = ofEndpoint.map(({ accountId, position, now }) => ({
      endpoint_id: endpointId,
      account_id: accountId,
      position,
      now,
    }));
    for (const { position } of yield* run(requeueWebhooks, rows)) found.add(keyOf(endpointId, position));
  }
  return items.map((item) => found.has(keyOf(item.endpointId, item.position)));
}

export interface ForgetRequest {
  before: number;
  limit: number;
}

/** For each, whether there may be more. */
export function* forgetWebhooks(items: readonly ForgetRequest[], { now }: WriteContext): Operation<boolean[]> {
  const more: boolean[] = [];
  for (const { before, limit } of items) {
    const idle = yield* run(selectIdleWebhooks, [{ before, limit }]);
    const { waiting = [], over = [] } = Object.groupBy(idle, (row) =>
      row.webhook_state === 'waiting' ? 'waiting' : 'over',
    );
    yield* run(
      updateWebhooks,
      waiting.map((row) => ({ ...row, state: 'failed', now })),
    );
    yield* run(deleteAttempts, over);
    yield* run(deleteWebhooks, over);
    more.push(idle.length >= limit);
  }
  return more;
}

export const webhookStore = storeModule({
  name: 'webhooks',
  writes: {
    /**
     * Creates deliveries for the log from `from` to `to`: stores a `waiting` delivery for each (endpoint, event), and
     * moves the mark, in one commit. False, and nothing is stored, when the mark is not at `from`. `at` is the time of
     * the event, and becomes the delivery's `createdAt` and first `dueAt`, so that the oldest goes first.
     */
    fanOut: {
      run: fanOut,
      journal: 'apart',
      owned: ownedDuty('webhooks'),
      unsynced: ({ deliveries }: FanOutRequest) => deliveries.length === 0,
    },
    /**
     * Stores attempts, and updates their deliveries and the endpoints' health. An attempt of a deleted delivery is not
     * stored; a delivery that no longer waits does not change.
     */
    recordAttempts: { run: recordAttempts, journal: 'apart', owned: ownedDuty('webhooks') },
    /** Puts deliveries back to `waiting`, due now, with all their tries ahead. Returns how many, and the last one's position. */
    replayWebhooks: { run: replayWebhooks },
    /**
     * Ends deliveries without a change since `before`: a waiting one becomes `failed`, others are deleted with their
     * attempts. At most `limit` in a call; true while there is more.
     */
    forgetWebhooks: { run: forgetWebhooks, owned: ownedDuty('sweeper') },
  },
  reads: {
    /** How far in the log deliveries have been created. */
    fannedOut: { run: fannedOut, needs: 'nothing' },
    /** Waiting deliveries of an endpoint that are due, ordered by due time. */
    dueWebhooks: { run: dueWebhooks, needs: 'nothing' },
    /**
     * For each endpoint with waiting deliveries: how many (exact up to 10,000, then 10,000) and when the earliest is
     * due.
     */
    webhookQueues: { run: webhookQueues, needs: 'nothing' },
    endpointHealth: { run: endpointHealth, needs: 'nothing' },
    /** Deliveries of one of an account's endpoints, or of all, newest event first. */
    webhookDeliveries: { run: webhookDeliveries, needs: 'nothing' },
    /** With its newest 100 attempts, oldest first. */
    webhookDelivery: { run: webhookDelivery, needs: 'nothing' },
    replayable: { run: replayable },
    /** Deliveries of one message's events. */
    webhooksOf: { run: webhooksOf },
  },
  verbs: (on) => ({
    fanOut: one(on.fanOut),
    async recordAttempts({ outcomes, health }: RecordAttemptsRequest) {
      await on.recordAttempts([...outcomes.map((outcome) => ({ outcome })), ...health.map((one) => ({ health: one }))]);
    },
    replayWebhooks: (request: ReplayWebhooksRequest) =>
      replay(request, { look: on.replayable, write: on.replayWebhooks }),
    forgetWebhooks: one(on.forgetWebhooks),
  }),
});

export interface WebhookStore extends StoreOf<typeof webhookStore> {}
