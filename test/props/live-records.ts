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
  /** SMPP carriers, all of one message centre, which share the traffic: `smsc`, `smsc-2` and so on; their system ids are their ids. */
  smppCarriers?: number;
  /** An MMS carrier beside it: the fields of its entry besides the id, `mmsc`. */
  mms?: object;
}

/** Writes the file that HELIO_CONFIG names. */
export function writeLiveRecords(file: string, options: LiveRecordsOptions): void {
  const { smscPort, mms, uncertainPolicy, smppCarriers = 1, ...carrier } = options;
  const made = scratchRecords(liveCaller, { ...carrier, port: smscPort }, uncertainPolicy);
  const records = smppCarriers === 1 ? made : withCarriers(made, smppCarriers);
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

type Scratch = ReturnType<typeof scratchRecords>;

/** Each of them is first in the order of one rule; the rules have equal shares. */
function withCarriers(records: Scratch, count: number): Scratch {
  const [first] = records.carriers;
  const ids = Array.from({ length: count }, (_, place) => (place === 0 ? 'smsc' : `smsc-${place + 1}`));
  return {
    ...records,
    carriers: ids.map((id) => ({ ...first!, id, system_id: id })),
    routes: ids.map((id, place) => ({
      ...records.routes[0]!,
      id: `share-${id}`,
      carriers: [...ids.slice(place), ...ids.slice(0, place)],
    })),
  };
}
