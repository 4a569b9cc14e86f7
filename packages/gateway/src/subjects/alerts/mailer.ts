/** Hands mails to an SMTP server. The library is loaded with the first mail, so that a gateway without mail goes without it. */
import type { Secret } from '../../kernel/secret.ts';

/** So long a server may take to connect, to greet, and to answer. */
const connectMs = 10_000;
const answerMs = 30_000;

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
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
  /** Rejects with what the server or the network said; its message holds no password. */
  send(mail: Mail): Promise<void>;
}

export function createMailer({ url, from }: Pick<MailSettings, 'url' | 'from'>): Mailer {
  const server = new URL(url.reveal());
  const secure = server.protocol === 'smtps:';
  const [user, pass] = [decodeURIComponent(server.username), decodeURIComponent(server.password)];
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const options = {
    ...{ host, secure, port: server.port === '' ? (secure ? 465 : 587) : Number(server.port) },
    // A password never goes over the wire as plain text.
    ...(user !== '' && { auth: { user, pass }, requireTLS: !secure }),
    ...{ connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: answerMs },
    // A text is never read as the name of a file or as a URL.
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
