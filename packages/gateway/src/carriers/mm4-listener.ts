/**
 * The SMTP server of one MM4 carrier: takes mail from the addresses of its profile, for our own domain, within limits, and
 * hands each whole mail on. It relays nothing, reads no content and answers a mail only with what it is told.
 */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Mm4CarrierRecord } from '../domain/records.ts';
import type { CarrierDeps } from './deps.ts';
import { type InboundMail, mailBytesMax, type SmtpAnswer } from './mm4-inbox.ts';
import { peerAddresses } from './peer-addresses.ts';

/** Connections of peers at once: together they bound the memory that mails take. */
const connectionsMax = 20;
/** Of one mail. A group message names each of our numbers in it. */
const recipientsMax = 20;
/** Of a command with its parameters (RFC 5321 §4.5.3.1.4, and room for extensions). */
const commandBytesMax = 2_048;
/** A peer that says nothing for so long is closed. */
const silenceMs = 300_000;
/** From DATA to the final dot. */
const mailMsMax = 600_000;
/** What open connections get when the gateway stops. */
const goodbyeMs = 1_000;
/** Before a port that was taken is tried again. */
const relistenMs = 5_000;

export interface Mm4Listener {
  start(): void;
  /** Null while it does not listen. */
  listening(): { host: string; port: number } | null;
  /** Mails that are being stored. */
  busy(): number;
  stop(): Promise<void>;
}

export function createMm4Listener(
  record: Mm4CarrierRecord,
  { clock, logger, tls }: Pick<CarrierDeps, 'clock' | 'logger' | 'tls'>,
  receive: (mail: InboundMail) => Promise<SmtpAnswer>,
  /** It listens, or does no more; a mail is no longer being stored. */
  changed: () => void,
): Mm4Listener {
  const { ownDomain, inbound } = record.mm4;
  const isPeer = peerAddresses(inbound.addresses);
  /** Sessions that broke the rules: whatever follows on them is refused. */
  const broken = new WeakSet<SMTPServerSession>();
  let address: { host: string; port: number } | null = null;
  let busy = 0;
  let stopped = false;
  let cancelRelisten = (): void => {};

  const server = new SMTPServer({
    name: ownDomain,
    banner: 'MM4',
    logger: false,
    ...(tls && { key: tls.key, cert: tls.cert }),
    hideSTARTTLS: tls === undefined,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), 'AUTH', 'HELP', 'VRFY', 'XCLIENT', 'XFORWARD', ...jokes],
    hideSMTPUTF8: true,
    disableReverseLookup: true,
    size: mailBytesMax,
    maxClients: connectionsMax,
    maxRecipients: recipientsMax,
    maxCommandLength: commandBytesMax,
    socketTimeout: silenceMs,
    closeTimeout: goodbyeMs,
    onConnect: (session, done) => {
      if (!isPeer(session.remoteAddress)) return done(refusal(554, 'You may not send here'));
      takeBareNumbers(session);
      done();
    },
    onMailFrom: (_sender, session, done) => {
      if (broken.has(session)) return done(refusal(421, 'Closing'));
      if (inbound.requireTls && !session.secure) return done(refusal(530, 'Must issue a STARTTLS command first'));
      done();
    },
    onRcptTo: ({ address: recipient }, _session, done) => {
      const isOurs = recipient.toLowerCase().endsWith(`@${ownDomain.toLowerCase()}`);
      done(isOurs ? undefined : refusal(550, 'Relaying denied'));
    },
    onData: takeMail,
  });
  server.on('error', (err: Error) => logger.debug({ err, carrier: record.carrierId }, 'an SMTP connection failed'));
  server.server.on('error', (err: Error) => {
    if (server.server.listening) return;
    logger.error({ err, carrier: record.carrierId, ...inbound }, 'the MM4 port cannot be listened on');
    cancelRelisten = clock.after(relistenMs, listen);
  });
  server.server.on('listening', () => {
    address = { host: inbound.host, port: (server.server.address() as AddressInfo).port };
    changed();
  });

  function listen(): void {
    if (!stopped) server.listen(inbound.port, inbound.host);
  }

  function connectionOf(session: SMTPServerSession) {
    return [...server.connections].find(({ id }) => id === session.id);
  }

  /** RCPT TO:<+12025550100/TYPE=PLMN> without a domain is ours: it came to us. RFC 5321 knows no such address. */
  function takeBareNumbers(session: SMTPServerSession): void {
    const connection = connectionOf(session);
    if (connection === undefined) return;
    const parse = connection._parseAddressCommand.bind(connection);
    connection._parseAddressCommand = (name, command) =>
      parse(name, command.toString().replace(/<(\+?\d{3,15}\/TYPE=PLMN)>/i, `<$1@${ownDomain}>`));
  }

  /** Refuses what is under way and everything after it. */
  function shut(session: SMTPServerSession, code: number, text: string): void {
    broken.add(session);
    const connection = connectionOf(session);
    connection?.send(code, text, false);
    connection?.close();
  }

  function takeMail(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (err?: Error | null) => void,
  ): void {
    let chunks: Buffer[] = [];
    let size = 0;
    const tooSlow = clock.after(mailMsMax, () => shut(session, 421, 'The mail took too long'));
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (broken.has(session)) return;
      if (size <= mailBytesMax) chunks.push(chunk);
      else {
        chunks = [];
        shut(session, 552, `Over ${mailBytesMax} bytes`);
      }
    });
    stream.on('error', () => tooSlow());
    stream.on('end', () => {
      tooSlow();
      if (!broken.has(session)) void answer(Buffer.concat(chunks), session, done);
    });
  }

  async function answer(bytes: Buffer, session: SMTPServerSession, done: (err?: Error | null) => void): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope;
    busy++;
    const sender = mailFrom === false ? '' : mailFrom.address;
    const mail = { mailFrom: sender, rcptTo: rcptTo.map((to) => to.address), bytes };
    const { code, text, closes } = await receive(mail).catch((err: unknown): SmtpAnswer => {
      logger.error({ err, carrier: record.carrierId }, 'a mail could not be handled');
      return { code: 451, text: 'Failed here, try again later', closes: true };
    });
    busy--;
    if (closes) broken.add(session);
    done(code === 250 ? null : refusal(code, text));
    if (closes) connectionOf(session)?.close();
    changed();
  }

  return {
    start: listen,
    listening: () => address,
    busy: () => busy,
    stop: () => {
      stopped = true;
      cancelRelisten();
      address = null;
      for (const connection of server.connections) {
        connection.send(421, `${ownDomain} closing`, false);
        connection.close();
      }
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Commands the library answers for fun. */
const jokes = ['WIZ', 'SHELL', 'KILL'];

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
