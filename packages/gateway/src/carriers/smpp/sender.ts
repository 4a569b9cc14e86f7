/**
 * The sending half of the SMPP adapter: tries wait here for window slots and rate, go out part by part over the binds,
 * and end in exactly one result each. It never sends a part twice and never decides when results are told.
 */
import {
  type CloseCause,
  type EncodeFailure,
  type Outcome,
  type ResponsePdu,
  type SmPart,
  status,
} from '@heliograph/smpp';
import type { Clock } from '../../domain/clock.ts';
import type { Submission, SubmissionResult } from '../carrier.ts';
import { createFifo } from '../fifo.ts';
import type { Pace } from '../pace.ts';
import { isEnded, isHalted, ownRefusal, type SubmitTry, startTry, unavailable, unsentParts } from '../submit-try.ts';
import type { Binds } from './binds.ts';
import type { SmppCarrierRecord } from './profile.ts';
import { completeSmpp } from './profile.ts';
import { refusalOf, statusVerdict } from './status.ts';
import { partsOf, submitSm } from './submit.ts';
import { createSubmitLedger, type PartSettlement } from './submit-ledger.ts';

export interface SmppSender {
  /** Takes a submission; what cannot be sent at all ends at once. */
  add(submission: Submission): void;
  /** Sends waiting parts, oldest submission first, while there are slots and rate for them. */
  pump(nowMs: number): void;
  /** Parts that wait for a slot or for rate. */
  waiting(): number;
  /** Ends what waits here: it is provably unsent. */
  giveBack(): void;
  /** Results nobody has taken yet. */
  untaken(): number;
  /** The oldest results nobody has taken yet. */
  takeResults(max: number): SubmissionResult[];
}

export interface SenderParts {
  record: Pick<SmppCarrierRecord, 'smpp'>;
  clock: Clock;
  pace: Pace;
  binds: Pick<Binds, 'submit' | 'up'>;
  /** A slot came free, or a result is there. */
  changed(): void;
  /** A part was accepted under this id. */
  answered(message_id: string, handset: string): void;
}

export function createSmppSender({ record, clock, pace, binds, changed, answered }: SenderParts): SmppSender {
  const profile = completeSmpp(record.smpp);
  const queue = createFifo<SubmitTry>();
  const ledger = createSubmitLedger(changed);

  function settlePart(attempt: SubmitTry, part: SmPart, outcome: Outcome, rebind: (reason: string) => void): void {
    const settlement = settlementOf(outcome, part);
    if (settlement.kind === 'accepted') answered(settlement.part.carrierMessageId, attempt.submission.to);
    ledger.settled(attempt, settlement);
    if (outcome.kind !== 'response' || settlement.kind !== 'refused') return;
    const { kind } = statusVerdict(outcome.pdu.command_status);
    if (kind === 'throttle') pace.throttled(clock.monotonicMs());
    if (kind === 'session') rebind(settlement.refused.detail);
  }

  /** False when no session takes anything now. */
  function sendNext(attempt: SubmitTry, nowMs: number): boolean {
    // Only a message with a part that was not sent is in the queue.
    const part = attempt.parts[attempt.next]!;
    const fields = submitSm(attempt.submission, part, profile);
    const sent = binds.submit(fields, (outcome, rebind) => settlePart(attempt, part, outcome, rebind));
    if (sent === 'no_slot') return false;
    if (sent === 'sent') {
      ledger.sent(attempt);
      pace.took(nowMs);
    } else ledger.refuse(attempt, notEncodable(sent));
    return true;
  }

  function giveBack(): void {
    for (let attempt = queue.shift(); attempt !== undefined; attempt = queue.shift()) {
      if (!isHalted(attempt)) ledger.refuse(attempt, unavailable);
    }
  }

  return {
    add: (submission) => {
      const parts = binds.up() ? partsOf(submission, record.smpp) : unavailable;
      const sendable: SmPart[] = Array.isArray(parts) ? parts : [];
      const attempt = startTry(submission, sendable, Array.isArray(parts) ? null : parts);
      ledger.begin(attempt);
      if (!isEnded(attempt)) queue.push(attempt);
    },
    pump: (nowMs) => {
      while (queue.size > 0 && pace.left(nowMs) >= 1) {
        const attempt = queue.shift()!;
        if (isHalted(attempt)) continue;
        const sent = sendNext(attempt, nowMs);
        if (unsentParts(attempt) > 0 && !isHalted(attempt)) queue.putBack(attempt);
        if (!sent) return;
      }
    },
    waiting: ledger.waiting,
    giveBack,
    untaken: ledger.untaken,
    takeResults: ledger.takeResults,
  };
}

/** How a link ends that broke, or that we gave up. All else was silence, or an answer that nobody could use. */
const brokenLinks: ReadonlySet<string> = new Set<CloseCause>([
  ...(['peer_closed', 'socket_error', 'inactive', 'unbound', 'unbound_by_peer', 'destroyed'] as const),
]);

function settlementOf(outcome: Outcome, part: SmPart): PartSettlement {
  switch (outcome.kind) {
    case 'not_sent':
      return { kind: 'refused', refused: unavailable };
    case 'uncertain':
      return {
        kind: 'uncertain',
        doubt: {
          cause: brokenLinks.has(outcome.detail) ? 'broken' : 'unanswered',
          detail: `No answer to a part that may have left: ${outcome.detail}.`,
        },
      };
    case 'response':
      return settlementOfResponse(outcome.pdu, part);
  }
}

function settlementOfResponse(pdu: ResponsePdu, { part, spans = 1 }: SmPart): PartSettlement {
  const { command, command_status } = pdu;
  if (command_status !== status.ESME_ROK) return { kind: 'refused', refused: refusalOf(command_status) };
  if (command === 'submit_sm_resp') {
    return { kind: 'accepted', part: { part, ...(spans > 1 && { spans }), carrierMessageId: pdu.message_id } };
  }
  const detail = `The carrier answered a part with ${command} and no error.`;
  return { kind: 'uncertain', doubt: { cause: 'unanswered', detail } };
}

function notEncodable({ field, reason }: EncodeFailure) {
  return ownRefusal('MALFORMED', `The message cannot be written as submit_sm: ${field} ${reason}.`);
}
