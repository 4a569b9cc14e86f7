/**
 * Sends one message over MM4: sends one mail and waits for the SMTP reply or, if requested, for the MM4_forward.RES at
 * our listener.
 */

import type { Mm4Response } from '@heliograph/mms';
import { emptyMessage, type Mm4Mail, presentable, writeMm4 } from '@heliograph/mms';
import type { Clock } from '../../kernel/clock.ts';
import type { MessageId } from '../../kernel/ids.ts';
import type { DoubtCause } from '../../model/repeats.ts';
import type { AcceptedPart, Submission, SubmissionOutcome } from '../carrier.ts';
import { ownRefusal, type Refused, unavailable } from '../carrier.ts';
import { mediumLost, partsOfSubmission } from '../mms-codec.ts';
import type { Pace } from '../pace.ts';
import type { MailOutcome } from './connection.ts';
import { cutShort, endByResponse, isThrottle, refusalOfReply } from './outcome.ts';
import type { Mm4Pool } from './pool.ts';
import type { Mm4Profile } from './profile.ts';

/** X-Mms-Transaction-ID and X-Mms-Message-ID of a message. */
const mm4Id = (messageId: MessageId): string => messageId;

/** Messages in doubt that are remembered, so that a late RES finds its handset. */
const doubtsMax = 10_000;

async function mailOf(submission: Submission, profile: Mm4Profile, date: Date): Promise<Mm4Mail | Refused> {
  const parts = await partsOfSubmission(submission).catch(() => mediumLost);
  if ('kind' in parts) return parts;
  const id = mm4Id(submission.messageId);
  const { from, to, expiresAt } = submission;
  const expiry = expiresAt === undefined ? null : new Date(expiresAt);
  const { deliveryReport } = profile;
  const mail = writeMm4(
    {
      type: 'MM4_forward.REQ',
      transactionId: id,
      messageId: id,
      ackRequest: profile.acknowledgement,
      replyTo: '',
      hidesSender: false,
      message: presentable({ ...emptyMessage, from, to: [to], parts, deliveryReport, expiry }),
    },
    { ourDomain: profile.ownDomain, peerDomain: profile.domain, date, version: profile.version },
  );
  if (mail.kind === 'written') return mail;
  return ownRefusal('MALFORMED', `The message cannot be written as MM4: ${mail.field} ${mail.detail}.`);
}

/** A message whose attempt has not ended. */
interface OpenTry {
  readonly submission: Submission;
  readonly resolve: (outcome: SubmissionOutcome) => void;
  /** True once a connection has the mail. */
  mayHaveLeft: boolean;
  /** True once the peer has taken the mail and only the RES is missing. */
  awaitsResponse: boolean;
  /** A RES that arrived before the answer to the mail. */
  early: Mm4Response | null;
  cancelWait: () => void;
}

export interface Mm4Exchange {
  /** Never rejects. Call once at a time for each message. */
  send(submission: Submission): Promise<SubmissionOutcome>;
  /** Takes an MM4_forward.RES. False when no message waits for it. */
  responded(response: Mm4Response): boolean;
  /** The handset of a message whose last attempt here ended in doubt; null for any other transaction. */
  inDoubt(transactionId: string): string | null;
  /** Ends all attempts: those that may have been sent are uncertain. */
  cut(): void;
}

export interface Mm4ExchangeParts {
  profile: Mm4Profile;
  clock: Clock;
  pace: Pick<Pace, 'throttled'>;
  pool: Pick<Mm4Pool, 'take'>;
  /** See `CarrierDeps`. */
  mayHandOver?(): boolean;
}

export function createMm4Exchange({ profile, clock, pace, pool, mayHandOver }: Mm4ExchangeParts): Mm4Exchange {
  /** By transaction id. */
  const open = new Map<string, OpenTry>();
  /** Handsets by transaction id, the oldest first. */
  const doubts = new Map<string, string>();
  const idOf = ({ submission }: OpenTry): string => mm4Id(submission.messageId);
  const isOpen = (attempt: OpenTry): boolean => open.get(idOf(attempt)) === attempt;

  function end(attempt: OpenTry, outcome: SubmissionOutcome): void {
    if (!isOpen(attempt)) return;
    attempt.cancelWait();
    open.delete(idOf(attempt));
    noteDoubt(attempt, outcome);
    attempt.resolve(outcome);
  }

  function noteDoubt(attempt: OpenTry, { kind }: SubmissionOutcome): void {
    doubts.delete(idOf(attempt));
    if (kind === 'uncertain') doubts.set(idOf(attempt), attempt.submission.to);
    if (doubts.size > doubtsMax) doubts.delete(doubts.keys().next().value!);
  }

  const accepted = (attempt: OpenTry) => ({ part: 1, carrierMessageId: idOf(attempt) });
  const endBy = (response: Mm4Response, attempt: OpenTry) => endByResponse(response, accepted(attempt));

  function awaitResponse(attempt: OpenTry): void {
    const { ackTimeoutMs } = profile;
    const detail = `The carrier took the message, but no MM4_forward.RES came within ${ackTimeoutMs} ms.`;
    attempt.awaitsResponse = true;
    attempt.cancelWait = clock.after(ackTimeoutMs, () => end(attempt, uncertain('unanswered', detail)));
  }

  function settle(attempt: OpenTry, mail: Exclude<MailOutcome, { kind: 'unsent' }>): void {
    if (!isOpen(attempt)) return;
    if (mail.kind === 'refused' && isThrottle(mail.reply)) pace.throttled(clock.monotonicMs());
    const early = attempt.early === null ? null : endBy(attempt.early, attempt);
    if (mail.kind === 'taken' && profile.acknowledgement && early === null) awaitResponse(attempt);
    else end(attempt, outcomeOf(mail, early, accepted(attempt)));
  }

  /** Null when the attempt was given up meanwhile. */
  async function prepare(attempt: OpenTry): Promise<Mm4Mail | Refused | null> {
    const mail = await mailOf(attempt.submission, profile, new Date(clock.now()));
    return isOpen(attempt) ? mail : null;
  }

  async function run(attempt: OpenTry): Promise<void> {
    for (;;) {
      const lease = await pool.take();
      if (lease === null) return end(attempt, unavailable);
      // Built only now, so that memory never holds more mails than there are connections.
      const mail = await prepare(attempt);
      if (mail?.kind !== 'written') {
        lease.release();
        if (mail !== null) end(attempt, mail);
        return;
      }
      if (mayHandOver?.() === false) {
        lease.release();
        return end(attempt, unavailable);
      }
      attempt.mayHaveLeft = true;
      const outcome = await lease.send(mail);
      if (outcome.kind !== 'unsent') return settle(attempt, outcome);
      // The connection was dead before anything was sent on it: the next one may work.
      attempt.mayHaveLeft = false;
    }
  }

  return {
    send: (submission) =>
      new Promise((resolve) => {
        const attempt: OpenTry = {
          submission,
          resolve,
          mayHaveLeft: false,
          awaitsResponse: false,
          early: null,
          cancelWait: () => {},
        };
        open.set(idOf(attempt), attempt);
        void run(attempt);
      }),
    responded: (response) => {
      const attempt = open.get(response.transactionId);
      if (attempt === undefined || !attempt.mayHaveLeft) return false;
      // While the mail is under way, wait for its own answer.
      if (attempt.awaitsResponse) end(attempt, endBy(response, attempt));
      else attempt.early ??= response;
      return true;
    },
    inDoubt: (transactionId) => doubts.get(transactionId) ?? null,
    cut: () => {
      const detail = 'The gateway stopped before an answer came.';
      for (const attempt of [...open.values()]) {
        end(attempt, attempt.mayHaveLeft ? uncertain('broken', detail) : unavailable);
      }
    },
  };
}

const uncertain = (cause: DoubtCause, detail: string): SubmissionOutcome => ({
  kind: 'uncertain',
  cause,
  detail,
  parts: [],
});

/** `early`: the outcome by a RES that overtook the answer to the mail. */
function outcomeOf(
  mail: Exclude<MailOutcome, { kind: 'unsent' }>,
  early: SubmissionOutcome | null,
  part: AcceptedPart,
): SubmissionOutcome {
  // An Ok is binding, even if it answers the mail of an earlier attempt and this one failed.
  if (early?.kind === 'accepted') return early;
  switch (mail.kind) {
    case 'refused':
      return refusalOfReply(mail.reply);
    case 'too_large':
      return ownRefusal(
        'MEDIA_TOO_LARGE',
        `The carrier takes mails of at most ${mail.bytesMax} bytes, encoded: nothing was sent.`,
      );
    case 'cut':
      return cutShort(mail.detail);
    case 'taken':
      return early ?? { kind: 'accepted', parts: [part] };
    case 'unanswered': {
      const detail = `The whole message was sent and not answered: ${mail.detail}.`;
      return early ?? uncertain(mail.cause, detail);
    }
  }
}
