/**
 * Retention: deletes old texts, old messages, and everything of one number. Reads select the rows; the writer deletes
 * them without checking again, because a row that may be deleted once may always be. Messages that may still be sent,
 * and the newest event, stay. Steps are bounded; a kill between two loses only time.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import { type AccountId, firstIdAt } from '../../../kernel/ids.ts';
import { ownedDuty } from '../../../model/duty.ts';
import type { RetentionCut } from '../../../model/retention.ts';
import { oneDone, type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import { deleteContacts, selectOldContacts } from '../../contacts/store/statements.ts';
import { forgetBeside, hasUnfinished, storedBeside } from './beside.ts';
import { addErasure, erasable, erase, erasures } from './erasure.ts';
import { type Gone, goneOf, isSettled, letGo, oldPage, type Page, pageOf, requestIds } from './gone.ts';
import {
  deleteEvents,
  deleteLeft,
  emptyBodies,
  insertLeft,
  type OldRow,
  putPassed,
  selectLeftMessages,
  selectOldEvents,
  selectPassed,
} from './statements.ts';

export type ForgetMessagesRequest = RetentionCut & {
  endpointIds: string[];
  now: EpochMs;
  limit: number;
  cursor: string | null;
  /** Messages that did not change since then leave their events to the drop of a partition; none does when left out. */
  eventsStayTo?: EpochMs;
  /** Messages accepted before are left to the drop of a partition; none when left out. Their texts are emptied all the same. */
  messagesFrom?: EpochMs;
};

export interface ForgetEventsRequest {
  before: EpochMs;
  /** Events before this position are left to the drop of a partition; none when left out. */
  eventsFrom?: number;
  limit: number;
}

export interface Forgettable {
  accountId: AccountId;
  now: number;
  empty: string[];
  /** Messages to check again, and those that need no further check. */
  left: string[];
  unleft: string[];
  passed: { name: string; passed: string } | null;
  gone: Gone | null;
  contacts: string[];
  cursor: string | null;
}

/** The steps for one account, in order. */
const phases = [
  'left',
  'bodies outbound',
  'bodies inbound',
  'messages outbound',
  'messages inbound',
  'contacts',
] as const;
type Phase = (typeof phases)[number];

export function* forgettable(request: ForgetMessagesRequest): Operation<Forgettable> {
  const [phase, after] = readCursor(request.cursor);
  const { accountId, now } = request;
  const none = { accountId, now, empty: [], left: [], unleft: [], passed: null, gone: null, contacts: [] };
  const direction = phase.endsWith('outbound') ? 'outbound' : 'inbound';
  if (phase === 'left') {
    const page = yield* leftPage(request, after);
    const settled = page.requests.filter((rows) => rows.every(isSettled)).flat();
    return { ...none, empty: requestIds(settled), unleft: settled.map(messageId), cursor: nextCursor(phase, page) };
  }
  if (phase.startsWith('bodies')) {
    const [mark] = yield* run(selectPassed, [{ account_id: accountId, name: direction }]);
    const page = yield* oldPage(request, direction, mark?.passed ?? '', request.bodiesBefore);
    const [settled, others] = parted(page.requests);
    return {
      ...none,
      empty: requestIds(settled),
      left: others.map(messageId),
      passed: page.last === null ? null : { name: direction, passed: page.last },
      cursor: nextCursor(phase, page),
    };
  }
  if (phase === 'contacts') {
    const before = request.messagesBefore;
    const old = yield* run(selectOldContacts, [{ account_id: accountId, before, after, limit: request.limit }]);
    const contacts = old.filter(({ alone }) => alone === 1).map(({ contact }) => contact);
    const isFull = old.length >= request.limit;
    return { ...none, contacts, cursor: isFull ? `${phase}|${old.at(-1)!.contact}` : null };
  }
  const from = after || firstIdAt('msg_', request.messagesFrom ?? 0);
  const page = yield* oldPage(request, direction, from, request.messagesBefore);
  const [messages] = parted(page.requests);
  const gone = yield* goneOf(request, messages, requestIds(messages));
  return { ...none, gone, cursor: nextCursor(phase, page) };
}

const messageId = (row: OldRow): string => row.message_id;

function parted(requests: readonly OldRow[][]): [settled: OldRow[], others: OldRow[]] {
  const settled = requests.filter((rows) => rows.every(isSettled));
  return [settled.flat(), requests.filter((rows) => !settled.includes(rows)).flat()];
}

function readCursor(cursor: string | null): [Phase, string] {
  const [phase = phases[0], after = ''] = cursor?.split('|') ?? [];
  return [phase as Phase, after];
}

function nextCursor(phase: Phase, { last, more }: Page): string | null {
  if (more && last !== null) return `${phase}|${last}`;
  return phases[phases.indexOf(phase) + 1] ?? null;
}

function* leftPage({ accountId, limit }: ForgetMessagesRequest, after: string): Operation<Page> {
  const rows = yield* run(selectLeftMessages, [{ account_id: accountId, after, limit }]);
  return pageOf(rows, limit, Number.POSITIVE_INFINITY);
}

export function* forgetMessages(items: readonly Forgettable[]): Operation<null[]> {
  for (const { accountId, now, empty, left, unleft, passed, gone, contacts } of items) {
    const named = (ids: readonly string[]) => ids.map((message_id) => ({ account_id: accountId, message_id }));
    yield* run(
      emptyBodies,
      empty.map((request_id) => ({ request_id, now })),
    );
    yield* run(insertLeft, named(left));
    yield* run(deleteLeft, named(unleft));
    if (passed !== null) yield* run(putPassed, [{ account_id: accountId, ...passed }]);
    if (gone !== null) yield* letGo(gone);
    yield* run(
      deleteContacts,
      contacts.map((contact) => ({ account_id: accountId, contact })),
    );
  }
  return items.map(() => null);
}

/** `passed` is the mark in the log; it moves only past events older than `before`. */
export interface ForgettableEvents {
  positions: number[];
  passed: string | null;
  more: boolean;
}

const logMark = { account_id: '', name: 'events' } as const;

export function* forgettableEvents({
  before,
  limit,
  eventsFrom = 0,
}: ForgetEventsRequest): Operation<ForgettableEvents> {
  const [mark] = yield* run(selectPassed, [logMark]);
  const rows = yield* run(selectOldEvents, [{ after: Math.max(Number(mark?.passed ?? 0), eventsFrom - 1), limit }]);
  const young = rows.findIndex(({ at }) => at >= before);
  const old = young === -1 ? rows : rows.slice(0, young);
  const positions = old.filter(({ alone }) => alone === 1).map(({ position }) => position);
  return { positions, passed: old.length === 0 ? null : String(old.at(-1)!.position), more: old.length >= limit };
}

export function* forgetEvents(items: readonly ForgettableEvents[]): Operation<null[]> {
  for (const { positions, passed } of items) {
    yield* run(
      deleteEvents,
      positions.map((position) => ({ position })),
    );
    if (passed !== null) yield* run(putPassed, [{ ...logMark, passed }]);
  }
  return items.map(() => null);
}

export const retentionStore = storeModule({
  name: 'retention',
  writes: {
    forgetMessages: { run: forgetMessages, erases: true, owned: ownedDuty('retention') },
    forgetEvents: { run: forgetEvents, erases: true, owned: ownedDuty('retention') },
    forgetBeside: { run: forgetBeside, erases: true, owned: ownedDuty('retention') },
    addErasure: { run: addErasure },
    erase: { run: erase, erases: true, owned: ownedDuty('retention') },
  },
  reads: {
    forgettable: { run: forgettable },
    forgettableEvents: { run: forgettableEvents },
    hasUnfinished: { run: hasUnfinished },
    storedBeside: { run: storedBeside },
    erasures: { run: erasures, needs: 'nothing' },
    erasable: { run: erasable },
  },
  verbs: (on) => ({
    /**
     * Empties texts and media lists of an account's old messages, then deletes its oldest messages with their
     * timelines, and contacts without a conversation that nobody changed for as long. Reads at most `limit` messages of
     * each sort, and takes requests whole: a text is deleted only when no message of the request can still be sent.
     * Pending notifications of `endpointIds` about deleted messages are dropped. `cursor` comes from the step before,
     * null for the first; returns null after the last.
     */
    async forgetMessages(request: Parameters<typeof on.forgettable>[0]) {
      const found = await on.forgettable(request);
      const { empty, left, unleft, passed, gone, contacts, cursor } = found;
      const work = empty.length + left.length + unleft.length + contacts.length;
      if (work > 0 || passed !== null || gone !== null) await on.forgetMessages([found]);
      return { emptied: empty.length, deleted: gone?.messages.length ?? 0, cursor };
    },
    /** Deletes events without a message from before `before`, for all accounts; true while there is more. */
    async forgetEvents(request: Parameters<typeof on.forgettableEvents>[0]) {
      const found = await on.forgettableEvents(request);
      if (found.passed !== null) await on.forgetEvents([found]);
      return found.more;
    },
    /**
     * Before the partitions of a time are dropped: deletes what is stored elsewhere of messages accepted `before`, of which
     * nothing is to happen any more. True while there is more.
     */
    async forgetBeside(request: Parameters<typeof on.storedBeside>[0]) {
      const found = await on.storedBeside(request);
      const { left, threads, ...ofRequests } = found;
      const counts = [...Object.values(ofRequests).map(({ length }) => length), left.length + threads.length];
      if (counts.some((count) => count > 0)) await on.forgetBeside([found]);
      return counts.some((count) => count >= request.limit);
    },
    addErasure: oneDone(on.addErasure),
    /**
     * One step of an erasure: deletes final messages to and from its number, with their pending notifications for
     * `endpointIds`. Messages changed after `settledBefore` stay. True while there is more.
     */
    async erase(request: Parameters<typeof on.erasable>[0]) {
      const step = await on.erasable(request);
      if (step === null) return false;
      await on.erase([step]);
      return step.more;
    },
  }),
});

export interface RetentionStore extends StoreOf<typeof retentionStore> {}
