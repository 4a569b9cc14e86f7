/**
 * Mails to people, in the background: a link to reset a password, that it was changed, an invitation. Nobody waits for the
 * SMTP server, so the time of an answer says nothing of whether a mail was sent.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Written } from './mail-texts.ts';

/** Hands one mail to an SMTP server; rejects with what that said. */
export interface Mailer {
  send(mail: { to: readonly string[]; subject: string; text: string }): Promise<void>;
}

export interface PeopleMail {
  /** Where links in mails lead, without a slash at the end. It is what the operator set: never the Host of a request. */
  readonly publicUrl: string;
  send(to: string, mail: Written): void;
}

/** A server that does not take a mail at once is tried again: greylisting asks for it. */
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
