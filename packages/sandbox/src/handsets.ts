/** Messages on simulated handsets, and how they are read, answered and cleared. Types and two limits; imports nothing. */

export type MmsVia = 'mm7' | 'mm4';

/** One medium of an MMS on a handset. */
export interface HandsetMedium {
  /** `hmd_` + 26 characters. */
  mediaId: string;
  contentType: string;
  /** As the peer calls it. */
  fileName: string;
  sizeBytes: number;
  /** Of its bytes, lower-case hex. */
  sha256: string;
  /** False once its bytes had to make room. */
  held: boolean;
}

/** One message on a handset, put together from its parts. */
export interface HandsetMessage {
  /** Sorts by time of arrival; the cursor `after`. */
  id: string;
  kind: 'SMS' | 'MMS';
  /** How it came. */
  via: 'smpp' | MmsVia;
  from: string;
  to: string;
  /** Of an MMS; '' when it has none. */
  subject: string;
  /** Null when the content is no text. */
  text: string | null;
  /** Null for an MMS. */
  encoding: 'GSM-7' | 'UCS-2' | null;
  parts: number;
  /** In the order in which they are shown. */
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
  /** With media it goes out as MMS. */
  media?: readonly HandsetContent[];
  /** Of an MMS; by default the way the handset's last MMS from `to` came, else MM7. */
  via?: MmsVia;
}

/** What a reply from a handset came to. `queued` = it goes out as soon as the gateway takes it. */
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
      /** How many. */
      media: number;
    }
  /** `to` was left out and nobody has texted this handset yet. */
  | { kind: 'no_sender' }
  /** More parts than a concatenated text can have. */
  | { kind: 'too_long'; partsMax: number }
  /** More bytes than a handset sends in one MMS. */
  | { kind: 'too_large'; bytesMax: number }
  /** Too much waits for the gateway already. */
  | { kind: 'full' };

/** Which senders a caller may see: its own sending numbers. Left out = all. */
export type SenderFilter = (sender: string) => boolean;

/** Messages in one answer of `messages`. */
export const handsetPageMax = 100;
/** Handsets in one answer of `list`. */
export const handsetListMax = 1_000;

/** The longest wait for a message. */
export const handsetWaitMsMax = 60_000;
/** Media of one MMS from a handset. */
export const handsetMediaMax = 10;

/** The handsets, as those see them who read and answer. */
export interface Handsets {
  /** Most recent first, at most `handsetListMax`; the pinned ones are always there. */
  list(isOwn?: SenderFilter): HandsetSummary[];
  /**
   * Messages that came after the id `after` (from the first when left out), oldest first, at most `handsetPageMax`.
   * Answers at once when there is one, else waits up to `waitMs` and answers []. 'full': too many wait already.
   */
  messages(
    number: string,
    query: { after?: string; waitMs: number; isOwn?: SenderFilter; signal?: AbortSignal },
  ): Promise<HandsetMessage[] | 'full'>;
  /** The same of what left the handset, typed by someone or by itself; `receivedAt` is when it left. */
  sent: Handsets['messages'];
  /** A medium that this handset got from, or sent to, a number that `isOwn` allows; null when there is none, or no more. */
  medium(number: string, mediaId: string, isOwn?: SenderFilter): HandsetContent | null;
  /** Forgets what the handsets got from, and sent to, the numbers that `isOwn` allows. */
  clear(isOwn?: SenderFilter): void;
  /** Sends a message from the handset. */
  reply(number: string, reply: ReplyFromHandset): HandsetReply;
}
