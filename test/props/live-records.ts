/**
 * The records file of a whole-system test or benchmark: one live account that may text anywhere, one number, one
 * campaign, one key pair with known tokens, one SMPP carrier and, optionally, one MMS carrier. The tokens protect
 * nothing.
 */
import { writeFileSync } from 'node:fs';
import { type ScratchCaller, scratchRecords } from '../../packages/gateway/src/cli/prove/scratch-records.ts';

/** The account's key pair and number, for senders. */
export const liveCaller = {
  bearerToken: 'bench-bearer-token-of-no-worth-0001',
  authToken: 'bench-auth-token-of-no-worth-0001',
  from: '12025550142',
} as const satisfies ScratchCaller;

export interface LiveRecordsOptions {
  smscPort: number;
  /** Unanswered requests per bind. */
  window: number;
  binds?: number;
  /** Whether submissions ask for receipts. */
  receipts?: boolean;
  uncertainPolicy?: 'resend' | 'hold';
  responseTimeoutMs?: number;
  /** An MMS carrier beside it: the fields of its entry besides the id, `mmsc`. */
  mms?: object;
}

/** Writes the file that HELIO_CONFIG names. */
export function writeLiveRecords(file: string, options: LiveRecordsOptions): void {
  const { smscPort, mms, uncertainPolicy, ...carrier } = options;
  const records = scratchRecords(liveCaller, { ...carrier, port: smscPort }, uncertainPolicy);
  if (mms === undefined) {
    writeFileSync(file, JSON.stringify(records, null, 2));
    return;
  }
  const withMms = {
    ...records,
    numbers: records.numbers.map((number) => ({ ...number, mmsEnabled: true })),
    carriers: [...records.carriers, { id: 'mmsc', ...mms }],
    routes: [...records.routes, { id: 'pictures', environment: 'live', kind: 'MMS', carriers: ['mmsc'] }],
  };
  writeFileSync(file, JSON.stringify(withMms, null, 2));
}
