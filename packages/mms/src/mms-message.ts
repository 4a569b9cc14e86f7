/** A multimedia message, common to both protocols. Values only. */

/** One medium or text of a message. */
export interface MmsPart {
  /** `type/subtype` in lower case without parameters. Bytes of `text/…` are UTF-8. */
  contentType: string;
  /** Without angle brackets; unique in the message. */
  contentId: string;
  /** Content-Location, which SMIL refers to; unique in the message. */
  fileName: string;
  bytes: Buffer;
}

export type MessageClass = 'Personal' | 'Advertisement' | 'Informational' | 'Auto';
export type Priority = 'Low' | 'Normal' | 'High';

export const messageClasses: readonly MessageClass[] = ['Personal', 'Advertisement', 'Informational', 'Auto'];
export const priorities: readonly Priority[] = ['Low', 'Normal', 'High'];

export interface MmsMessage {
  /**
   * Digits without `+`; as read it may also be a mail address (with `@`) or, in a DeliverReq of MM7, a name; '' when
   * the peer names no sender.
   */
  from: string;
  /** Digits or mail addresses. A group message keeps all its recipients here and in `cc`. */
  to: string[];
  cc: string[];
  /** '' when there is none. */
  subject: string;
  /** In display order; without the SMIL. */
  parts: MmsPart[];
  /** The presentation; null when there is none. */
  smil: string | null;
  messageClass: MessageClass;
  priority: Priority;
  deliveryReport: boolean;
  readReply: boolean;
  /** When the carrier should give up: a time, or seconds from acceptance; null = the carrier's default. */
  expiry: Date | number | null;
}

/** The entry of the list that equals `word` in any case; null when there is none. */
export const wordIn = <T extends string>(words: readonly T[], word: string): T | null => {
  const wanted = word.trim().toLowerCase();
  return words.find((known) => known.toLowerCase() === wanted) ?? null;
};

/** An ordinary message, as a base for others. */
export const emptyMessage: MmsMessage = {
  from: '',
  to: [],
  cc: [],
  subject: '',
  parts: [],
  smil: null,
  messageClass: 'Personal',
  priority: 'Normal',
  deliveryReport: false,
  readReply: false,
  expiry: null,
};

/** The text of a message: its text/plain parts in order, lines ended by `\n`. */
export const textOf = (parts: readonly MmsPart[]): string =>
  parts
    .filter((part) => part.contentType === 'text/plain')
    .map((part) => part.bytes.toString('utf8').replaceAll('\r\n', '\n'))
    .join('\n');
