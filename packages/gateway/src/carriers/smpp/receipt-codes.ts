/**
 * What a receipt's state means for us: final or not, and which outcome code. Data and one look-up; what a carrier's `err`
 * numbers mean is a table of that carrier.
 */
import type { MessageState, Receipt as ReceiptPdu } from '@heliograph/smpp';
import type { Receipt } from '../../domain/delivery.ts';

type ReceiptVerdict = Pick<Receipt, 'state' | 'code'>;

/** A carrier's `err` as it writes it → outcome code. */
export type ReceiptErrors = ReadonlyMap<string, string>;

const interim: ReceiptVerdict = { state: 'interim', code: null };
const undelivered = (code: string): ReceiptVerdict => ({ state: 'undelivered', code });

/** SMPP 3.4 §5.2.28 and appendix B, 5.0 §4.7.15. */
const verdicts: Readonly<Record<MessageState, ReceiptVerdict>> = {
  SCHEDULED: interim,
  ENROUTE: interim,
  DELIVERED: { state: 'delivered', code: 'DELIVERED' },
  EXPIRED: undelivered('EXPIRED'),
  DELETED: undelivered('CANCELED'),
  UNDELIVERABLE: undelivered('UNREACHABLE'),
  // Only where it is this carrier's last word: any other is interim whatever it says.
  ACCEPTED: { state: 'delivered', code: 'DELIVERED' },
  UNKNOWN: interim,
  REJECTED: undelivered('CARRIER_REJECTED'),
  SKIPPED: undelivered('UNKNOWN'),
};

/** `err` is the carrier's number as written; it refines a failure, never a success. What is not final settles nothing. */
export function receiptVerdict(
  { state, final, err }: Pick<ReceiptPdu, 'state' | 'final' | 'err'>,
  errors: ReceiptErrors,
): ReceiptVerdict {
  if (!final) return interim;
  const verdict = verdicts[state];
  const finer = verdict.state === 'undelivered' && err !== undefined ? errors.get(err) : undefined;
  return finer === undefined ? verdict : undelivered(finer);
}
