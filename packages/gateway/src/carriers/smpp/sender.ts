/**
 * The sending half of the SMPP adapter: attempts wait for window slots and rate, go out part by part, and end in
 * exactly one result each. Never sends a part twice.
 */
import {
  type CloseCause,
  type EncodeFailure,
  type Outcome,
  type PduFields,
  type ResponsePdu,
  type SmPart,
  status,
  textToParts,
} from '@heliograph/smpp';
import type { Clock } from '../../kernel/clock.ts';
import { createFifo } from '../../kernel/passing.ts';
import { boundedId } from '../../model/carrier-id.ts';
import { isShortCode } from '../../model/number.ts';
import { partNumbers } from '../../model/spans.ts';
import type { Submission, SubmissionResult } from '../carrier.ts';
import { ownRefusal, type Refused, unavailable } from '../carrier.ts';
import type { Pace } from '../pace.ts';
import type { Binds } from './binds.ts';
import { completeSmpp, type SmppCarrierRecord, type SmppDetails, type SmppProfile } from './profile.ts';
import { refusalOf, statusVerdict } from './status.ts';
import {
  createSubmitLedger,
  isEnded,
  isHalted,
  type PartSettlement,
  type SubmitTry,
  startTry,
  unsentParts,
} from './submit-try.ts';

export interface SmppSender {
  /** Takes a submission; one that cannot be sent at all ends at once. */
  add(submission: Submission): void;
  /** Sends waiting parts, oldest submission first, while slots and rate last. */
  pump(nowMs: number): void;
  /** Parts that wait for a slot or for rate. */
  waiting(): number;
  /** Ends waiting submissions: they are provably unsent. */
  giveBack(): void;
  /** Results not collected yet. */
  untaken(): number;
  /** The oldest results not collected yet. */
  takeResults(max: number): SubmissionResult[];
}

export interface SenderParts {
  record: Pick<SmppCarrierRecord, 'smpp'>;
  clock: Clock;
  pace: Pace;
  binds: Pick<Binds, 'submit' | 'up'>;
  /** A slot became free, or a result is ready. */
  changed(): void;
  /** The carrier accepted a part under this id. */
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
    // A message in the queue always has an unsent part.
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

/** Ways in which a link broke or was given up. Any other end means silence or an unusable answer. */
const brokenLinks: ReadonlySet<string> = new Set<CloseCause>([
  ...(['peer_closed', 'socket_error', 'inactive', 'unbound', 'unbound_by_peer', 'withheld', 'destroyed'] as const),
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
          detail: `No answer to a part that may have been sent: ${outcome.detail}.`,
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
    return {
      kind: 'accepted',
      part: { part, ...(spans > 1 && { spans }), carrierMessageId: boundedId(pdu.message_id.trim()) },
    };
  }
  const detail = `The carrier answered a part with ${command} and no error.`;
  return { kind: 'uncertain', doubt: { cause: 'unanswered', detail } };
}

function notEncodable({ field, reason }: EncodeFailure) {
  return ownRefusal('MALFORMED', `The message cannot be written as submit_sm: ${field} ${reason}.`);
}

/** SMPP 3.4 §5.2.17: a receipt for the final outcome, whether good or bad. */
const finalReceipt = 1;

/** The parts that no earlier attempt delivered, or the reason why none can be sent. */
export function partsOf(submission: Submission, profile: SmppProfile): SmPart[] | Refused {
  if (submission.kind !== 'SMS') {
    return ownRefusal('MMS_NOT_SUPPORTED', `This carrier takes no ${submission.kind}.`);
  }
  const made = textToParts(submission.text, submission.concatReference, profile);
  if (made === null) return ownRefusal('MALFORMED', 'The text needs more parts than a message can have.');
  const { partsAccepted } = submission;
  if (partsAccepted.length === 0) return made.parts;
  // A PDU that stands for several parts is sent again if any of them is missing.
  return made.parts.filter((part) => partNumbers(part).some((number) => !partsAccepted.includes(number)));
}

/** validity_period stays empty: messages wait with us, not with the carrier. */
export function submitSm(
  { from, to }: Pick<Submission, 'from' | 'to'>,
  part: SmPart,
  profile: SmppProfile & SmppDetails,
): PduFields<'submit_sm'> {
  const [source_addr_ton, source_addr_npi] = kindOfSender(from, profile);
  return {
    source_addr_ton,
    source_addr_npi,
    source_addr: from,
    dest_addr_ton: profile.dest_addr_ton,
    dest_addr_npi: profile.dest_addr_npi,
    destination_addr: to,
    esm_class: part.esm_class,
    registered_delivery: profile.registered_delivery ? finalReceipt : 0,
    data_coding: part.data_coding,
    short_message: part.short_message,
    ...(part.tlvs && { tlvs: part.tlvs }),
  };
}

/** Type of number and numbering plan. A sender with anything but digits is a name. */
function kindOfSender(from: string, profile: SmppProfile & SmppDetails): [ton: number, npi: number] {
  if (!/^[0-9]+$/.test(from)) return [profile.alphanumeric_ton, profile.alphanumeric_npi];
  if (isShortCode(from)) return [profile.short_code_ton, profile.short_code_npi];
  return [profile.source_addr_ton, profile.source_addr_npi];
}
