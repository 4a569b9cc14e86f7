/**
 * Parameters and results of message searches and start-page figures. Every query reads a bounded number of rows and
 * reports how far it looked.
 */

import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId, KeyId, MessageId, RequestId } from '../../kernel/ids.ts';
import type { CountedAt } from '../../model/histogram.ts';
import type { ListedMessage, MessageFilter } from '../../model/message-search.ts';
import type { RecipientStatus } from '../../model/reason.ts';

/** Own numbers whose messages alone are wanted, or are not; absent = all of them. Not used together. */
export interface OwnSide {
  only?: readonly string[];
  without?: readonly string[];
}

export interface MessageSearch extends OwnSide {
  accountId: AccountId;
  filter: MessageFilter;
  /** The account's own numbers: to them belongs one side of every conversation. */
  ownNumbers: readonly string[];
  /** Only messages before this id; null = from the newest. */
  before: string | null;
  /** Only messages after this id; null = down to the oldest. */
  after: string | null;
  /** At most 500. */
  limit: number;
}

export interface MessageSearchPage {
  /** Newest first. */
  messages: ListedMessage[];
  /** `before` of the next page; null when there is nothing older. */
  next: string | null;
  /** How far it looked without filling the page; null when it looked everywhere, or the page is full. */
  searchedTo: EpochMs | null;
}

/** A search whose messages are counted; of a wide one, the newest `look` messages of each direction are looked at. */
export interface MessageCountsQuery extends Omit<MessageSearch, 'before' | 'after' | 'limit'> {
  look: number;
}

export interface MessageCounts {
  counts: CountedAt[];
  /** How far back it counted; null when it counted everything. */
  countedTo: EpochMs | null;
}

/** How long a carrier took over the receipts of an account's newest messages. */
export interface ReceiptTimes {
  /** From the hand-over of a part to its receipt, unsorted; of the newest messages only. */
  tookMs: number[];
  /** When the newest of them came; null when there is none. */
  lastAt: EpochMs | null;
}

/** What is kept of the request a sent message came with, beside its messages. */
export interface SentWith {
  /** How long the message might wait to be sent. */
  validForMs: number;
  /** What the request was answered; null when it had no Idempotency-Key, or its time is over. */
  answer: string | null;
  /** Until when that is kept. */
  answerKeptUntil: EpochMs | null;
}

/** A recipient that was refused while others of its request were accepted. */
export interface RefusedRecipient {
  /** In the request, from 0. */
  place: number;
  /** As it was given; kept up to 64 characters. */
  to: string;
  /** Status code of the catalogue. */
  status: RecipientStatus;
  detail: string;
}

/** One of them as the log shows it, with what its request had for all recipients. */
export interface ListedRefused extends RefusedRecipient {
  requestId: RequestId;
  keyId: KeyId;
  referenceId: string;
  from: string;
  acceptedAt: EpochMs;
}

export interface RefusedSearch extends Omit<MessageSearch, 'before' | 'after'> {
  /** Only those after this place of the list; null = from the newest. */
  before: RefusedPlace | null;
}

export interface RefusedPlace {
  requestId: RequestId;
  place: number;
}

export interface RefusedPage {
  /** Newest request first. */
  recipients: ListedRefused[];
  /** `before` of the next page; null when there is nothing older. */
  next: RefusedPlace | null;
  /** How far it looked without filling the page; null when it looked everywhere, or the page is full. */
  searchedTo: EpochMs | null;
}

export interface WebhooksOfQuery {
  accountId: AccountId;
  messageId: MessageId;
  endpointIds: readonly string[];
}

export interface SentWithQuery {
  accountId: AccountId;
  messageId: MessageId;
  keptMs: number;
}

export interface RefusedRecipientsQuery {
  accountId: AccountId;
  requestId: RequestId;
  limit: number;
}

export interface RefusedCountsQuery {
  accountId: AccountId;
  requestIds: readonly string[];
}

export interface ReceiptTimesQuery {
  accountId: AccountId;
  carrier: string;
  look: number;
}

export type StuckMessagesQuery = OwnSide & { accountId: AccountId; look: number };
