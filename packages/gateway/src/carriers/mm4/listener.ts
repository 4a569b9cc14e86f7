/**
 * The SMTP server of one MM4 carrier: accepts mail from its addresses for our domain, within limits, and passes on
 * complete mails. Relays nothing.
 */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { tlsFloor } from '../../kernel/tls.ts';
import { inboundMmsLimits } from '../../model/inbound-limits.ts';
import type { CarrierDeps } from '../deps.ts';
import { peerAddresses } from '../peer-addresses.ts';
import { createTurnShare } from '../turn-share.ts';
import type { InboundMail, SmtpAnswer } from './inbox.ts';
import type { Mm4CarrierRecord } from './profile.ts';

/** Connections of peers at once: this bounds the memory for mails. */
const connectionsMax = 40;
/**
 * Connections from one address, so that one peer cannot lock out the others. Postfix opens this many, and pauses long
 * after a refusal.
 */
const connectionsPerAddressMax = 20;
/** A connection on which no mail has begun by then is closed, because an idle one takes a place from others. */
const firstMailMs = 60_000;
/** Recipients of one mail. A group message names each of our numbers in it. */
const recipientsMax = 20;
/** Length of a command with its parameters (RFC 5321 §4.5.3.1.4, with room for extensions). */
const commandBytesMax = 2_048;
/** Commands handled in one turn of the event loop, over all connections. */
const commandsPerTurn = 128;
/** Mails parsed in one turn: a large one takes some milliseconds. */
const mailsPerTurn = 1;
/** Mails in the store at once, so that other writes need not wait. */
const mailsAtOnceMax = 4;
/** A peer that is silent for this long is disconnected. */
const silenceMs = 300_000;
/** From DATA to the final dot. */
const mailMsMax = 600_000;
/** Time for open connections to take the 421 when the gateway stops. */
const goodbyeMs = 1_000;
/** Wait before a busy port is tried again. */
const relistenMs = 5_000;

export interface Mm4Listener {
  start(): void;
  /** Null while it does not listen. */
  listening(): { host: string; port: number } | null;
  /** Complete mails that are not answered yet. */
  busy(): number;
  stop(): Promise<void>;
}

export function createMm4Listener(
  record: Mm4CarrierRecord,
  { clock, logger, tls, inboundMms = inboundMmsLimits }: Pick<CarrierDeps, 'clock' | 'logger' | 'tls' | 'inboundMms'>,
  receive: (mail: InboundMail) => Promise<SmtpAnswer>,
  /** Called when it starts or stops listening, and when a mail has been stored. */
  changed: () => void,
): Mm4Listener {
  const { ownDomain, inbound } = record.mm4;
  const isPeer = peerAddresses(inbound.addresses);
  const tooLarge = `Not taken now: a mail of over ${inboundMms.messageBytesMax} bytes`;
  /** Sessions that broke the rules: everything that follows on them is refused. */
  const broken = new WeakSet<SMTPServerSession>();
  /** Sessions on which no mail has begun; the function cancels their time limit. */
  const silent = new Map<string, () => void>();
  const commands = createTurnShare(commandsPerTurn);
  const mails = createTurnShare(mailsPerTurn, mailsAtOnceMax);
  let address: { host: string; port: number } | null = null;
  let busy = 0;
  let servedCert = tls?.cert;
  let stopped = false;
  let cancelRelisten = (): void => {};

  const server = new SMTPServer({
    name: ownDomain,
    banner: 'MM4',
    logger: false,
    ...(tls && { ...tlsFloor, key: tls.key, cert: tls.cert }),
    hideSTARTTLS: tls === undefined,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), 'AUTH', 'HELP', 'VRFY', 'XCLIENT', 'XFORWARD', ...jokes],
    hideSMTPUTF8: true,
    disableReverseLookup: true,
    size: inboundMms.messageBytesMax,
    // A peer that knew our limit would give up larger mails for good; a temporary refusal lets the operator raise it.
    hideSize: true,
    maxClients: connectionsMax,
    maxRecipients: recipientsMax,
    maxCommandLength: commandBytesMax,
    socketTimeout: silenceMs,
    closeTimeout: goodbyeMs,
    onConnect: (session, done) => {
      serveNewest();
      if (!isPeer(session.remoteAddress)) return done(refusal(554, 'You may not send here'));
      const { remoteAddress } = session;
      const ofAddress = [...server.connections].filter((one) => one.remoteAddress === remoteAddress).length;
      if (ofAddress > connectionsPerAddressMax) return done(refusal(421, 'Too many connections from your address'));
      prepare(session);
      silent.set(
        session.id,
        clock.after(firstMailMs, () => {
          silent.delete(session.id);
          shut(session, 421, 'No mail came');
        }),
      );
      done();
    },
    onClose: (session) => endSilence(session),
    onMailFrom: ({ args }, session, done) => {
      endSilence(session);
      if (broken.has(session)) return done(refusal(421, 'Closing'));
      // RFC 1870 §6.1: the declared size is refused before DATA.
      if (args && Number(args.SIZE) > inboundMms.messageBytesMax) return done(refusal(452, tooLarge));
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

  /** The certificate may have been renewed since the last session. */
  function serveNewest(): void {
    if (tls === undefined || tls.cert === servedCert) return;
    servedCert = tls.cert;
    server.updateSecureContext({ ...tlsFloor, key: tls.key, cert: tls.cert });
  }

  function listen(): void {
    if (!stopped) server.listen(inbound.port, inbound.host);
  }

  function endSilence({ id }: SMTPServerSession): void {
    silent.get(id)?.();
    silent.delete(id);
  }

  function connectionOf(session: SMTPServerSession) {
    return [...server.connections].find(({ id }) => id === session.id);
  }

  function prepare(session: SMTPServerSession): void {
    const connection = connectionOf(session);
    if (connection === undefined) return;
    // RCPT TO:<+12025550100/TYPE=PLMN> without a domain is ours, since the peer sent it here. RFC 5321 has no such
    // address.
    const parse = connection._parseAddressCommand.bind(connection);
    connection._parseAddressCommand = (name, command) =>
      parse(name, command.toString().replace(/<(\+?\d{3,15}\/TYPE=PLMN)>/i, `<$1@${ownDomain}>`));
    // The parser, and in the end the socket, pauses until a command has had its turn.
    const handle = connection._onCommand.bind(connection);
    connection._onCommand = (command, next) => {
      const parser = connection._parser;
      commands(() => {
        // The connection may have closed meanwhile.
        if (connection._parser === parser) handle(command, next);
        else next?.();
      });
    };
  }

  /** Refuses the current mail and everything after it. */
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
      if (size <= inboundMms.messageBytesMax) chunks.push(chunk);
      else {
        chunks = [];
        logger.warn(
          { carrier: record.carrierId, detail: tooLarge },
          'a message from a handset is over the limit of size',
        );
        shut(session, 452, tooLarge);
      }
    });
    stream.on('error', () => tooSlow());
    stream.on('end', () => {
      tooSlow();
      if (broken.has(session)) return;
      busy++;
      mails(() => answer(Buffer.concat(chunks), session, done));
    });
  }

  async function answer(bytes: Buffer, session: SMTPServerSession, done: (err?: Error | null) => void): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope;
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

/** Joke commands that the library answers. */
const jokes = ['WIZ', 'SHELL', 'KILL'];

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
