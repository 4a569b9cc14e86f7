/**
 * The facts of the sandbox as data: its seeded numbers, what each test number does to SMS and MMS, the carrier's error
 * numbers, and what a handset shows. Simulator, gateway, docs and portal all read this one table. It must never act: that
 * is `carriers/sandbox`.
 */
import type { EpochMs } from './clock.ts';
import type { Encoding } from './delivery.ts';
import type { MessageKind } from './records.ts';

/** The sending numbers every sandbox begins with. */
export const sandboxNumbers = {
  ready: '12025550199',
  smsOff: '12025550198',
  noCampaign: '12025550197',
  campaignSuspended: '12025550196',
  /** Ready; its pictures go over MM4. */
  readyMm4: '12025550195',
} as const;

/** Handsets that are there before their first text. */
export const sandboxPinnedHandsets: readonly string[] = ['12025550100', '12025550101', '12025550102', '12025550103'];

/** `err` of the sandbox carrier's receipts → our outcome code. A live carrier brings its own table. */
export const sandboxReceiptErrors: ReadonlyMap<string, string> = new Map([
  ['034', 'CARRIER_FILTERED'],
  ['120', 'NOT_MOBILE'],
  ['123', 'CAMPAIGN_LIMIT'],
]);

/**
 * One receipt the simulator writes: `stat` and `err` are the words of SMPP 3.4 appendix B, `mmStatus` is what the report of
 * an MMS says in their place (3GPP TS 23.140 §8.4.5.5 and §8.7.8; the last two are vendors'). No word of MMS is as fine as
 * an `err`.
 */
export interface SandboxReceipt {
  stat: 'DELIVRD' | 'UNDELIV' | 'EXPIRED';
  err: string;
  mmStatus: 'Retrieved' | 'Rejected' | 'Expired' | 'Unreachable' | 'NotSupported';
  afterMs: number;
}

/** Why an MMS is not taken; MM7 and MM4 each have words of their own for it. */
export type MmsRefusal = 'rejected' | 'throttled' | 'too large' | 'no address';

export interface SandboxBehaviour {
  /** Answered to the first `tries` tries of one message; 'always' = to every one. A null command_status takes the SMS. */
  refusal?: { command_status: number | null; mms: MmsRefusal; tries: number | 'always' };
  /** Receipts for each part; empty = none ever. The message reaches the handset with the first, unless that tells of a failure. */
  receipts: readonly SandboxReceipt[];
  /** The answer to the submission comes only after this. */
  responseAfterMs?: number;
  /** Sent back as an SMS once the whole message has arrived, and not again to the same sender within `pauseMs`. */
  reply?: { text: string; afterMs: number; pauseMs: number };
}

interface SandboxTestNumber {
  number: string;
  /** One line for docs and portal. */
  does: string;
  behaviour: SandboxBehaviour;
}

const delivered = (afterMs: number): SandboxReceipt => ({
  stat: 'DELIVRD',
  err: '000',
  mmStatus: 'Retrieved',
  afterMs,
});

/** What every number does that is not in the table. */
export const ordinaryHandset: SandboxBehaviour = { receipts: [delivered(400)] };

const undelivered = (err: string, mmStatus: SandboxReceipt['mmStatus'] = 'Rejected'): SandboxBehaviour => ({
  receipts: [{ stat: 'UNDELIV', err, mmStatus, afterMs: 400 }],
});

const answering = (text: string, pauseMs = 0): SandboxBehaviour => ({
  ...ordinaryHandset,
  reply: { text, afterMs: 1_000, pauseMs },
});

/** The confirmation of a STOP is itself a text to this handset; a person would not answer that one. */
const pauseAfterStopMs = 10_000;

/** 142 UTF-16 units of emoji and words: three parts of at most 67. */
const emojiReply = '🎉 Hooray! '.repeat(13).trimEnd();

const testNumber = (number: string, does: string, behaviour: SandboxBehaviour): SandboxTestNumber => ({
  number,
  does,
  behaviour,
});

/** All from the fictional 555-01xx range, so that none can ever reach a person. */
export const sandboxTestNumbers: readonly SandboxTestNumber[] = [
  ...Array.from({ length: 10 }, (_, i) =>
    testNumber(`1202555010${i}`, 'ordinary handset, delivered in 0.4 s', ordinaryHandset),
  ),
  testNumber('12025550110', 'delivered after 30 s', { receipts: [delivered(30_000)] }),
  testNumber('12025550111', 'undelivered: UNREACHABLE', undelivered('027', 'Unreachable')),
  testNumber('12025550112', 'undelivered after 60 s: EXPIRED', {
    receipts: [{ stat: 'EXPIRED', err: '000', mmStatus: 'Expired', afterMs: 60_000 }],
  }),
  testNumber('12025550113', 'the carrier rejects it at submit', {
    refusal: { command_status: 0x45, mms: 'rejected', tries: 'always' },
    receipts: [],
  }),
  testNumber('12025550114', 'undelivered: CARRIER_FILTERED (spam); an MMS: CARRIER_REJECTED', undelivered('034')),
  testNumber('12025550115', 'never sends a receipt: NO_RECEIPT after 2 minutes', { receipts: [] }),
  testNumber('12025550116', 'throttled twice, then delivered', {
    refusal: { command_status: 0x58, mms: 'throttled', tries: 2 },
    ...ordinaryHandset,
  }),
  testNumber('12025550117', 'the receipt comes twice', { receipts: [delivered(400), delivered(400)] }),
  testNumber('12025550118', 'answers "YES" after 1 s', answering('YES')),
  testNumber(
    '12025550119',
    'answers "STOP" after 1 s; the next message to it is OPTED_OUT',
    answering('STOP', pauseAfterStopMs),
  ),
  testNumber('12025550120', 'undelivered: NOT_MOBILE; an MMS: CARRIER_REJECTED', undelivered('120')),
  testNumber('12025550121', 'the receipt comes before the submit response', {
    receipts: [delivered(0)],
    responseAfterMs: 200,
  }),
  testNumber('12025550122', 'MMS refused: MEDIA_TOO_LARGE; an SMS is delivered', {
    ...ordinaryHandset,
    refusal: { command_status: null, mms: 'too large', tries: 'always' },
  }),
  testNumber('12025550123', 'undelivered: CAMPAIGN_LIMIT; an MMS: CARRIER_REJECTED', undelivered('123')),
  testNumber('12025550124', 'answers with an emoji text in 3 segments', answering(emojiReply)),
  testNumber('12025550125', 'MMS undelivered: MMS_NOT_SUPPORTED; an SMS is delivered', {
    receipts: [{ ...delivered(400), mmStatus: 'NotSupported' }],
  }),
];

const behaviours = new Map(sandboxTestNumbers.map((row) => [row.number, row.behaviour]));

export function sandboxBehaviour(to: string): SandboxBehaviour {
  return behaviours.get(to) ?? ordinaryHandset;
}

const neverAReceipt = '12025550115';
const shortReceiptWaitMs = 120_000;

/** How long the gateway waits for a receipt of this recipient instead of its usual time; null = the usual time. */
export function sandboxReceiptWaitMs(to: string): number | null {
  return to === neverAReceipt ? shortReceiptWaitMs : null;
}

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
  kind: MessageKind;
  /** How it came. */
  via: 'smpp' | MmsVia;
  from: string;
  to: string;
  /** Of an MMS; '' when it has none. */
  subject: string;
  /** Null when the content is no text. */
  text: string | null;
  /** Null for an MMS. */
  encoding: Encoding | null;
  parts: number;
  /** In the order in which they are shown. */
  media: HandsetMedium[];
  receivedAt: EpochMs;
}

export interface HandsetSummary {
  number: string;
  /** Messages held now. */
  messages: number;
  lastReceivedAt: EpochMs | null;
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
      messageType: MessageKind;
      via: HandsetMessage['via'];
      parts: number;
      /** Null for an MMS. */
      encoding: Encoding | null;
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
/** The forms of a message's and a medium's id. */
export const handsetMessageIdForm = /^txt_[0-9A-HJKMNP-TV-Z]{26}$/;
export const handsetMediaIdForm = /^hmd_[0-9A-HJKMNP-TV-Z]{26}$/;

/** The handsets of the simulator, as the doors see them. */
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
