/**
 * The behaviour of each test number for SMS and MMS, as one table. Every other number is an ordinary handset. Data
 * only.
 */

/**
 * One receipt of the simulator: `stat` and `err` are the fields of SMPP 3.4 appendix B, `mmStatus` is the status of an
 * MMS report (3GPP TS 23.140 §8.4.5.5 and §8.7.8; the last two are vendors'). No MMS status is as precise as an `err`.
 */
export interface SandboxReceipt {
  stat: 'DELIVRD' | 'UNDELIV' | 'EXPIRED';
  err: string;
  mmStatus: 'Retrieved' | 'Rejected' | 'Expired' | 'Unreachable' | 'NotSupported';
  afterMs: number;
}

/** Why an MMS is refused; MM7 and MM4 each have their own words for it. */
export type MmsRefusal = 'rejected' | 'throttled' | 'too large' | 'no address';

export interface SandboxBehaviour {
  /**
   * The answer to the first `tries` attempts of a message; 'always' = to every one. A null command_status accepts the
   * SMS.
   */
  refusal?: { command_status: number | null; mms: MmsRefusal; tries: number | 'always' };
  /**
   * Receipts for each part; empty = none ever. The message reaches the handset with the first, unless that reports a
   * failure.
   */
  receipts: readonly SandboxReceipt[];
  /** Delay before the answer to the submission. */
  responseAfterMs?: number;
  /** An SMS reply, sent once the whole message has arrived, and not again to the same sender within `pauseMs`. */
  reply?: { text: string; afterMs: number; pauseMs: number };
}

interface TestNumber {
  number: string;
  /** One line for the documentation. */
  does: string;
  behaviour: SandboxBehaviour;
}

const delivered = (afterMs: number): SandboxReceipt => ({
  stat: 'DELIVRD',
  err: '000',
  mmStatus: 'Retrieved',
  afterMs,
});

/** The behaviour of every number outside the table. */
export const ordinaryHandset: SandboxBehaviour = { receipts: [delivered(400)] };

const undelivered = (err: string, mmStatus: SandboxReceipt['mmStatus'] = 'Rejected'): SandboxBehaviour => ({
  receipts: [{ stat: 'UNDELIV', err, mmStatus, afterMs: 400 }],
});

const answering = (text: string, pauseMs = 0): SandboxBehaviour => ({
  ...ordinaryHandset,
  reply: { text, afterMs: 1_000, pauseMs },
});

/** The confirmation of a STOP is a text to this handset too; a person would not answer it. */
const pauseAfterStopMs = 10_000;

/** 142 UTF-16 units of emoji and words: three parts of at most 67. */
const emojiReply = '🎉 Hooray! '.repeat(13).trimEnd();

const testNumber = (number: string, does: string, behaviour: SandboxBehaviour): TestNumber => ({
  number,
  does,
  behaviour,
});

/** All from the fictional range 555-01xx, so that none can reach a person. */
export const testNumbers: readonly TestNumber[] = [
  ...Array.from({ length: 10 }, (_, i) =>
    testNumber(`1202555010${i}`, 'ordinary handset, delivered in 0.4 s', ordinaryHandset),
  ),
  testNumber('12025550110', 'delivered after 30 s', { receipts: [delivered(30_000)] }),
  testNumber('12025550111', 'UNDELIV err:027; an MMS: Unreachable', undelivered('027', 'Unreachable')),
  testNumber('12025550112', 'EXPIRED after 60 s', {
    receipts: [{ stat: 'EXPIRED', err: '000', mmStatus: 'Expired', afterMs: 60_000 }],
  }),
  testNumber('12025550113', 'refused: ESME_RSUBMITFAIL; an MMS: refused', {
    refusal: { command_status: 0x45, mms: 'rejected', tries: 'always' },
    receipts: [],
  }),
  testNumber('12025550114', 'UNDELIV err:034; an MMS: Rejected', undelivered('034')),
  testNumber('12025550115', 'never sends a receipt', { receipts: [] }),
  testNumber('12025550116', 'throttled twice (ESME_RTHROTTLED), then delivered', {
    refusal: { command_status: 0x58, mms: 'throttled', tries: 2 },
    ...ordinaryHandset,
  }),
  testNumber('12025550117', 'the receipt comes twice', { receipts: [delivered(400), delivered(400)] }),
  testNumber('12025550118', 'answers "YES" after 1 s', answering('YES')),
  testNumber('12025550119', 'answers "STOP" after 1 s, at most every 10 s', answering('STOP', pauseAfterStopMs)),
  testNumber('12025550120', 'UNDELIV err:120; an MMS: Rejected', undelivered('120')),
  testNumber('12025550121', 'the receipt comes before the submit response', {
    receipts: [delivered(0)],
    responseAfterMs: 200,
  }),
  testNumber('12025550122', 'MMS refused as too large; an SMS is delivered', {
    ...ordinaryHandset,
    refusal: { command_status: null, mms: 'too large', tries: 'always' },
  }),
  testNumber('12025550123', 'UNDELIV err:123; an MMS: Rejected', undelivered('123')),
  testNumber('12025550124', 'answers with an emoji text in 3 parts', answering(emojiReply)),
  testNumber('12025550125', 'MMS: Not supported; an SMS is delivered', {
    receipts: [{ ...delivered(400), mmStatus: 'NotSupported' }],
  }),
];

const behaviours = new Map(testNumbers.map((row) => [row.number, row.behaviour]));

export function sandboxBehaviour(to: string): SandboxBehaviour {
  return behaviours.get(to) ?? ordinaryHandset;
}
