/**
 * Executes keyword commands in the transaction that stores the replies: list entry, event, confirmation. A redelivered
 * keyword must not be answered again.
 */
import { dayMs, type EpochMs } from '../../../kernel/clock.ts';
import type { AccountId, MessageId } from '../../../kernel/ids.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { AcceptItem, ConsentCommand } from '../items.ts';
import { type ConfirmationRow, putConfirmations, selectConfirmations } from '../statements/consent.ts';
import { accept } from './accept.ts';
import { type ConsentBook, closeBook, enter, openBook, subjectKey } from './consent.ts';

/** A STOP within this time after a confirmation gets no further one if it changes nothing. */
const repeatedStopMs = dayMs;
/** Carriers redeliver within minutes; a later HELP is a new request. */
const redeliveredHelpMs = 10 * 60_000;

/** A keyword and its stored reply. */
export interface Keyword {
  command: ConsentCommand;
  messageId: MessageId;
  accountId: AccountId;
  from: string;
  to: string;
  text: string | null;
  receivedAt: EpochMs;
  dupRisk: boolean;
}

export interface KeywordResult {
  change: { scope: string; contact: string; to: 'out' | 'in' } | null;
  /** Lanes in which its confirmation waits. */
  lanes: string[];
}

/** One result per keyword. */
export function* applyKeywords(keywords: readonly Keyword[], context: WriteContext): Operation<KeywordResult[]> {
  if (keywords.length === 0) return [];
  const subjects = keywords.map(subjectOf);
  const earlier = keywords.flatMap(({ from, command }) =>
    command.earlier === undefined ? [] : { scope: command.earlier, contact: from },
  );
  const book = yield* openBook([...subjects, ...earlier]);
  const distinct = new Map(subjects.map((subject) => [subjectKey(subject), subject]));
  const known = yield* run(selectConfirmations, [...distinct.values()]);
  const last = new Map(known.map((row) => [confirmationKey(row), row]));
  const stored = new Map<string, ConfirmationRow>();
  const confirmations: AcceptItem[] = [];
  const results = keywords.map((keyword): KeywordResult => {
    const changed = applyOne(book, keyword);
    const row: ConfirmationRow = {
      ...subjectOf(keyword),
      keyword: keyword.command.keyword,
      at: keyword.receivedAt,
    };
    const { confirmation } = keyword.command;
    const key = confirmationKey(row);
    const answered = confirmation !== null && isDue(keyword, changed, last.get(key)?.at ?? null);
    if (answered) {
      last.set(key, row);
      stored.set(key, row);
      confirmations.push(confirmation);
    }
    return {
      change: changed ? { ...subjectOf(keyword), to: keyword.command.keyword as 'out' | 'in' } : null,
      lanes: answered ? confirmation.deliveries.map((delivery) => delivery.lane) : [],
    };
  });
  yield* closeBook(book, context);
  yield* run(putConfirmations, [...stored.values()]);
  yield* accept(confirmations, context);
  return results;
}

function subjectOf({ from, command }: Keyword) {
  return { scope: command.scope, contact: from };
}

function confirmationKey({ keyword, ...subject }: ConfirmationRow): string {
  return `${keyword} ${subjectKey(subject)}`;
}

/** True if it changed the list. */
function applyOne(book: ConsentBook, { command, accountId, messageId, ...reply }: Keyword): boolean {
  const { keyword, scope, earlier } = command;
  if (keyword === 'help') return false;
  const change = {
    accountId,
    contact: reply.from,
    to: keyword,
    at: reply.receivedAt,
    how: 'keyword',
    reason: '',
    evidenceMessageId: messageId,
  } as const;
  const details = { number: reply.to, keyword: reply.text?.trim() ?? null };
  // Events of the message itself end in a number from 1; these do not, and have the same ids however often they are created.
  const eventId = `evt_${messageId.slice(4)}`;
  const changed = enter(book, { ...change, scope }, { ...details, eventId });
  if (earlier === undefined) return changed;
  return enter(book, { ...change, scope: earlier }, { ...details, eventId: `${eventId}_0` }) || changed;
}

function isDue({ receivedAt, command, dupRisk }: Keyword, changed: boolean, lastAt: number | null): boolean {
  if (changed) return true;
  const sinceMs = lastAt === null ? Number.POSITIVE_INFINITY : receivedAt - lastAt;
  switch (command.keyword) {
    case 'out':
      return sinceMs >= repeatedStopMs;
    case 'in':
      return false;
    case 'help':
      return !dupRisk || sinceMs >= redeliveredHelpMs;
  }
}
