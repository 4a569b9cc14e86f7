/**
 * The status words of delivery and read reports, the same in MM4 (X-Mms-MM-Status-Code) and MM7 (MMStatus), and their
 * meaning for a message, as a table.
 */
import { wordIn } from './mms-message.ts';

/**
 * `handed_over`: the other network has it, often the final report of a US number. `waiting`: the handset deferred it.
 * `unknown`: no status, or an unknown word.
 */
export type MmState = 'delivered' | 'expired' | 'rejected' | 'failed' | 'handed_over' | 'waiting' | 'unknown';

export const mmStatusWords = [
  'Expired',
  'Retrieved',
  'Rejected',
  'Deferred',
  'Indeterminate',
  'Forwarded',
  'Unrecognised',
  'Unrecognized',
  'NotSupported',
  'Unreachable',
] as const;

const states: Readonly<Record<(typeof mmStatusWords)[number], MmState>> = {
  Expired: 'expired',
  Retrieved: 'delivered',
  Rejected: 'rejected',
  Deferred: 'waiting',
  Indeterminate: 'unknown',
  Forwarded: 'handed_over',
  // mbuni writes this when it knows nothing.
  Unrecognised: 'unknown',
  Unrecognized: 'unknown',
  NotSupported: 'failed',
  Unreachable: 'failed',
};

/** `final`: no further report is expected. Forwarded is not final: a Retrieved may follow. */
export interface MmStatusMeaning {
  state: MmState;
  final: boolean;
}

export const mmStatus = (word: string): MmStatusMeaning => {
  const known = wordIn(mmStatusWords, word);
  const state = known === null ? 'unknown' : states[known];
  return { state, final: state === 'delivered' || state === 'expired' || state === 'rejected' || state === 'failed' };
};

export type ReadStatus = 'Read' | 'Deleted without being read';

/** Null for any other word. Some peers write only `Deleted`. */
export const readStatusOf = (word: string): ReadStatus | null => {
  const plain = word.trim().toLowerCase();
  if (plain === 'read') return 'Read';
  return plain.startsWith('deleted') ? 'Deleted without being read' : null;
};
