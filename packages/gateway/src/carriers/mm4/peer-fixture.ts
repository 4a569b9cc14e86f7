/** An SMTP server on loopback that tests script line by line, and a client that sends whatever a test wants. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, createServer as createTlsServer, TLSSocket } from 'node:tls';

/** The stages of a session at which a test can step in; `CONTENT` is the mail itself, `START` the greeting. */
export type Stage = 'START' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'RSET' | 'MAIL' | 'RCPT' | 'DATA' | 'CONTENT' | 'QUIT';

export interface SmtpMail {
  mailFrom: string;
  rcptTo: string[];
  /** With dot-stuffing removed. */
  bytes: Buffer;
  /** The MAIL command with its parameters. */
  mailCommand: string;
  secure: boolean;
  socket: Socket;
  /** Answers it, such as `250 OK`. */
  answer(reply: string): void;
}

export interface ScriptedSmtp {
  readonly port: number;
  readonly mails: SmtpMail[];
  readonly sockets: ReadonlySet<Socket>;
  /** Every command of every session, in order. */
  readonly commands: string[];
  /** Sessions accepted so far. */
  sessions: number;
  /** The extensions that EHLO offers. */
  extensions: string[];
  /** Does not answer at these stages; at CONTENT it does not even read. */
  hangsAt: Set<Stage>;
  /** Cuts the connection at this stage. */
  cutsAt: Stage | null;
  /** Replaces the answer at a stage. */
  answers: Map<Stage, string>;
  /** The immediate answer to a whole mail; null leaves it to the test. */
  atOnce: string | null;
  away(): Promise<void>;
  back(): Promise<void>;
  drop(): void;
}

export interface SmtpTls {
  key: string;
  cert: string;
}

export async function startScriptedSmtp(tls?: SmtpTls & { implicit?: boolean }): Promise<ScriptedSmtp> {
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    session(socket, script, tls);
  };
  const server = tls?.implicit ? createTlsServer({ key: tls.key, cert: tls.cert }, serve) : createServer(serve);
  server.on('tlsClientError', () => {});
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const script: ScriptedSmtp = {
    port: (server.address() as AddressInfo).port,
    mails: [],
    sockets,
    commands: [],
    sessions: 0,
    extensions: ['PIPELINING', 'SIZE 10000000', '8BITMIME', ...(tls && !tls.implicit ? ['STARTTLS'] : [])],
    hangsAt: new Set(),
    cutsAt: null,
    answers: new Map(),
    atOnce: null,
    drop: () => {
      for (const socket of sockets) socket.destroy();
    },
    away: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      script.drop();
      await closed;
    },
    back: () => listen(script.port),
  };
  return script;
}

function session(plain: Socket, script: ScriptedSmtp, tls: SmtpTls | undefined): void {
  let socket = plain;
  let input = Buffer.alloc(0);
  let content = false;
  let authLines = 0;
  let envelope = { mailFrom: '', rcptTo: [] as string[], mailCommand: '' };
  script.sessions++;

  /** False when the script replaces the answer. */
  function respond(stage: Stage, reply: string): boolean {
    if (script.cutsAt === stage) socket.destroy();
    else if (!script.hangsAt.has(stage)) socket.write(`${script.answers.get(stage) ?? reply}\r\n`);
    return script.cutsAt !== stage && !script.hangsAt.has(stage) && !script.answers.has(stage);
  }

  function mail(bytes: Buffer): void {
    const own = socket;
    const { extensions: _, ...rest } = { ...envelope, extensions: null };
    script.mails.push({
      ...rest,
      bytes,
      secure: own instanceof TLSSocket,
      socket: own,
      answer: (reply) => own.write(`${reply}\r\n`),
    });
    if (script.atOnce !== null && script.cutsAt !== 'CONTENT') own.write(`${script.atOnce}\r\n`);
    if (script.cutsAt === 'CONTENT') own.destroy();
  }

  function command(line: string): void {
    script.commands.push(line);
    const verb = line.split(/[ :]/)[0]!.toUpperCase();
    if (authLines > 0) {
      authLines--;
      respond('AUTH', authLines === 0 ? '235 Welcome' : '334 UGFzc3dvcmQ6');
    } else if (verb === 'EHLO')
      respond(
        'EHLO',
        ['peer', ...script.extensions].map((e, i, all) => `250${i === all.length - 1 ? ' ' : '-'}${e}`).join('\r\n'),
      );
    else if (verb === 'MAIL') {
      envelope = { mailFrom: /<(.*?)>/.exec(line)![1]!, rcptTo: [], mailCommand: line };
      respond('MAIL', '250 OK');
    } else if (verb === 'RCPT') {
      if (respond('RCPT', '250 OK')) envelope.rcptTo.push(/<(.*?)>/.exec(line)![1]!);
    } else if (verb === 'DATA') {
      if (envelope.rcptTo.length === 0) socket.write('503 No recipient\r\n');
      else if (respond('DATA', '354 Go on')) content = true;
      if (content && script.hangsAt.has('CONTENT')) socket.pause();
    } else if (line === 'AUTH LOGIN') {
      authLines = 2;
      socket.write('334 VXNlcm5hbWU6\r\n');
    } else if (verb === 'AUTH') respond('AUTH', '235 Welcome');
    else if (verb === 'RSET') respond('RSET', '250 OK');
    else if (verb === 'STARTTLS' && tls) {
      if (respond('STARTTLS', '220 Go on')) secure(tls);
    } else if (verb === 'QUIT') {
      if (respond('QUIT', '221 Bye')) socket.end();
    } else socket.write('502 No\r\n');
  }

  function secure({ key, cert }: SmtpTls): void {
    plain.removeListener('data', read);
    input = Buffer.alloc(0);
    socket = new TLSSocket(plain, { isServer: true, key, cert });
    socket.on('error', () => {});
    socket.on('data', read);
  }

  function read(chunk: Buffer): void {
    input = Buffer.concat([input, chunk]);
    for (;;) {
      const end = content ? input.indexOf('\r\n.\r\n') : input.indexOf('\r\n');
      if (end === -1) return;
      const rest = content ? end + 5 : end + 2;
      const taken = input.subarray(0, content ? end + 2 : end);
      input = input.subarray(rest);
      if (!content) command(taken.toString('latin1'));
      else {
        content = false;
        mail(Buffer.from(taken.toString('latin1').replaceAll(/^\.\./gm, '.'), 'latin1'));
      }
    }
  }

  socket.on('error', () => {});
  socket.on('data', read);
  respond('START', '220 peer ESMTP');
}

/** The answers to a scripted client. */
export interface SmtpTalk {
  /** Reply codes in order. */
  codes: number[];
  /** Everything the server wrote. */
  text: string;
  closed: boolean;
}

/** Sends each piece after the replies to the earlier ones, then waits for `replies` or the end of the connection. */
export async function smtpTalk(
  port: number,
  pieces: readonly (string | Buffer)[],
  { localAddress, tls }: { localAddress?: string; tls?: ConnectionOptions } = {},
): Promise<SmtpTalk> {
  let socket: Socket = connect({ port, host: '127.0.0.1', ...(localAddress !== undefined && { localAddress }) });
  const talk: SmtpTalk = { codes: [], text: '', closed: false };
  let wake = (): void => {};
  let line = '';
  const listen = (): void => {
    socket.on('error', () => {});
    socket.on('close', () => {
      talk.closed = true;
      wake();
    });
    socket.on('data', (chunk: Buffer) => {
      talk.text += chunk.toString('latin1');
      line += chunk.toString('latin1');
      const lines = line.split('\r\n');
      line = lines.pop()!;
      for (const whole of lines) if (/^\d{3} /.test(whole)) talk.codes.push(Number(whole.slice(0, 3)));
      wake();
    });
  };
  const replies = async (count: number): Promise<void> => {
    while (talk.codes.length < count && !talk.closed) await new Promise<void>((resolve) => (wake = resolve));
  };
  listen();
  await replies(1);
  for (const piece of pieces) {
    if (talk.closed) break;
    const before = talk.codes.length;
    socket.write(piece);
    await replies(before + 1);
    if (piece === 'STARTTLS\r\n' && talk.codes.at(-1) === 220) {
      socket.removeAllListeners();
      socket = connectTls({ socket, ...tls });
      listen();
    }
  }
  socket.end();
  while (!talk.closed) await new Promise<void>((resolve) => (wake = resolve));
  return talk;
}

/** The pieces of a session that sends one mail; `content` is sent unchanged, with its final dot. */
export function mailPieces(
  content: string | Buffer,
  { from = '+12025550100/TYPE=PLMN@peer.example', to = ['+12025550199/TYPE=PLMN@ours.example'] } = {},
): (string | Buffer)[] {
  const rcpt = to.map((address) => `RCPT TO:<${address}>\r\n`);
  return ['EHLO peer.example\r\n', `MAIL FROM:<${from}>\r\n`, ...rcpt, 'DATA\r\n', content];
}

/** A mail with dot-stuffing, as on the wire. */
export function stuffed(bytes: Buffer): Buffer {
  return Buffer.from(`${bytes.toString('latin1').replaceAll(/^\./gm, '..')}.\r\n`, 'latin1');
}
