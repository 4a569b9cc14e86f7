/**
 * What an engine gives to the store over it: transactions of whole groups, look-ups, a way to end. The operations named
 * here are all that may reach a database; the order of `writeOperations` is the order inside a transaction.
 */
import { accept, answerFor } from './operations/accept.ts';
import { carrierErrors } from './operations/carrier-errors.ts';
import { claim } from './operations/claim.ts';
import { changeConsent } from './operations/consent.ts';
import type { WriteContext } from './operations/context.ts';
import { addDemo, removableDemo, removeDemo } from './operations/demo.ts';
import { decide, relane } from './operations/desk.ts';
import { accountEvents, addEvents, eventPosition, eventsAfter } from './operations/events.ts';
import { gather } from './operations/gather.ts';
import { inbound } from './operations/inbound.ts';
import { inboundMms } from './operations/inbound-mms.ts';
import { addMediaLinks, forgetMedia, forgettableMedia, mediaLink, neededMedia } from './operations/media.ts';
import { mediaJobs, nextMediaJobAt, prepareMedia } from './operations/media-jobs.ts';
import { receiptTimes, recentCounts, recentFailures, searchMessages, stuckMessages } from './operations/message-log.ts';
import { numberTraffic, queuedFrom } from './operations/number-traffic.ts';
import { optOutPage, optOuts } from './operations/opt-outs.ts';
import { handedOver, makeDue, positionAt, waitingFor } from './operations/pacing.ts';
import {
  audit,
  auditCount,
  auditRows,
  changePeople,
  oneTimeKey,
  oneTimeKeys,
  session,
  sessions,
  users,
} from './operations/people.ts';
import { nextDueAt, queueCounts, queued, queuedLanes } from './operations/queue.ts';
import { matchReceipt, receiptCandidates } from './operations/receipt-match.ts';
import { receipts, unmatchedReceipts } from './operations/receipts.ts';
import {
  editRecords,
  getSetting,
  probe,
  putRecords,
  putSetting,
  records,
  recordsVersion,
} from './operations/records.ts';
import { refusedCounts, refusedRecipients } from './operations/refused.ts';
import {
  addRequests,
  forgetRequests,
  forgettableRequests,
  maskableRequests,
  maskRequests,
  request,
  requests,
  unkeptRequests,
} from './operations/request-log.ts';
import {
  addErasure,
  erasable,
  erase,
  erasures,
  forgetEvents,
  forgetMessages,
  forgettable,
  forgettableEvents,
} from './operations/retention.ts';
import { newestSent, routeVersions } from './operations/route-versions.ts';
import { sentWith } from './operations/sent-with.ts';
import { settle } from './operations/settle.ts';
import { overdue, recover, sweep } from './operations/sweep.ts';
import { markThread, thread, threadMessages, threads, unreadCount } from './operations/threads.ts';
import { storeFacts } from './operations/upkeep.ts';
import { addUsage, countedTo, outcomes, takenAfter, usage, usageLines, usageTotal } from './operations/usage.ts';
import { message, messages } from './operations/view.ts';
import {
  dueWebhooks,
  endpointHealth,
  replayable,
  webhookDeliveries,
  webhookDelivery,
  webhookQueues,
  webhooksOf,
} from './operations/webhook-views.ts';
import { fannedOut, fanOut, forgetWebhooks, recordAttempts, replayWebhooks } from './operations/webhooks.ts';
import type { Operation } from './query.ts';

/** Each takes the items of all calls of its kind and gives one result per item, in their order. */
export const writeOperations = {
  accept,
  gather,
  inbound,
  inboundMms,
  settle,
  receipts,
  recover,
  sweep,
  decide,
  matchReceipt,
  relane,
  makeDue,
  putRecords,
  editRecords,
  putSetting,
  probe,
  changeConsent,
  changePeople,
  addEvents,
  fanOut,
  recordAttempts,
  replayWebhooks,
  forgetWebhooks,
  addMediaLinks,
  forgetMedia,
  addUsage,
  markThread,
  forgetMessages,
  forgetEvents,
  addErasure,
  erase,
  addDemo,
  removeDemo,
  addRequests,
  forgetRequests,
  maskRequests,
  // After what moves deliveries or ends them, before what is due goes out.
  prepareMedia,
  claim,
};

export type WriteKind = keyof typeof writeOperations;
export const writeKinds = Object.keys(writeOperations) as WriteKind[];

/** What a tool may write while a node runs: nothing that moves a delivery. */
export const toolKinds: readonly WriteKind[] = ['putRecords', 'putSetting', 'changePeople', 'probe', 'gather'];

/** What may leave events in the log. */
export const tellingKinds: ReadonlySet<WriteKind> = new Set<WriteKind>([
  'inbound',
  'inboundMms',
  'settle',
  'receipts',
  'recover',
  'sweep',
  'decide',
  'matchReceipt',
  'addEvents',
  'changeConsent',
  'prepareMedia',
]);

type WriteOperation<K extends WriteKind> = (typeof writeOperations)[K];
type ReturnOf<T> = T extends Operation<infer R> ? R : never;

export type ItemOf<K extends WriteKind> = Parameters<WriteOperation<K>>[0][number];
export type ResultOf<K extends WriteKind> = ReturnOf<ReturnType<WriteOperation<K>>>[number];

/** All items of one kind in a group. */
export interface WriteCall {
  kind: WriteKind;
  items: readonly unknown[];
}

/** One transaction: the calls one after the other; the results per call. */
export function* runGroup(calls: readonly WriteCall[], context: WriteContext): Operation<unknown[][]> {
  const results: unknown[][] = [];
  for (const { kind, items } of calls) {
    const operation = writeOperations[kind] as (
      items: readonly unknown[],
      context: WriteContext,
    ) => Operation<unknown[]>;
    results.push(yield* operation(items, context));
  }
  return results;
}

/** Questions that change nothing; they never wait for the writer. */
export const lookUpOperations = {
  overdue,
  queued,
  queueCounts,
  queuedLanes,
  nextDueAt,
  answerFor,
  message,
  messages,
  unmatchedReceipts,
  receiptCandidates,
  carrierErrors,
  records,
  recordsVersion,
  routeVersions,
  newestSent,
  getSetting,
  eventsAfter,
  accountEvents,
  eventPosition,
  fannedOut,
  dueWebhooks,
  webhookQueues,
  endpointHealth,
  webhookDeliveries,
  webhookDelivery,
  replayable,
  optOutPage,
  optOuts,
  users,
  session,
  sessions,
  oneTimeKey,
  oneTimeKeys,
  audit,
  auditRows,
  auditCount,
  mediaJobs,
  nextMediaJobAt,
  mediaLink,
  neededMedia,
  forgettableMedia,
  countedTo,
  takenAfter,
  usage,
  usageTotal,
  usageLines,
  outcomes,
  threads,
  thread,
  unreadCount,
  threadMessages,
  numberTraffic,
  queuedFrom,
  positionAt,
  handedOver,
  waitingFor,
  searchMessages,
  webhooksOf,
  receiptTimes,
  sentWith,
  refusedRecipients,
  refusedCounts,
  recentCounts,
  recentFailures,
  stuckMessages,
  forgettable,
  forgettableEvents,
  erasures,
  erasable,
  removableDemo,
  requests,
  request,
  unkeptRequests,
  forgettableRequests,
  maskableRequests,
  storeFacts,
};

export type LookUpKind = keyof typeof lookUpOperations;
export type QuestionOf<K extends LookUpKind> = Parameters<(typeof lookUpOperations)[K]>[0];
export type AnswerOf<K extends LookUpKind> = ReturnOf<ReturnType<(typeof lookUpOperations)[K]>>;

export function lookUp(kind: LookUpKind, question: unknown): Operation<unknown> {
  return (lookUpOperations[kind] as (question: unknown) => Operation<unknown>)(question);
}

export interface Engine {
  readonly kind: 'sqlite' | 'postgres';
  /** Fencing token of this start; 0 for a tool. */
  readonly token: number;
  /** Transactions it takes before the first is done; it works them off in their order. */
  readonly ahead: number;
  /** So many rows are worth a group while another one runs, or before the turn of the event loop is over. */
  readonly enoughRows: number;
  /**
   * Runs the calls in one transaction and resolves when it is on disk, with the results per call.
   * Rejects with StoreUnavailable (nothing known to be stored, try later), StoreBroken (end now) or any other error (one of
   * the calls is at fault; nothing stored).
   */
  commit(calls: readonly WriteCall[]): Promise<unknown[][]>;
  lookUp(kind: LookUpKind, question: unknown): Promise<unknown>;
  close(): Promise<void>;
}
