/**
 * One SMTP connection, from open to close, with the result of each mail: above all whether the final dot may have been
 * sent. Never sends a mail twice.
 */
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Clock } from '../../kernel/clock.ts';
import type { PeerCertificate } from '../../model/peer-certificate.ts';
import type { DoubtCause } from '../../model/repeats.ts';
import { certificateOn, whenShown } from '../peer-certificate.ts';
import type { Mm4Profile } from './profile.ts';

/** Bytes written to the socket at once. */
const chunkBytes = 64 * 1024;
/** How long a peer has to answer QUIT. */
const quitMs = 1_000;
/** Our own limits run on the given clock; the library's come later, as a second line. */
const behindMs = 60_000;

export interface SmtpReply {
  code: number;
  /** The whole reply, with its code. */
  text: string;
  /** The answered command: MAIL FROM, RCPT TO or DATA. */
  command: string;
}

export interface OutgoingMail {
  mailFrom: string;
  rcptTo: string[];
  bytes: Buffer;
}

export type MailOutcome =
  | { kind: 'taken' }
  | { kind: 'refused'; reply: SmtpReply }
  /** Larger than the SIZE of the peer (RFC 1870). No byte was sent. */
  | { kind: 'too_large'; bytesMax: number }
  /** The connection was already dead before the mail began. */
  | { kind: 'unsent'; detail: string }
  /** The connection ended before the final dot: the peer cannot have taken the mail. */
  | { kind: 'cut'; detail: string }
  /** The final dot may have been sent, and no answer came. */
  | { kind: 'unanswered'; cause: DoubtCause; detail: string };

export interface Mm4Connection {
  /** One mail at a time. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /** Sends QUIT and closes. */
  quit(): void;
  /** Closes without QUIT. */
  close(detail: string): void;
}

export interface ConnectionHandlers {
  /** `certificate`: the peer's; null without TLS. */
  opened(certificate: PeerCertificate | null): void;
  /** The peer's certificate is not trusted; `ended` follows. */
  refused?(certificate: PeerCertificate): void;
  /** Called once, whatever the cause. `polite`: the peer announced that it closes an idle connection. */
  ended(detail: string, polite: boolean): void;
}

export function openMm4Connection(profile: Mm4Profile, clock: Clock, handlers: ConnectionHandlers): Mm4Connection {
  const smtp = new SMTPConnection(connectionOptions(profile));
  let shown: PeerCertificate | null = null;
  watchSockets(smtp, (socket) =>
    whenShown(socket, (certificate) => {
      shown = certificate;
    }),
  );
  let bytesMax = 0;
  let used = false;
  let isOver = false;
  /** Called with the cause if the connection ends while a mail or RSET is under way. */
  let interrupted: ((detail: string, cause: DoubtCause) => void) | null = null;

  function end(detail: string, cause: DoubtCause = 'broken'): void {
    if (isOver) return;
    isOver = true;
    cancelTimer();
    if (shown !== null) handlers.refused?.(shown);
    smtp.close();
    const polite = interrupted === null && /^421/.test(smtp.lastServerResponse || '');
    interrupted?.(detail, cause);
    handlers.ended(detail, polite);
  }

  let cancelTimer = (): void => {};
  /** Gives the peer this much time from now on. */
  function limit(what: string, delayMs = profile.responseTimeoutMs): void {
    cancelTimer();
    cancelTimer = clock.after(delayMs, () => end(`no ${what} within ${delayMs} ms`, 'unanswered'));
  }

  smtp.on('error', (err: Error) => end(oneLine(err.message)));
  // When a reply closes the connection, the library reports the reply after this event.
  smtp.on('end', () => queueMicrotask(() => end('the peer closed the connection')));

  function ready(): void {
    if (isOver) return;
    cancelTimer();
    handlers.opened(certificateOn(smtp._socket));
  }

  limit('connection');
  smtp.connect((err) => {
    if (err) return end(oneLine(err.message));
    bytesMax = Number(/^250[ -]SIZE[ \t]+(\d{1,15})\s*$/im.exec(smtp.lastServerResponse || '')?.[1] ?? 0);
    const { username: user, password: pass } = profile;
    if (user === '') return ready();
    // With opportunistic TLS, a peer or an attacker that hides STARTTLS must not get the password.
    if (profile.tls !== 'none' && !smtp.secure) return end('no password is given without TLS');
    if (!smtp.allowsAuth) return end('the peer offers no AUTH');
    smtp.login({ credentials: { user, pass } }, (refused) => (refused ? end(oneLine(refused.message)) : ready()));
  });

  /** Null when the connection is ready for the next mail; this also shows whether the peer is still there. */
  function reset(): Promise<string | null> {
    return new Promise((resolve) => {
      interrupted = resolve;
      limit('answer to RSET');
      smtp.reset((err) => {
        if (err) return end(oneLine(err.message));
        interrupted = null;
        cancelTimer();
        resolve(null);
      });
    });
  }

  function transfer({ mailFrom, rcptTo, bytes }: OutgoingMail): Promise<MailOutcome> {
    return new Promise((resolve) => {
      let begun = false;
      let dotMayHaveLeft = false;
      const content = contentOf(bytes, (isLast) => {
        begun = true;
        dotMayHaveLeft ||= isLast;
        limit('answer to the mail');
      });
      interrupted = (detail, cause) =>
        resolve(dotMayHaveLeft ? { kind: 'unanswered', cause, detail } : { kind: 'cut', detail });
      limit('answer to the mail');
      smtp.send({ from: mailFrom, to: rcptTo, size: bytes.length }, content, (err) => {
        if (isOver) return;
        const reply = err === null ? null : replyOf(err);
        // The peer answered DATA before the whole mail was sent, so the rest of it is still in the pipe.
        const isEarly = begun && !dotMayHaveLeft;
        if (err !== null && reply === null) return end(oneLine(err.message), causeOf(err));
        if (err === null && isEarly) return end('the peer answered the mail before it had all of it');
        interrupted = null;
        cancelTimer();
        resolve(reply === null ? { kind: 'taken' } : { kind: 'refused', reply });
        if (isEarly) end('the peer answered the mail before it had all of it');
      });
    });
  }

  return {
    send: async (mail) => {
      if (isOver) return { kind: 'unsent', detail: 'the connection is closed' };
      if (bytesMax > 0 && mail.bytes.length > bytesMax) return { kind: 'too_large', bytesMax };
      const dead = used ? await reset() : null;
      if (dead !== null) return { kind: 'unsent', detail: dead };
      used = true;
      return transfer(mail);
    },
    quit: () => {
      if (isOver) return;
      limit('answer to QUIT', Math.min(quitMs, profile.responseTimeoutMs));
      smtp.quit();
    },
    close: end,
  };
}

/**
 * Reports each socket that the library opens, including TLS on top of the first: the library hides them until they are
 * trusted.
 */
function watchSockets(smtp: SMTPConnection, taken: (socket: unknown) => void): void {
  let current = smtp._socket;
  Object.defineProperty(smtp, '_socket', {
    get: () => current,
    set: (socket: typeof current) => {
      current = socket;
      taken(socket);
    },
  });
}

function connectionOptions(profile: Mm4Profile): ConstructorParameters<typeof SMTPConnection>[0] {
  const { host, port, tls, tlsVerify, caCertificate, ownDomain, responseTimeoutMs } = profile;
  const timeoutMs = responseTimeoutMs + behindMs;
  return {
    host,
    port,
    name: ownDomain,
    secure: tls === 'implicit',
    ignoreTLS: tls === 'none',
    requireTLS: tls === 'starttls',
    opportunisticTLS: tls === 'opportunistic',
    tls: { rejectUnauthorized: tlsVerify, ...(caCertificate !== '' && { ca: caCertificate }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: 10 * timeoutMs,
    // After giving up, no further bytes may reach the peer.
    socketCloseTimeout: 0,
    maxResponseSize: chunkBytes,
  };
}

/** The mail in pieces. `read` is called for each; after the last one the final dot may follow. */
function contentOf(bytes: Buffer, read: (isLast: boolean) => void): Readable {
  let at = 0;
  return new Readable({
    highWaterMark: chunkBytes,
    read() {
      const piece = bytes.subarray(at, at + chunkBytes);
      at += piece.length;
      read(piece.length === 0);
      this.push(piece.length === 0 ? null : piece);
    },
  });
}

interface SmtpError extends Error {
  response?: string | undefined;
  responseCode?: number | undefined;
  command?: string | undefined;
}

/** The peer's reply to a command of the mail; null when the connection failed instead. */
function replyOf({ response = '', responseCode: code, command = '' }: SmtpError): SmtpReply | null {
  if (code === undefined || code < 400 || code > 599 || !['MAIL FROM', 'RCPT TO', 'DATA'].includes(command))
    return null;
  return { code, text: response, command };
}

/** A reply that is no SMTP came on a link that lives; otherwise the connection failed. */
function causeOf({ response }: SmtpError): DoubtCause {
  return response ? 'unanswered' : 'broken';
}

function oneLine(message: string): string {
  return message
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 200);
}
