/** Messages on simulated handsets, and reading, answering and clearing them. Types and limits. */

export type MmsVia = 'mm7' | 'mm4';

/** One medium of an MMS on a handset. */
export interface HandsetMedium {
  /** `hmd_` + 26 characters. */
  mediaId: string;
  contentType: string;
  /** The peer's name for it. */
  fileName: string;
  sizeBytes: number;
  /** SHA-256 of its bytes, lower-case hex. */
  sha256: string;
  /** False once its bytes were dropped for newer media. */
  held: boolean;
}

/** One message on a handset, reassembled from its parts. */
export interface HandsetMessage {
  /** Sorts by time of arrival; the cursor `after`. */
  id: string;
  kind: 'SMS' | 'MMS';
  /** The protocol it came by. */
  via: 'smpp' | MmsVia;
  from: string;
  to: string;
  /** Of an MMS; '' when it has none. */
  subject: string;
  /** Null when the content is not text. */
  text: string | null;
  /** Null for an MMS. */
  encoding: 'GSM-7' | 'UCS-2' | null;
  parts: number;
  /** In display order. */
  media: HandsetMedium[];
  receivedAt: number;
}

export interface HandsetSummary {
  number: string;
  /** Messages held now. */
  messages: number;
  lastReceivedAt: number | null;
}

/** A medium with its bytes. */
export interface HandsetContent {
  contentType: string;
  fileName: string;
  bytes: Buffer;
}

export interface ReplyFromHandset {
  /** May be '' beside media. */
  text: string;
  /** By default the last sender, of those `isOwn` allows. */
  to?: string;
  isOwn?: SenderFilter;
  /** With media it is sent as MMS. */
  media?: readonly HandsetContent[];
  /** Protocol of an MMS; default: that of the handset's last MMS from `to`, else MM7. */
  via?: MmsVia;
}

/** The result of a reply from a handset. `queued`: sent as soon as the gateway accepts it. */
export type HandsetReply =
  | {
      kind: 'queued';
      from: string;
      to: string;
      messageType: 'SMS' | 'MMS';
      via: HandsetMessage['via'];
      parts: number;
      /** Null for an MMS. */
      encoding: 'GSM-7' | 'UCS-2' | null;
      /** The number of media. */
      media: number;
    }
  /** `to` was omitted and no number has texted this handset yet. */
  | { kind: 'no_sender' }
  /** More parts than a concatenated text can have. */
  | { kind: 'too_long'; partsMax: number }
  /** More bytes than a handset sends in one MMS. */
  | { kind: 'too_large'; bytesMax: number }
  /** Too many messages wait for the gateway already. */
  | { kind: 'full' };

/** Which senders a caller may see: its own sending numbers. Default: all. */
export type SenderFilter = (sender: string) => boolean;

/** Messages in one answer of `messages`. */
export const handsetPageMax = 100;
/** Handsets in one answer of `list`. */
export const handsetListMax = 1_000;

/** The longest wait for a message. */
export const handsetWaitMsMax = 60_000;
/** Media of one MMS from a handset. */
export const handsetMediaMax = 10;

/** The handsets, for readers and repliers. */
export interface Handsets {
  /** Most recent first, at most `handsetListMax`; the pinned ones are always there. */
  list(isOwn?: SenderFilter): HandsetSummary[];
  /**
   * Messages after the id `after` (default: from the first), oldest first, at most `handsetPageMax`. Answers at once
   * when there is one, else waits up to `waitMs` and answers []. 'full': too many callers wait.
   */
  messages(
    number: string,
    query: { after?: string; waitMs: number; isOwn?: SenderFilter; signal?: AbortSignal },
  ): Promise<HandsetMessage[] | 'full'>;
  /** The same for messages that left the handset, typed or automatic; `receivedAt` is when they left. */
  sent: Handsets['messages'];
  /**
   * A medium that this handset received from, or sent to, a number that `isOwn` allows; null when there is none, or no
   * longer.
   */
  medium(number: string, mediaId: string, isOwn?: SenderFilter): HandsetContent | null;
  /** Deletes what the handsets received from, and sent to, the numbers that `isOwn` allows. */
  clear(isOwn?: SenderFilter): void;
  /** Sends a message from the handset. */
  reply(number: string, reply: ReplyFromHandset): HandsetReply;
}
