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
  /** The last message that the handset sent. */
  lastMessageId: string;
  lastAt: EpochMs;
  /** Unread messages of the handset. */
  unread: number;
  /** What it says, '' when it is gone; how many media it has. */
  lastText: string;
  lastMedia: number;
  /**
   * The last message to the handset, where it is newer than the last from it; only in a list, and looked for in the newest
   * messages alone.
   */
  reply: ThreadReply | null;
  /** Set by a person; the next message of the handset takes it back. */
  done: boolean;
  /** The assigned user; '' = unassigned. */
  assignedTo: string;
  /** It waits until then, or until the next message of the handset; 0 when it does not. */
  snoozedUntil: EpochMs;
}

/** `snoozed`: its time has not come. `open`: neither that nor done. `unread`: open, with unread messages. */
export const threadStates = ['open', 'unread', 'snoozed', 'done'] as const;
export type ThreadState = (typeof threadStates)[number];

/** A message of a conversation, in short. */
export type ThreadMessage = MessageInList;

export type ThreadsQuery = OwnSide & {
  accountId: AccountId;
  own: string | null;
  /** Digits that stand somewhere in the number of the handset; '' = any. */
  peerLike: string;
  /** Only with these telephones; null = all. */
  peers: readonly string[] | null;
  state: ThreadState;
  /** A user, '' for those that nobody looks after; null = all. */
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
  /** '' = nobody. */
  assignedTo: string | null;
  /** 0 = not any more. */
  snoozedUntil: EpochMs | null;
}
