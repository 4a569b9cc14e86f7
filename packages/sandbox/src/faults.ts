/**
 * The faults that can be injected, as data: a handset that is off or full, its receipts, and faults of the link.
 * Everything is off by default and lost at the end of the process.
 */
import type { SandboxReceipt } from './behaviour.ts';

/** How a handset behaves towards the numbers of one account. */
export interface HandsetSettings {
  /** Off: messages are held until it is switched on, for at most `heldMsMax`, and then become EXPIRED. */
  power: 'on' | 'off';
  /** Full: messages become UNDELIV. */
  inbox: 'space' | 'full';
  /** Null: the number's own behaviour. `none`: the message arrives without any receipt. */
  receipt: { outcome: SandboxReceipt['stat'] | 'none'; afterMs: number } | null;
  /** Null: the number's own behaviour. */
  autoReply: { text: string; afterMs: number } | null;
}

export const ordinarySettings: HandsetSettings = { power: 'on', inbox: 'space', receipt: null, autoReply: null };

/** Faults of the link. All but `refuseBind` affect only messages of the account that set them. */
export interface SandboxFaults {
  /** The SMPP link is shared, so this ends after `refuseBindMsMax`. */
  refuseBind: boolean;
  /** Submissions per second above which ESME_RTHROTTLED is answered; null = no limit. */
  throttlePerSecond: number | null;
  /** This many of a hundred receipts are lost. */
  loseReceiptsPercent: number;
  duplicateReceipts: boolean;
  /** Delay before the answer to a submission. */
  answerAfterMs: number;
  /** The receipt comes before the answer to the submission. */
  receiptFirst: boolean;
  /** This many of a hundred submissions are refused with some ESME_*. */
  errorPercent: number;
}

export const noFaults: SandboxFaults = {
  refuseBind: false,
  throttlePerSecond: null,
  loseReceiptsPercent: 0,
  duplicateReceipts: false,
  answerAfterMs: 0,
  receiptFirst: false,
  errorPercent: 0,
};

/** The validity of a message to a handset that is off: the gateway sends no validity_period, so the carrier decides. */
export const heldMsMax = 600_000;
export const refuseBindMsMax = 600_000;
export const receiptAfterMsMax = 600_000;
export const autoReplyAfterMsMax = 60_000;
export const autoReplyCharactersMax = 1_600;
export const answerAfterMsMax = 60_000;
export const throttlePerSecondMax = 1_000;

/** Reads and sets the faults of each account. */
export interface SandboxFaultInjection {
  settings(accountId: string, handset: string): HandsetSettings;
  /** False when settings of too many handsets are stored. */
  change(accountId: string, handset: string, settings: HandsetSettings): boolean;
  faults(accountId: string): SandboxFaults;
  /** False when faults of too many accounts are stored. */
  setFaults(accountId: string, faults: SandboxFaults): boolean;
  /** Makes every handset and the link ordinary again; messages held for handsets that were off become EXPIRED. */
  reset(accountId: string): void;
  /** Closes every SMPP session at once; returns how many there were. */
  dropLinks(): number;
}
