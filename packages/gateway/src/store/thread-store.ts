/**
 * The seam's part for conversations: between which number and which handset, what is new in them, and their messages. A
 * conversation begins with the first message of the handset.
 */
import type { EpochMs } from '../domain/clock.ts';
import type { MessageView } from '../domain/delivery.ts';
import type { OwnSide } from './message-log-store.ts';

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
  /** Messages of the handset that nobody has read. */
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
  /** The user who looks after it, '' when nobody does. */
  assignedTo: string;
  /** It waits until then, or until the next message of the handset; 0 when it does not. */
  snoozedUntil: EpochMs;
}

/** `snoozed`: put off, and its time has not come. `open`: neither that nor done. */
export const threadStates = ['open', 'snoozed', 'done'] as const;
export type ThreadState = (typeof threadStates)[number];

/** A message of a conversation, in short. */
export type ThreadMessage = Omit<MessageView, 'parts' | 'events'>;

export interface ThreadStore {
  /** Those with the latest message of the handset first, only those before the message id `before`. `own` null: all numbers. */
  threads(
    request: OwnSide & {
      accountId: string;
      own: string | null;
      /** Digits that stand somewhere in the number of the handset; '' = any. */
      peerLike: string;
      state: ThreadState;
      /** A user, '' for those that nobody looks after; null = all. */
      assignedTo: string | null;
      now: EpochMs;
      before: string | null;
      limit: number;
    },
  ): Promise<Thread[]>;
  /** Null when the handset has never written to that number of the account. */
  thread(request: { accountId: string; own: string; peer: string }): Promise<Thread | null>;
  /** Unread messages in all conversations that are open. */
  unreadCount(request: OwnSide & { accountId: string; now: EpochMs }): Promise<number>;
  /** Both directions, newest first, only those before the message id `before`. */
  threadMessages(request: {
    accountId: string;
    own: string;
    peer: string;
    before: string | null;
    limit: number;
  }): Promise<ThreadMessage[]>;
  /**
   * `readTo`: nothing up to that message is unread, nothing at all when it is the last. What is null stays as it is; what
   * is done waits for nothing, and what waits is not done. False when there is no such conversation.
   */
  markThread(request: {
    accountId: string;
    own: string;
    peer: string;
    readTo: string | null;
    done: boolean | null;
    /** '' = nobody. */
    assignedTo: string | null;
    /** 0 = not any more. */
    snoozedUntil: EpochMs | null;
  }): Promise<boolean>;
}
