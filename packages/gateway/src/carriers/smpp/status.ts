/** Maps command_status to an outcome: retry or not, and the code. Tables only. */

import { statusName } from '@heliograph/smpp';
import type { OutcomeCode } from '../../model/reason.ts';
import type { SubmissionOutcome } from '../carrier.ts';

/**
 * `session`: this bind is unusable, bind again. `throttle`: like `later`, and slow down. `afterMs`: the shortest wait;
 * absent = the usual backoff.
 */
export type StatusVerdict =
  | { kind: 'never'; code: OutcomeCode }
  | { kind: 'later'; code: OutcomeCode }
  | { kind: 'throttle' | 'session'; code: OutcomeCode; afterMs: number };

const rows: readonly (readonly [StatusVerdict, readonly number[]])[] = [
  [{ kind: 'never', code: 'UNKNOWN_SUBSCRIBER' }, [0x0b, 0x50, 0x51]],
  // We sent something that this carrier cannot read or does not allow.
  [
    { kind: 'never', code: 'MALFORMED' },
    [
      0x01, 0x02, 0x03, 0x06, 0x07, 0x0c, 0x33, 0x34, 0x40, 0x43, 0x54, 0x55, 0x61, 0x62, 0x63, 0xc0, 0xc1, 0xc2, 0xc3,
      0xc4, 0x104, 0x105, 0x106,
    ],
  ],
  [{ kind: 'later', code: 'CARRIER_UNAVAILABLE' }, [0x08, 0x64, 0xff, 0x102]],
  [{ kind: 'throttle', code: 'CARRIER_UNAVAILABLE', afterMs: 1_000 }, [0x58]],
  // A full queue drains more slowly than a rate window passes.
  [{ kind: 'throttle', code: 'CARRIER_UNAVAILABLE', afterMs: 5_000 }, [0x14]],
  [{ kind: 'session', code: 'CARRIER_UNAVAILABLE', afterMs: 1_000 }, [0x04, 0x05, 0x0d, 0x0e, 0x0f, 0x53]],
];

/** Everything else, including vendors' 0x400–0x4FF, is a permanent refusal: 0A 45 48 49 65 66 FE … */
const rejected: StatusVerdict = { kind: 'never', code: 'CARRIER_REJECTED' };

const verdicts: ReadonlyMap<number, StatusVerdict> = new Map(
  rows.flatMap(([verdict, statuses]) => statuses.map((status) => [status, verdict] as const)),
);

/** `command_status` is not 0. */
export function statusVerdict(command_status: number): StatusVerdict {
  return verdicts.get(command_status) ?? rejected;
}

/** The carrier's code for people: `ESME_RINVDSTADR 0x0000000B`, or only the number when it has no name. */
export function carrierCodeOf(command_status: number): string {
  const hex = `0x${command_status.toString(16).toUpperCase().padStart(8, '0')}`;
  const name = statusName(command_status);
  return name.startsWith('0x') ? hex : `${name} ${hex}`;
}

/** The outcome of a part that the carrier answered with this status. `parts` are filled in by the caller. */
export function refusalOf(command_status: number): Extract<SubmissionOutcome, { kind: 'refused' }> {
  const verdict = statusVerdict(command_status);
  const carrierCode = carrierCodeOf(command_status);
  return {
    kind: 'refused',
    retry: verdict.kind === 'never' ? 'never' : 'later',
    code: verdict.code,
    carrierCode,
    detail: `The carrier answered ${carrierCode}.`,
    countsAttempt: verdict.kind === 'never' || verdict.kind === 'later',
    ...('afterMs' in verdict && { afterMs: verdict.afterMs }),
    parts: [],
  };
}
