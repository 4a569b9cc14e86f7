/**
 * Parameters and results of message searches and start-page figures. Every query reads a bounded number of rows and
 * reports how far it looked.
 */

import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId, KeyId, MessageId, RequestId } from '../../kernel/ids.ts';
import type { CountedAt } from '../../model/histogram.ts';
import type { ListedMessage, MessageFilter } from '../../model/message-search.ts';
import type { RecipientStatus } from '../../model/reason.ts';

/** Own numbers to which the search is limited, or which it excludes; absent = all. Not used together. */
export interface OwnSide {
  only?: readonly string[];
  without?: readonly string[];
}

export interface MessageSearch extends OwnSide {
  accountId: AccountId;
  filter: MessageFilter;
  /** The account's own numbers: one side of every conversation. */
  ownNumbers: readonly string[];
  /** Only messages before this id; null = from the newest. */
  before: string | null;
  /** Only messages after this id; null = down to the oldest. */
  after: string | null;
  /** At most 500. */
  limit: number;
}

/** How far one page of a list looks, from `before` back or from `after` on. */
export interface MessagesReachQuery {
  accountId: AccountId;
  direction: 'outbound' | 'inbound' | null;
  before: string | null;
  after: string | null;
  /** Messages of each direction. */
  look: number;
}

export interface MessageSearchPage {
  /** Newest first. */
  messages: ListedMessage[];
  /** `before` of the next page; null when there is nothing older. */
  next: string | null;
  /** How far back it looked without filling the page; null when it looked everywhere, or the page is full. */
  searchedTo: EpochMs | null;
}

/** A search whose matches are counted; a wide one examines only the newest `look` messages of each direction. */
export interface MessageCountsQuery extends Omit<MessageSearch, 'before' | 'after' | 'limit'> {
  look: number;
}

export interface MessageCounts {
  counts: CountedAt[];
  /** How far back it counted; null when it counted everything. */
  countedTo: EpochMs | null;
}

/** Receipt delays of a carrier for an account's newest messages. */
export interface ReceiptTimes {
  /** From hand-over of a part to its receipt, unsorted; newest messages only. */
  tookMs: number[];
  /** Arrival of the newest receipt; null when there is none. */
  lastAt: EpochMs | null;
}

/** Data kept about the request of a sent message, beside its messages. */
export interface SentWith {
  /** How long the message could wait to be sent. */
  validForMs: number;
  /** The answer to the request; null without an Idempotency-Key, or once it has expired. */
  answer: string | null;
  /** End of retention of the answer. */
  answerKeptUntil: EpochMs | null;
}

/** A recipient that was refused while others of its request were accepted. */
export interface RefusedRecipient {
  /** Place in the request, from 0. */
  place: number;
  /** As given in the request; kept up to 64 characters. */
  to: string;
  /** Status code of the catalogue. */
  status: RecipientStatus;
  detail: string;
}

/** A refused recipient as the log shows it, with the common data of its request. */
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
  /** How far back it looked without filling the page; null when it looked everywhere, or the page is full. */
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
