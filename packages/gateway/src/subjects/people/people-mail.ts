/**
 * Mails to people, in the background: a link to reset a password, a notice of the change, an invitation. No request
 * waits for the SMTP server, so the time of an answer does not reveal whether a mail was sent.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Written } from './mail-texts.ts';

/** Sends one mail to an SMTP server; rejects with the server's error. */
export interface Mailer {
  send(mail: { to: readonly string[]; subject: string; text: string }): Promise<void>;
}

export interface PeopleMail {
  /** The start of links in mails, without a slash at the end. Set by the operator, never from the Host of a request. */
  readonly publicUrl: string;
  send(to: string, mail: Written): void;
}

/** Waits before retries: greylisting servers refuse the first attempt. */
const waitsMs = [10_000, 60_000, 300_000];
const waitingMax = 200;

interface Parts {
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  mailer: Mailer;
  publicUrl: string;
}

export function createPeopleMail({ clock, logger, mailer, publicUrl }: Parts): PeopleMail {
  let waiting = 0;

  async function attempt(to: string, mail: Written, tries: number): Promise<void> {
    try {
      await mailer.send({ to: [to], ...mail });
      waiting -= 1;
    } catch (error) {
      const waitMs = waitsMs[tries];
      const cause = (error as Error).message.slice(0, 300);
      if (waitMs === undefined) {
        waiting -= 1;
        logger.warn({ cause, tries: tries + 1 }, 'a mail to a person was given up');
      } else {
        logger.warn({ cause, tries: tries + 1 }, 'a mail to a person was not taken; it is tried again');
        clock.after(waitMs, () => void attempt(to, mail, tries + 1));
      }
    }
  }

  return {
    publicUrl,
    send(to, mail) {
      if (waiting >= waitingMax) {
        logger.warn({ waiting }, 'a mail to a person was left out: too many wait');
        return;
      }
      waiting += 1;
      void attempt(to, mail, 0);
    },
  };
}
