/**
 * The sandbox as data: seeded numbers, test numbers with their outcomes, carrier error numbers. `@heliograph/sandbox`
 * defines how test numbers behave on the wire.
 */
import type { OutcomeCode } from './reason.ts';

/** The sending numbers of every new sandbox. */
export const sandboxNumbers = {
  ready: '12025550199',
  smsOff: '12025550198',
  noCampaign: '12025550197',
  campaignSuspended: '12025550196',
  /** Active; its MMS go over MM4. */
  readyMm4: '12025550195',
} as const;

/** Handsets that exist before their first text. */
export const sandboxPinnedHandsets: readonly string[] = ['12025550100', '12025550101', '12025550102', '12025550103'];

/** `err` of the sandbox carrier's receipts → our outcome code. A live carrier has its own table. */
export const sandboxReceiptErrors: ReadonlyMap<string, OutcomeCode> = new Map([
  ['034', 'CARRIER_FILTERED'],
  ['120', 'NOT_MOBILE'],
  ['123', 'CAMPAIGN_LIMIT'],
]);

interface SandboxTestNumber {
  number: string;
  /** One line for docs and portal, in our outcome codes. */
  does: string;
}

/** All in the fictional range 555-01xx, so that none can ever reach a person. */
export const sandboxTestNumbers: readonly SandboxTestNumber[] = [
  ...Array.from({ length: 10 }, (_, i) => ({ number: `1202555010${i}`, does: 'ordinary handset, delivered in 0.4 s' })),
  { number: '12025550110', does: 'delivered after 30 s' },
  { number: '12025550111', does: 'undelivered: UNREACHABLE' },
  { number: '12025550112', does: 'undelivered after 60 s: EXPIRED' },
  { number: '12025550113', does: 'the carrier rejects it at submit' },
  { number: '12025550114', does: 'undelivered: CARRIER_FILTERED (spam); an MMS: CARRIER_REJECTED' },
  { number: '12025550115', does: 'never sends a receipt: NO_RECEIPT after 2 minutes' },
  { number: '12025550116', does: 'throttled twice, then delivered' },
  { number: '12025550117', does: 'the receipt comes twice' },
  { number: '12025550118', does: 'answers "YES" after 1 s' },
  { number: '12025550119', does: 'answers "STOP" after 1 s; the next message to it is OPTED_OUT' },
  { number: '12025550120', does: 'undelivered: NOT_MOBILE; an MMS: CARRIER_REJECTED' },
  { number: '12025550121', does: 'the receipt comes before the submit response' },
  { number: '12025550122', does: 'MMS refused: MEDIA_TOO_LARGE; an SMS is delivered' },
  { number: '12025550123', does: 'undelivered: CAMPAIGN_LIMIT; an MMS: CARRIER_REJECTED' },
  { number: '12025550124', does: 'answers with an emoji text in 3 segments' },
  { number: '12025550125', does: 'MMS undelivered: MMS_NOT_SUPPORTED; an SMS is delivered' },
];

const neverAReceipt = '12025550115';
const shortReceiptWaitMs = 120_000;

/** How long the gateway waits for a receipt of this recipient; null = the usual time. */
export function sandboxReceiptWaitMs(to: string): number | null {
  return to === neverAReceipt ? shortReceiptWaitMs : null;
}

/** The forms of a message's and a medium's id. */
export const handsetMessageIdForm = /^txt_[0-9A-HJKMNP-TV-Z]{26}$/;
export const handsetMediaIdForm = /^hmd_[0-9A-HJKMNP-TV-Z]{26}$/;
