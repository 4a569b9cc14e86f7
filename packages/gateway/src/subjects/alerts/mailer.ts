/**
 * Sends mails to an SMTP server. Loads the library with the first mail, so that gateways without mail never load it.
 */
import type { Logger } from '../../kernel/logger.ts';
import type { Secret } from '../../kernel/secret.ts';

/** Time for a server to connect, to greet, and to answer. */
const connectMs = 10_000;
const answerMs = 30_000;
const causeCharactersMax = 300;

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password if the server needs them. */
  url: Secret;
  from: string;
  /** Empty = the operators. */
  to: readonly string[];
}

export interface Mail {
  to: readonly string[];
  subject: string;
  text: string;
}

export interface Mailer {
  /**
   * Rejects with the error of the server or the network; its message holds no password. Resolves, with a warning in the
   * log, when the server refused some of its recipients.
   */
  send(mail: Mail): Promise<void>;
}

/** What the library tells of a mail that the server took for some recipients at least; its types lack the errors. */
interface Sent {
  rejected: readonly unknown[];
  rejectedErrors?: readonly Error[];
}

export function createMailer({ url, from }: Pick<MailSettings, 'url' | 'from'>, logger: Logger): Mailer {
  const server = new URL(url.reveal());
  const secure = server.protocol === 'smtps:';
  const [user, pass] = [decodeURIComponent(server.username), decodeURIComponent(server.password)];
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const options = {
    ...{ host, secure, port: server.port === '' ? (secure ? 465 : 587) : Number(server.port) },
    // A password is never sent unencrypted.
    ...(user !== '' && { auth: { user, pass }, requireTLS: !secure }),
    ...{ connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: answerMs },
    // A text is never taken for a file name or a URL.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
  return {
    send: async ({ to, subject, text }) => {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(options);
      try {
        const headers = { 'Auto-Submitted': 'auto-generated' };
        const sent: Sent = await transport.sendMail({ from, to: [...to], subject, text, headers });
        if (sent.rejected.length === 0) return;
        const cause = sent.rejectedErrors?.[0]?.message.slice(0, causeCharactersMax);
        logger.warn({ refused: sent.rejected, cause }, 'a mail was refused for some of its recipients');
      } finally {
        transport.close();
      }
    },
  };
}
