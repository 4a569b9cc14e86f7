/**
 * The store over an engine: the methods of the seam as calls of a group commit or as look-ups. No SQL and no rule here.
 */
import {
  type AnswerOf,
  type Engine,
  type ItemOf,
  type LookUpKind,
  type QuestionOf,
  type ResultOf,
  tellingKinds,
  toolKinds,
  type WriteKind,
} from './engine.ts';
import { GroupCommit } from './group-commit.ts';
import { unfoldClaims } from './operations/claim.ts';
import type { InboundOutcome } from './operations/inbound.ts';
import { talkOf } from './operations/message-talk.ts';
import { nothingOverdue } from './operations/sweep.ts';
import { replay } from './replay.ts';
import { type InboundResult, type Store, StoreUnavailable } from './store.ts';

export function createStore(engine: Engine, role: 'node' | 'tool'): Store {
  const groups = new GroupCommit(engine);
  let closing: Promise<void> | null = null;
  let told: () => void = () => {};
  /** Brings what was sent to where conversations are read; null when something was sent since. */
  let gathering: Promise<unknown> | null = null;

  function write<K extends WriteKind>(kind: K, items: readonly ItemOf<K>[]): Promise<ResultOf<K>[]> {
    if (role === 'tool' && !toolKinds.includes(kind)) {
      return Promise.reject(new Error(`${kind} is the node's work; this store was opened as a tool`));
    }
    const done = groups.enqueue(kind, items);
    if (tellingKinds.has(kind)) done.then(told, () => {});
    return done;
  }

  function ask<K extends LookUpKind>(kind: K, question: QuestionOf<K>): Promise<AnswerOf<K>> {
    return engine.lookUp(kind, question) as Promise<AnswerOf<K>>;
  }

  /** For what reads conversations. Where the store takes no writes, it reads what was gathered before. */
  async function askTalk<K extends LookUpKind>(kind: K, question: QuestionOf<K>): Promise<AnswerOf<K>> {
    gathering ??= write('gather', [null]);
    try {
      await gathering;
    } catch (error) {
      gathering = null;
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    return ask(kind, question);
  }

  async function writeOne<K extends WriteKind>(kind: K, item: ItemOf<K>): Promise<ResultOf<K>> {
    return (await write(kind, [item]))[0]!;
  }

  return {
    token: engine.token,
    engine: engine.kind,
    onEvents(listener) {
      told = listener;
    },
    accept(items) {
      gathering = null;
      return write('accept', items);
    },
    claim: async (request) => unfoldClaims(await writeOne('claim', request)),
    settle: (settlements) => write('settle', settlements),
    receipts: async (receipts) => (await write('receipts', receipts)).flat(),
    inbound: async (items) => asInboundResult(await write('inbound', items)),
    recover: (request) => writeOne('recover', request),
    async sweep(request) {
      const found = await ask('overdue', request);
      const moves = nothingOverdue(found) ? [] : await writeOne('sweep', found);
      return { moves, more: found.more };
    },
    queued: (lane, limit) => ask('queued', { lane, limit }),
    async relane(moves, now) {
      const items = moves.map((move) => ({ ...move, now }));
      return (await write('relane', items)).filter((moved) => moved).length;
    },
    queueCounts: () => ask('queueCounts', undefined),
    queuedLanes: () => ask('queuedLanes', undefined),
    nextDueAt: (now) => ask('nextDueAt', now),
    decide: (request) => writeOne('decide', request),
    answerFor: (accountId, key, now) => ask('answerFor', { accountId, key, now }),
    message: (accountId, messageId) => ask('message', { accountId, messageId }),
    messages: (request) => ask('messages', request),
    carrierErrors: (limit) => ask('carrierErrors', limit),
    receiptCandidates: (request) => ask('receiptCandidates', request),
    matchReceipt: (request) => writeOne('matchReceipt', request),
    unmatchedReceipts: (limit) => ask('unmatchedReceipts', limit),
    records: () => ask('records', undefined),
    numberTraffic: (request) => ask('numberTraffic', request),
    queuedFrom: (request) => ask('queuedFrom', request),
    positionAt: (at) => ask('positionAt', at),
    handedOver: (request) => ask('handedOver', request),
    waitingFor: (request) => ask('waitingFor', request),
    async makeDue(messageIds, now) {
      const items = messageIds.map((messageId) => ({ messageId, now }));
      return (await write('makeDue', items)).filter((due) => due).length;
    },
    routeVersions: (limit) => ask('routeVersions', limit),
    newestSent: (limit) => ask('newestSent', limit),
    recordsVersion: () => ask('recordsVersion', undefined),
    putRecords: (changes) => writeOne('putRecords', changes),
    editRecords: (edit) => writeOne('editRecords', edit),
    getSetting: (name) => ask('getSetting', name),
    async putSetting(name, value) {
      await writeOne('putSetting', { name, value });
    },
    eventsAfter: (request) => ask('eventsAfter', request),
    accountEvents: (request) => ask('accountEvents', request),
    eventPosition: (request) => ask('eventPosition', request),
    async addEvents(events) {
      await write('addEvents', events);
    },
    fannedOut: () => ask('fannedOut', undefined),
    fanOut: (request) => writeOne('fanOut', request),
    dueWebhooks: (request) => ask('dueWebhooks', request),
    webhookQueues: () => ask('webhookQueues', undefined),
    async recordAttempts({ outcomes, health }) {
      const notes = [...outcomes.map((outcome) => ({ outcome })), ...health.map((one) => ({ health: one }))];
      await write('recordAttempts', notes);
    },
    endpointHealth: () => ask('endpointHealth', undefined),
    replayWebhooks: (request) =>
      replay(request, {
        look: (question) => ask('replayable', question),
        write: (items) => write('replayWebhooks', items),
      }),
    webhookDeliveries: (request) => ask('webhookDeliveries', request),
    webhookDelivery: (request) => ask('webhookDelivery', request),
    forgetWebhooks: (request) => writeOne('forgetWebhooks', request),
    optOutPage: (request) => ask('optOutPage', request),
    optOuts: (request) => ask('optOuts', request),
    changeConsent({ changes, eventIds }) {
      return write(
        'changeConsent',
        changes.map((change, index) => ({ change, eventId: eventIds[index]! })),
      );
    },
    mediaJobs: (request) => ask('mediaJobs', request),
    nextMediaJobAt: () => ask('nextMediaJobAt', undefined),
    prepareMedia: (items) => write('prepareMedia', items),
    inboundMms: async (items) => asInboundResult(await write('inboundMms', items)),
    async addMediaLinks(links) {
      await write('addMediaLinks', links);
    },
    mediaLink: (mediaId) => ask('mediaLink', mediaId),
    neededMedia: (request) => ask('neededMedia', request),
    async forgetMedia(request) {
      const found = await ask('forgettableMedia', request);
      if (found.links.length + found.media.length + found.sent.length > 0) await writeOne('forgetMedia', found);
      return found.more;
    },
    changePeople: (changes) => write('changePeople', changes),
    users: (query) => ask('users', query),
    session: (idHash) => ask('session', idHash),
    sessions: (userId) => ask('sessions', userId),
    oneTimeKey: (keyHash) => ask('oneTimeKey', keyHash),
    oneTimeKeys: (request) => ask('oneTimeKeys', request),
    audit: (request) => ask('audit', request),
    auditRows: (request) => ask('auditRows', request),
    auditCount: () => ask('auditCount', undefined),
    countedTo: () => ask('countedTo', undefined),
    takenAfter: (request) => ask('takenAfter', request),
    addUsage: (request) => writeOne('addUsage', request),
    usage: (request) => ask('usage', request),
    usageTotal: (request) => ask('usageTotal', request),
    outcomes: (request) => ask('outcomes', request),
    usageLines: (request) => ask('usageLines', request),
    storeFacts: () => ask('storeFacts', engine.kind),
    threads: (request) => askTalk('threads', request),
    thread: (request) => ask('thread', request),
    unreadCount: (accountId) => ask('unreadCount', accountId),
    threadMessages: (request) => askTalk('threadMessages', request),
    markThread: (request) => writeOne('markThread', request),
    searchMessages: (request) => (talkOf(request) ? askTalk : ask)('searchMessages', request),
    webhooksOf: (request) => ask('webhooksOf', request),
    receiptTimes: (request) => ask('receiptTimes', request),
    sentWith: (request) => ask('sentWith', request),
    refusedRecipients: (request) => ask('refusedRecipients', request),
    refusedCounts: (request) => ask('refusedCounts', request),
    recentCounts: (request) => ask('recentCounts', request),
    recentFailures: (request) => ask('recentFailures', request),
    stuckMessages: (request) => ask('stuckMessages', request),
    async forgetMessages(request) {
      const found = await ask('forgettable', request);
      const { empty, left, unleft, passed, gone, cursor } = found;
      const work = empty.length + left.length + unleft.length;
      if (work > 0 || passed !== null || gone !== null) await writeOne('forgetMessages', found);
      return { emptied: empty.length, deleted: gone?.messages.length ?? 0, cursor };
    },
    async forgetEvents(request) {
      const found = await ask('forgettableEvents', request);
      if (found.passed !== null) await writeOne('forgetEvents', found);
      return found.more;
    },
    async addErasure(erasure) {
      await writeOne('addErasure', erasure);
    },
    erasures: (request) => ask('erasures', request),
    async erase(request) {
      const step = await ask('erasable', request);
      if (step === null) return false;
      await writeOne('erase', step);
      return step.more;
    },
    async addDemo(request) {
      await writeOne('addDemo', request);
    },
    async removeDemo(request) {
      const found = await ask('removableDemo', request);
      if (found.gone !== null || found.usageOf !== null) await writeOne('removeDemo', found);
      return { deleted: found.gone?.messages.length ?? 0, cursor: found.cursor };
    },
    async addRequests(batch) {
      await writeOne('addRequests', batch);
    },
    requests: (search) => ask('requests', search),
    request: (question) => ask('request', question),
    unkeptRequests: (question) => ask('unkeptRequests', question),
    async forgetRequests(request) {
      const found = await ask('forgettableRequests', request);
      if (found.requestIds.length > 0 || found.unkeptBefore !== null) await writeOne('forgetRequests', found);
      return found.more;
    },
    async eraseFromRequests(request) {
      const found = await ask('maskableRequests', request);
      if (found.rows.length > 0) await writeOne('maskRequests', found);
      return found.cursor;
    },
    async healthy() {
      try {
        await writeOne('probe', null);
        return true;
      } catch {
        return false;
      }
    },
    close() {
      closing ??= groups.close().then(() => engine.close());
      return closing;
    },
  };
}

function asInboundResult(outcomes: readonly InboundOutcome[]): InboundResult {
  return {
    messageIds: outcomes.map(({ messageId }) => messageId),
    consent: outcomes.flatMap(({ change }) => change ?? []),
    lanes: [...new Set(outcomes.flatMap(({ lanes }) => lanes))],
  };
}
