/** A verdict on a signature as the doors show it, wherever it was made. Pure. */
import type { SignatureVerdict } from '../domain/signature-verdict.ts';
import { isoTime } from './envelope.ts';

export function shownVerdict(verdict: SignatureVerdict): object {
  return verdict.valid ? { ...verdict, until: verdict.until === null ? null : isoTime(verdict.until) } : verdict;
}
