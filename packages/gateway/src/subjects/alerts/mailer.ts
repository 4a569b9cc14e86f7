/**
 * Sends mails to an SMTP server. Loads the library with the first mail, so that gateways without mail never load it.
 */
import type { Secret } from '../../kernel/secret.ts';

/** Time for a server to connect, to greet, and to answer. */
const connectMs = 10_000;
const answerMs = 30_000;

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
  /** Rejects with the error of the server or the network; its message holds no password. */
  send(mail: Mail): Promise<void>;
}

export function createMailer({ url, from }: Pick<MailSettings, 'url' | 'from'>): Mailer {
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
        await transport.sendMail({ from, to: [...to], subject, text, headers: { 'Auto-Submitted': 'auto-generated' } });
      } finally {
        transport.close();
      }
    },
  };
}
