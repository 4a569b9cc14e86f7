/** Names in one sentence what keeps a carrier from sending faster right now. Pure. */
import type { EpochMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import { type CarrierRecord, profileOf } from '../../model/records.ts';
import type { LaneReport } from './lane-meter.ts';
import { probeEveryMs, silentAfter } from './silence.ts';

/** At this share of a limit, the rate counts as being at the limit. */
const nearlyAll = 0.9;

export interface Held {
  record: CarrierRecord;
  report: LaneReport | null;
  paused: boolean;
  queued: number;
}

/** What keeps a carrier from sending faster. */
export type Obstacle =
  | { why: 'off' | 'paused' | 'opening' }
  | { why: 'down'; report: LaneReport }
  | { why: 'unanswered'; since: EpochMs }
  | { why: 'rate'; perSecond: number }
  | { why: 'throttled'; tries: number }
  | { why: 'window'; used: number; room: number };

/** The most important obstacle; null = none known here. */
export function obstacleOf({ record, report, paused, queued }: Held): Obstacle | null {
  if (!record.enabled) return { why: 'off' };
  if (paused) return { why: 'paused' };
  if (report === null) return { why: 'opening' };
  if (!report.status.up) return { why: 'down', report };
  if (report.silentSince !== null) return { why: 'unanswered', since: report.silentSince };
  const perSecond = report.status.perSecond ?? profileOf(record).messagesPerSecond;
  if (queued > 0 && perSecond > 0 && report.outPerSecond >= perSecond * nearlyAll) return { why: 'rate', perSecond };
  if (report.throttled > 0) return { why: 'throttled', tries: report.throttled };
  const room = report.status.binds.reduce((sum, bind) => sum + bind.window, 0);
  const used = report.status.binds.reduce((sum, bind) => sum + bind.inFlight, 0);
  return room > 0 && used >= room * nearlyAll ? { why: 'window', used, room } : null;
}

export function limitingFactor(held: Held): string {
  const obstacle = obstacleOf(held);
  if (obstacle === null) {
    return held.queued > 0
      ? 'Nothing: the waiting messages are not due yet, or are being sent now.'
      : 'Nothing: its queue is empty.';
  }
  switch (obstacle.why) {
    case 'off':
      return 'It is switched off and sends nothing.';
    case 'paused':
      return 'A person paused it: its messages wait.';
    case 'opening':
      return 'It is connecting.';
    case 'down':
      return downWords(obstacle.report);
    case 'unanswered':
      return `The carrier itself: it took ${silentAfter} messages in a row and answered none. It gets one message every ${probeEveryMs / 1_000} seconds until it answers.`;
    case 'rate':
      return `Its own limit of ${counted(obstacle.perSecond, 'segment')} per second.`;
    case 'throttled':
      return `The carrier itself: it refused ${counted(obstacle.tries, 'try', 'tries')} as too many in the last ten seconds, so the gateway sends more slowly.`;
    case 'window':
      return `Its window: ${obstacle.used} of ${counted(obstacle.room, 'request')} ${obstacle.used === 1 ? 'waits' : 'wait'} for the carrier's answer.`;
  }
}

/** Bind and connection errors in plain words (SMPP 3.4 §5.1.3). */
const plainWords: readonly [RegExp, string][] = [
  [/ESME_RINVPASWD/, 'The carrier refused the password.'],
  [/ESME_RINVSYSID/, 'The carrier does not know the login name.'],
  [/ESME_RALYBND/, 'The carrier reports this login as connected already: another gateway may use it.'],
  [/ESME_RBINDFAIL/, 'The carrier refused the bind.'],
  [/ECONNREFUSED/, 'Nothing listens at its address and port.'],
  [/ENOTFOUND|EAI_AGAIN/, 'Its host name cannot be resolved.'],
  [/certificate has expired/, 'Its certificate has expired.'],
  [/altnames/, 'Its certificate is for another name.'],
  [
    /self-signed certificate|verify the first certificate|issuer certificate/,
    'No trusted authority signed its certificate.',
  ],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|not up in time/, 'Its address cannot be reached.'],
];

/** A plain sentence for a carrier's or machine's error; undefined when there is none. */
export function plainReason(problem: string): string | undefined {
  return plainWords.find(([pattern]) => pattern.test(problem))?.[1];
}

function downWords({ status, detail }: LaneReport): string {
  const problem = status.binds.find((bind) => bind.detail !== null)?.detail ?? detail ?? 'not connected yet';
  const plain = plainReason(problem);
  return plain === undefined ? `It is down: ${problem}.` : `It is down. ${plain} (${problem})`;
}
