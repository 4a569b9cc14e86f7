/**
 * What can be made to go wrong, as data: a handset that is off or full, the receipts it gives, and faults of the link.
 * Everything is off by default and forgotten at the end.
 */
import type { SandboxReceipt } from './behaviour.ts';

/** How a handset behaves towards the numbers of one account. */
export interface HandsetSettings {
  /** Off: messages are held until it is switched on, for at most `heldMsMax`, and then become EXPIRED. */
  power: 'on' | 'off';
  /** Full: messages become UNDELIV. */
  inbox: 'space' | 'full';
  /** Null: as the number does by itself. `none`: it arrives, and no receipt ever tells so. */
  receipt: { outcome: SandboxReceipt['stat'] | 'none'; afterMs: number } | null;
  /** Null: as the number does by itself. */
  autoReply: { text: string; afterMs: number } | null;
}

export const ordinarySettings: HandsetSettings = { power: 'on', inbox: 'space', receipt: null, autoReply: null };

/** Faults of the link. All but `refuseBind` concern only the messages of the account that set them. */
export interface SandboxFaults {
  /** The SMPP link is everybody's, so this ends by itself after `refuseBindMsMax`. */
  refuseBind: boolean;
  /** Submissions in one second above which ESME_RTHROTTLED is answered; null = no limit. */
  throttlePerSecond: number | null;
  /** Of a hundred receipts so many are lost. */
  loseReceiptsPercent: number;
  duplicateReceipts: boolean;
  /** The answer to a submission comes only after this. */
  answerAfterMs: number;
  /** The receipt comes before the answer to the submission. */
  receiptFirst: boolean;
  /** Of a hundred submissions so many are refused with some ESME_*. */
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

/** The validity of a message to a handset that is off: the gateway sends no validity_period, so it is the carrier's. */
export const heldMsMax = 600_000;
export const refuseBindMsMax = 600_000;
export const receiptAfterMsMax = 600_000;
export const autoReplyAfterMsMax = 60_000;
export const autoReplyCharactersMax = 1_600;
export const answerAfterMsMax = 60_000;
export const throttlePerSecondMax = 1_000;

/** Setting and reading it, per account. */
export interface SandboxFaultInjection {
  settings(accountId: string, handset: string): HandsetSettings;
  /** False when the settings of too many handsets are kept already. */
  change(accountId: string, handset: string, settings: HandsetSettings): boolean;
  faults(accountId: string): SandboxFaults;
  /** False when the faults of too many accounts are kept already. */
  setFaults(accountId: string, faults: SandboxFaults): boolean;
  /** Makes every handset and the link as usual again; what was held for handsets that were off is EXPIRED. */
  reset(accountId: string): void;
  /** Closes every SMPP session at once; returns how many there were. */
  dropLinks(): number;
}
