/**
 * The RES mails we owe the peer. They go out over the connections of the messages, when one is free; each is tried a few
 * times and then let go, as the peer asks again. Nothing waits for them.
 */
import { type Mm4Response, writeMm4 } from '@heliograph/mms';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { Mm4CarrierRecord } from '../domain/records.ts';
import type { MailOutcome, OutgoingMail } from './mm4-connection.ts';
import type { Mm4Pool } from './mm4-pool.ts';

/** Owed at once; what is more is let go. */
const answersMax = 1_000;
/** Before the second try, the third, and so on. */
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
  /** Owed and not sent yet. */
  owed(): number;
}

export interface Mm4AnswersParts {
  record: Mm4CarrierRecord;
  clock: Clock;
  logger: Logger;
  pool: Pick<Mm4Pool, 'take'>;
  /** One less is owed. */
  changed(): void;
}

export function createMm4Answers({ record, clock, logger, pool, changed }: Mm4AnswersParts): Mm4Answers {
  const { mm4, carrierId } = record;
  let owed = 0;

  function letGo({ transactionId }: Pick<Answer, 'transactionId'>, why: string): void {
    logger.warn({ carrier: carrierId, transactionId, why }, 'an MM4 response was not sent');
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

  return {
    add: (response, replyTo) => {
      const mail = writeMm4(response, {
        ourDomain: mm4.ownDomain,
        peerDomain: mm4.domain,
        date: new Date(clock.now()),
        version: mm4.version,
        replyTo,
      });
      if (mail.kind === 'unwritable') return letGo(response, `${mail.field} ${mail.detail}`);
      if (owed >= answersMax) return letGo(response, `over ${answersMax} are owed`);
      owed++;
      void send({ mail, transactionId: response.transactionId, tries: 0 });
    },
    owed: () => owed,
  };
}

function isWorthAnother(outcome: MailOutcome): boolean {
  if (outcome.kind === 'refused') return outcome.reply.code < 500;
  return outcome.kind !== 'taken' && outcome.kind !== 'too_large';
}
