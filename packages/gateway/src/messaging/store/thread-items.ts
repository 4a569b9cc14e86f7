/**
 * Parameters and results of conversation queries. A conversation is one number and one handset, and begins with the
 * handset's first message.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { MessageInList } from '../../model/message-view.ts';
import type { OwnSide } from './message-log-items.ts';

/** A message of a conversation as a list shows it. */
export interface ThreadReply {
  text: string;
  media: number;
  at: EpochMs;
}

export interface Thread {
  own: string;
  peer: string;
  /** The handset's last message. */
  lastMessageId: string;
  lastAt: EpochMs;
  /** Unread messages of the handset. */
  unread: number;
  /** Its text, '' once deleted; and its number of media. */
  lastText: string;
  lastMedia: number;
  /**
   * The last message to the handset, if newer than the last one from it; only in a list, and searched only among the
   * newest messages.
   */
  reply: ThreadReply | null;
  /** Set by a person; the handset's next message clears it. */
  done: boolean;
  /** The assigned user; '' = unassigned. */
  assignedTo: string;
  /** Snoozed until then, or until the handset's next message; 0 = not snoozed. */
  snoozedUntil: EpochMs;
}

/** `snoozed`: its time has not come. `open`: neither snoozed nor done. `unread`: open, with unread messages. */
export const threadStates = ['open', 'unread', 'snoozed', 'done'] as const;
export type ThreadState = (typeof threadStates)[number];

/** A message of a conversation, in short. */
export type ThreadMessage = MessageInList;

export type ThreadsQuery = OwnSide & {
  accountId: AccountId;
  own: string | null;
  /** Digits that occur anywhere in the handset's number; '' = any. */
  peerLike: string;
  /** Only with these phones; null = all. */
  peers: readonly string[] | null;
  state: ThreadState;
  /** A user, or '' for unassigned ones; null = all. */
  assignedTo: string | null;
  now: EpochMs;
  before: string | null;
  limit: number;
};

export interface ThreadQuery {
  accountId: AccountId;
  own: string;
  peer: string;
}

export type UnreadCountQuery = OwnSide & { accountId: AccountId; now: EpochMs };

export interface ThreadMessagesQuery {
  accountId: AccountId;
  own: string;
  peer: string;
  before: string | null;
  limit: number;
}

/** The newest `unread` messages of the handset, up to `readTo`. */
export interface ReadRequestsQuery extends ThreadQuery {
  unread: number;
  readTo: string;
}

export interface MarkThreadRequest {
  accountId: AccountId;
  own: string;
  peer: string;
  readTo: string | null;
  done: boolean | null;
  /** '' = unassigned. */
  assignedTo: string | null;
  /** 0 = no longer snoozed. */
  snoozedUntil: EpochMs | null;
}
