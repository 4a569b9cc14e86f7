/**
 * The facts of the sandbox as data: its seeded numbers, what each test number does, the carrier's error numbers, and what
 * a handset shows. Simulator, gateway, docs and portal all read this one table. It must never act: that is
 * `carriers/sandbox`.
 */
import type { EpochMs } from './clock.ts';
import type { Encoding } from './delivery.ts';

/** The sending numbers every sandbox begins with. */
export const sandboxNumbers = {
  ready: '12025550199',
  smsOff: '12025550198',
  noCampaign: '12025550197',
  campaignSuspended: '12025550196',
} as const;

/** Handsets that are there before their first text. */
export const sandboxPinnedHandsets: readonly string[] = ['12025550100', '12025550101', '12025550102', '12025550103'];

/** `err` of the sandbox carrier's receipts → our outcome code. A live carrier brings its own table. */
export const sandboxReceiptErrors: ReadonlyMap<string, string> = new Map([
  ['034', 'CARRIER_FILTERED'],
  ['120', 'NOT_MOBILE'],
  ['123', 'CAMPAIGN_LIMIT'],
]);

/** One receipt the simulator writes; `stat` and `err` are the words of SMPP 3.4 appendix B. */
export interface SandboxReceipt {
  stat: 'DELIVRD' | 'UNDELIV' | 'EXPIRED';
  err: string;
  afterMs: number;
}

export interface SandboxBehaviour {
  /** command_status answered to the first `tries` tries of one text; 'always' = to every one. */
  refusal?: { command_status: number; tries: number | 'always' };
  /** Receipts for each part; empty = none ever. The text reaches the handset with the first, unless that tells of a failure. */
  receipts: readonly SandboxReceipt[];
  /** The submit_sm_resp comes only after this. */
  responseAfterMs?: number;
  /** Sent back once the whole text has arrived, and not again to the same sender within `pauseMs`. */
  reply?: { text: string; afterMs: number; pauseMs: number };
}

interface SandboxTestNumber {
  number: string;
  /** One line for docs and portal. */
  does: string;
  behaviour: SandboxBehaviour;
}

const delivered = (afterMs: number) => ({ stat: 'DELIVRD', err: '000', afterMs }) as const;

/** What every number does that is not in the table. */
export const ordinaryHandset: SandboxBehaviour = { receipts: [delivered(400)] };

const undelivered = (err: string, afterMs = 400): SandboxBehaviour => ({
  receipts: [{ stat: 'UNDELIV', err, afterMs }],
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
  testNumber('12025550111', 'undelivered: UNREACHABLE', undelivered('027')),
  testNumber('12025550112', 'undelivered after 60 s: EXPIRED', {
    receipts: [{ stat: 'EXPIRED', err: '000', afterMs: 60_000 }],
  }),
  testNumber('12025550113', 'the carrier rejects it at submit', {
    refusal: { command_status: 0x45, tries: 'always' },
    receipts: [],
  }),
  testNumber('12025550114', 'undelivered: CARRIER_FILTERED (spam)', undelivered('034')),
  testNumber('12025550115', 'never sends a receipt: NO_RECEIPT after 2 minutes', { receipts: [] }),
  testNumber('12025550116', 'throttled twice, then delivered', {
    refusal: { command_status: 0x58, tries: 2 },
    ...ordinaryHandset,
  }),
  testNumber('12025550117', 'the receipt comes twice', { receipts: [delivered(400), delivered(400)] }),
  testNumber('12025550118', 'answers "YES" after 1 s', answering('YES')),
  testNumber(
    '12025550119',
    'answers "STOP" after 1 s; the next text to it is OPTED_OUT',
    answering('STOP', pauseAfterStopMs),
  ),
  testNumber('12025550120', 'undelivered: NOT_MOBILE', undelivered('120')),
  testNumber('12025550121', 'the receipt comes before the submit response', {
    receipts: [delivered(0)],
    responseAfterMs: 200,
  }),
  testNumber('12025550122', 'MMS refused: MEDIA_TOO_LARGE; an SMS is delivered', ordinaryHandset),
  testNumber('12025550123', 'undelivered: CAMPAIGN_LIMIT', undelivered('123')),
  testNumber('12025550124', 'answers with an emoji text in 3 parts', answering(emojiReply)),
  testNumber('12025550125', 'MMS refused: MMS_NOT_SUPPORTED; an SMS is delivered', ordinaryHandset),
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

/** One text on a handset, put together from its parts. */
export interface HandsetMessage {
  /** Sorts by time of arrival; the cursor `after`. */
  id: string;
  from: string;
  to: string;
  /** Null when the content is no text. */
  text: string | null;
  encoding: Encoding | null;
  parts: number;
  receivedAt: EpochMs;
}

export interface HandsetSummary {
  number: string;
  /** Texts held now. */
  messages: number;
  lastReceivedAt: EpochMs | null;
}

/** What a reply from a handset came to. `queued` = it goes out as soon as the carrier session takes it. */
export type HandsetReply =
  | { kind: 'queued'; from: string; to: string; parts: number; encoding: Encoding }
  /** `to` was left out and nobody has texted this handset yet. */
  | { kind: 'no_sender' }
  /** More parts than a concatenated text can have. */
  | { kind: 'too_long'; partsMax: number }
  /** Too much waits for the gateway already. */
  | { kind: 'full' };

/** Which senders a caller may see: its own sending numbers. Left out = all. */
export type SenderFilter = (sender: string) => boolean;

/** Texts in one answer of `messages`. */
export const handsetPageMax = 100;
/** Handsets in one answer of `list`. */
export const handsetListMax = 1_000;
/** The longest wait for a text. */
export const handsetWaitMsMax = 60_000;
/** The form of a text's id. */
export const handsetMessageIdForm = /^txt_[0-9A-HJKMNP-TV-Z]{26}$/;

/** The handsets of the simulator, as the doors see them. */
export interface Handsets {
  /** Most recent first, at most `handsetListMax`; the pinned ones are always there. */
  list(isOwn?: SenderFilter): HandsetSummary[];
  /**
   * Texts that came after the id `after` (from the first when left out), oldest first, at most `handsetPageMax`. Answers
   * at once when there is one, else waits up to `waitMs` and answers []. 'full': too many wait already.
   */
  messages(
    number: string,
    query: { after?: string; waitMs: number; isOwn?: SenderFilter; signal?: AbortSignal },
  ): Promise<HandsetMessage[] | 'full'>;
  /** Sends a text from the handset; `to` is by default the last sender (of those `isOwn` allows). */
  reply(number: string, reply: { text: string; to?: string; isOwn?: SenderFilter }): HandsetReply;
}
