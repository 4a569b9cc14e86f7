/**
 * Mails that we owe a peer: responses and requested reports. Sent over free connections, a few attempts each; no
 * message waits for them.
 */
import { type Mm4DeliveryReportReq, type Mm4ReadReplyReportReq, type Mm4Response, writeMm4 } from '@heliograph/mms';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { MailOutcome, OutgoingMail } from './connection.ts';
import type { Mm4Pool } from './pool.ts';
import type { Mm4CarrierRecord } from './profile.ts';

/** The most mails owed at once; further ones are dropped. */
const answersMax = 1_000;
/** Waits before the second attempt, the third, and so on. */
const retryMs = [1_000, 5_000, 30_000, 120_000];

interface Answer {
  mail: OutgoingMail;
  /** For the log. */
  transactionId: string;
  tries: number;
}

export interface Mm4Answers {
  /** `replyTo`: a mail address of the peer's system. */
  add(response: Mm4Response, replyTo: string): void;
  /** Sends a report to the originator, by way of the peer's domain. */
  report(report: Mm4DeliveryReportReq | Mm4ReadReplyReportReq): void;
  /** Number of mails owed. */
  owed(): number;
}

export interface Mm4AnswersParts {
  record: Mm4CarrierRecord;
  clock: Clock;
  logger: Logger;
  pool: Pick<Mm4Pool, 'take'>;
  /** Called when one mail fewer is owed. */
  changed(): void;
}

export function createMm4Answers({ record, clock, logger, pool, changed }: Mm4AnswersParts): Mm4Answers {
  const { mm4, carrierId } = record;
  let owed = 0;

  function letGo({ transactionId }: Pick<Answer, 'transactionId'>, why: string): void {
    logger.warn({ carrier: carrierId, transactionId, why }, 'an MM4 response or report was not sent');
  }

  async function send(answer: Answer): Promise<void> {
    const lease = await pool.take();
    const outcome = (await lease?.send(answer.mail)) ?? { kind: 'unsent', detail: 'not connected' };
    const waitMs = retryMs[answer.tries++];
    if (isWorthAnother(outcome) && waitMs !== undefined) {
      clock.after(waitMs, () => void send(answer));
      return;
    }
    if (outcome.kind !== 'taken') letGo(answer, outcome.kind);
    owed--;
    changed();
  }

  function owe(message: Parameters<Mm4Answers['report']>[0] | Mm4Response, more: { replyTo?: string }): void {
    const mail = writeMm4(message, {
      ourDomain: mm4.ownDomain,
      peerDomain: mm4.domain,
      date: new Date(clock.now()),
      version: mm4.version,
      ...more,
    });
    if (mail.kind === 'unwritable') letGo(message, `${mail.field} ${mail.detail}`);
    else if (owed >= answersMax) letGo(message, `over ${answersMax} are owed`);
    else {
      owed++;
      void send({ mail, transactionId: message.transactionId, tries: 0 });
    }
  }

  return {
    add: (response, replyTo) => owe(response, { replyTo }),
    report: (report) => owe(report, {}),
    owed: () => owed,
  };
}

function isWorthAnother(outcome: MailOutcome): boolean {
  if (outcome.kind === 'refused') return outcome.reply.code < 500;
  return outcome.kind !== 'taken' && outcome.kind !== 'too_large';
}
