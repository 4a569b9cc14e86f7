/**
 * The seam's part for conversations: between which number and which handset, what is new in them, and their messages. A
 * conversation begins with the first message of the handset.
 */
import type { EpochMs } from '../domain/clock.ts';
import type { MessageView } from '../domain/delivery.ts';

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
  /** Set by a person; the next message of the handset takes it back. */
  done: boolean;
}

/** A message of a conversation, in short. */
export type ThreadMessage = Omit<MessageView, 'parts' | 'events'>;

export interface ThreadStore {
  /** Those with the latest message of the handset first, only those before the message id `before`. `own` null: all numbers. */
  threads(request: {
    accountId: string;
    own: string | null;
    done: boolean;
    before: string | null;
    limit: number;
  }): Promise<Thread[]>;
  /** Null when the handset has never written to that number of the account. */
  thread(request: { accountId: string; own: string; peer: string }): Promise<Thread | null>;
  /** Unread messages in all conversations that are not done. */
  unreadCount(accountId: string): Promise<number>;
  /** Both directions, newest first, only those before the message id `before`. */
  threadMessages(request: {
    accountId: string;
    own: string;
    peer: string;
    before: string | null;
    limit: number;
  }): Promise<ThreadMessage[]>;
  /**
   * `readTo`: nothing up to that message is unread, nothing at all when it is the last. False when there is no such
   * conversation.
   */
  markThread(request: {
    accountId: string;
    own: string;
    peer: string;
    readTo: string | null;
    done: boolean | null;
  }): Promise<boolean>;
}
