/** A verdict on a signature as the doors show it, wherever it was made. Pure. */
import type { SignatureVerdict } from '../domain/signature-verdict.ts';
import { isoTime } from './envelope.ts';
import type { signature } from './sandbox-shapes.ts';
import type { TypeOf } from './shape.ts';

export function shownVerdict(verdict: SignatureVerdict): TypeOf<typeof signature> {
  return verdict.valid ? { ...verdict, until: verdict.until === null ? null : isoTime(verdict.until) } : verdict;
}
