/** An SMTP server on loopback that keeps the received mails. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface TakenMail {
  from: string;
  to: string[];
  /** Unchanged: headers, empty line, text. */
  text: string;
}

export interface Mailbox {
  readonly taken: TakenMail[];
  readonly port: number;
  close(): Promise<void>;
}

export async function openMailbox(options: ConstructorParameters<typeof SMTPServer>[0] = {}): Promise<Mailbox> {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], closeTimeout: 100 },
    ...options,
    onData: (stream, session, done) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const text = Buffer.concat(pieces).toString();
        taken.push({ from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map((one) => one.address), text });
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    taken,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
