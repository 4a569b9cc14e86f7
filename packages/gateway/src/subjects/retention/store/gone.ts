/**
 * Selects old messages for deletion, a page at a time and each request whole, with everything that belongs to them.
 * Used by all code that deletes messages.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { gatherConversations } from '../../../messaging/store/operations/gather.ts';
import { deleteMmsDeliveries } from '../../../messaging/store/statements/media.ts';
import { deleteRefusedOfRequests } from '../../../messaging/store/statements/refused.ts';
import { deleteThreads } from '../../../messaging/store/statements/threads.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { type Operation, run } from '../../../store/query.ts';
import { deleteAttempts, deleteWebhooks } from '../../webhooks/store/statements.ts';
import {
  deleteAccountMessages,
  deleteConversations,
  deleteDeliveries,
  deleteLeft,
  deleteMediaOfRequests,
  deleteMessageEvents,
  deleteMessages,
  deleteParts,
  type OldRow,
  selectOldMessages,
  selectWebhooksOf,
} from './statements.ts';

/** Messages to delete, and requests that have none left then. */
export interface Gone {
  accountId: AccountId;
  messages: OldRow[];
  requestIds: string[];
  webhooks: { endpoint_id: string; position: number }[];
  /** Messages that did not change since then leave their events to the drop of a partition; 0 = none does. */
  eventsStayTo: EpochMs;
}

export const requestIds = (rows: readonly OldRow[]): string[] => [...new Set(rows.map((row) => row.request_id))];

export interface Page {
  /** Each request whole. */
  requests: OldRow[][];
  /** The last message read; null when there was none. */
  last: string | null;
  more: boolean;
}

export function* oldPage(
  { accountId, limit }: { accountId: AccountId; limit: number },
  direction: string,
  after: string,
  before: number,
): Operation<Page> {
  return pageOf(yield* run(selectOldMessages, [{ account_id: accountId, direction, after, limit }]), limit, before);
}

/** The ids of a request's messages are adjacent, so only the last request of a full page may continue on the next. */
export function pageOf(rows: readonly OldRow[], limit: number, before: number): Page {
  const young = rows.findIndex((row) => row.accepted_at >= before);
  const old = young === -1 ? rows : rows.slice(0, young);
  const full = young === -1 && rows.length >= limit;
  const requests = [...Map.groupBy(old, (row) => row.request_id).values()];
  if (full && requests.length > 1) requests.pop();
  return { requests, last: requests.at(-1)?.at(-1)?.message_id ?? null, more: full };
}

export function* goneOf(
  {
    accountId,
    endpointIds,
    eventsStayTo = 0,
  }: { accountId: AccountId; endpointIds: readonly string[]; eventsStayTo?: EpochMs },
  messages: OldRow[],
  wholeRequestIds: string[],
): Operation<Gone | null> {
  if (messages.length === 0) return null;
  const wanted = messages.flatMap((row) => endpointIds.map((endpoint_id) => ({ ...row, endpoint_id })));
  const webhooks = yield* run(selectWebhooksOf, wanted);
  return { accountId, messages, requestIds: wholeRequestIds, webhooks, eventsStayTo };
}

/** Everything that is known of messages, but the newest place of the log. */
export function* letGo({ accountId, messages, requestIds: whole, webhooks, eventsStayTo }: Gone): Operation<void> {
  yield* run(deleteAttempts, webhooks);
  yield* run(deleteWebhooks, webhooks);
  const rows = messages.map((row) => ({ ...row, account_id: accountId }));
  yield* run(
    deleteMessageEvents,
    rows.filter((row) => row.updated_at >= eventsStayTo),
  );
  yield* run(deleteParts, rows);
  if (messages.length > 0) yield* gatherConversations();
  yield* run(deleteConversations, messages.map(conversationRow));
  yield* run(
    deleteThreads,
    messages.map((row) => ({ account_id: accountId, ...conversationRow(row) })),
  );
  yield* run(deleteMmsDeliveries, rows);
  yield* run(deleteLeft, rows);
  yield* run(deleteAccountMessages, rows);
  yield* run(deleteDeliveries, rows);
  const requests = whole.map((request_id) => ({ request_id }));
  yield* run(deleteMediaOfRequests, requests);
  yield* run(deleteRefusedOfRequests, requests);
  yield* run(deleteMessages, requests);
}

function conversationRow({ direction, sender, recipient, message_id, accepted_at }: OldRow) {
  return direction === 'outbound'
    ? { own: sender, peer: recipient, outbound: 1, message_id, at: accepted_at }
    : { own: recipient, peer: sender, outbound: 0, message_id, at: accepted_at };
}

const settledStates: ReadonlySet<DeliveryState> = new Set<DeliveryState>([
  ...(['delivered', 'undelivered', 'unconfirmed', 'failed', 'expired', 'canceled', 'received'] as const),
]);
/** Final: nothing will be sent any more. */
export const isSettled = ({ state }: OldRow): boolean => settledStates.has(state);
