/** Shared by the tests of the MMS sides: a scripted gateway, over HTTP and SMTP on loopback, and its submissions. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  emptyMessage,
  type Mm4ForwardReq,
  type Mm4Message,
  type Mm4RequestStatus,
  type Mm7Dialect,
  type Mm7Message,
  type Mm7SubmitReq,
  type Mm7Written,
  type MmsMessage,
  mm7Dialect,
  mm7StatusOf,
  presentable,
  readMm4,
  readMm7,
  responseTo,
  submitOutcome,
  writeMm4,
  writeMm7,
} from '@heliograph/mms';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { SMTPServer } from 'smtp-server';
import { steadyRandom } from '../../../test/props/chance.ts';
import { type MovedClock, movedClock, until } from '../../../test/props/clock.ts';
import { defaultMmsOutboxLimits } from './mms-outbox.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

export const from = '12025550199';
export const picture = {
  contentType: 'image/png',
  contentId: '',
  fileName: 'Sun 1.PNG',
  bytes: Buffer.from('89504e47', 'hex'),
};
const caption = { contentType: 'text/plain', contentId: '', fileName: 'text.txt', bytes: Buffer.from('Look, grüße') };

const login = { username: 'heliograph', password: 'sandbox secret' };
const inbound = { username: 'sim', password: 'inbound secret' };
const ownDomain = 'mms.gateway.example';
const peerDomain = 'mms.sandbox.example';

/** The gateway's next answer: a StatusCode of MM7 or an SMTP code, or a fault. */
export type Script = number | 'hang' | 'garbage';

export interface ScriptedGateway {
  clock: MovedClock;
  sandbox: Sandbox;
  /** Everything received, in order. */
  mm7: Mm7Message[];
  mm4: Mm4Message[];
  /** Dialects of the messages received over MM7. */
  dialects: Mm7Dialect[];
  /** The envelopes received over MM4. */
  envelopes: { from: string; to: string[] }[];
  /** Used one by one; then the answers are 1000 and 250. */
  mm7Script: Script[];
  mm4Script: Script[];
  /** The status in its RES to MM4_forward.REQ; null = no RES. */
  responses: (Mm4RequestStatus | null)[];
  /** False: the sandbox does not know its address. */
  reachable: boolean;
  /** Waits until the code under test waits for this long, then lets that time pass. */
  elapse(delayMs: number): Promise<void>;
  /** Waits until the sandbox has ended all its attempts; returns the waits between them. */
  idle(): Promise<readonly number[]>;
  submit(to: string | string[], more?: Partial<MmsMessage>): ReturnType<typeof postMm7>;
  /** Sends MM4_forward.REQ and returns its final SMTP code. */
  forward(to: string, more?: Partial<Mm4ForwardReq>, message?: Partial<MmsMessage>): Promise<number>;
  stop(): Promise<void>;
}

/** What a gateway received, and its answers. */
type GatewaySide = Omit<ScriptedGateway, 'clock' | 'sandbox' | 'elapse' | 'idle' | 'submit' | 'forward' | 'stop'>;

function gatewaySide(): GatewaySide {
  return {
    mm7: [],
    mm4: [],
    dialects: [],
    envelopes: [],
    mm7Script: [],
    mm4Script: [],
    responses: [],
    reachable: true,
  };
}

/** Its two listeners, over HTTP and SMTP on loopback. RES of MM4 go to the address of `sandbox`. */
async function listenAsGateway(gateway: GatewaySide, sandbox: () => Pick<Sandbox, 'mm4'>) {
  const http = createServer((request, response) => void answerMm7(gateway, request, response));
  await new Promise<void>((resolve) => http.listen({ host: '127.0.0.1', port: 0 }, () => resolve()));
  const smtp = smtpOf(gateway, sandbox);
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  return {
    mm7Url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/carriers/sim-mm7/mm7`,
    mm4Port: (smtp.server.address() as AddressInfo).port,
    stop: async () => {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
}

/** A gateway for a sandbox in another process: the options that name it, and what it received. */
export async function gatewayFor(sandbox: () => Pick<Sandbox, 'mm4'>) {
  const gateway = gatewaySide();
  const { mm7Url, mm4Port, stop } = await listenAsGateway(gateway, sandbox);
  const mm7To = mm7Url.replace('//', `//${inbound.username}:${encodeURIComponent(inbound.password)}@`);
  const options = ['--mm7-to', mm7To, '--mm4-to', `127.0.0.1:${mm4Port}`];
  const access = ['--mm7-username', login.username, '--mm7-password', login.password];
  const domains = ['--mm4-domain', peerDomain, '--mm4-peer-domain', ownDomain];
  return { ...gateway, options: [...options, ...access, ...domains], stop };
}

export async function scriptedGateway(): Promise<ScriptedGateway> {
  const { clock, waited } = watchedClock();
  const gateway = { ...gatewaySide(), clock } as unknown as ScriptedGateway;
  const { mm7Url, mm4Port, stop } = await listenAsGateway(gateway, () => gateway.sandbox);
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    preferredPort: 0,
    system_id: 'heliograph',
    password: 'sandbox',
    mm7: {
      preferredPort: 0,
      ...login,
      gateway: () => (gateway.reachable ? { url: mm7Url, ...inbound } : null),
    },
    mm4: {
      preferredPort: 0,
      ownDomain: peerDomain,
      peerDomain: ownDomain,
      gateway: () => (gateway.reachable ? { host: '127.0.0.1', port: mm4Port } : null),
    },
    clock,
    random: steadyRandom(),
  });
  let count = 0;
  gateway.elapse = async (delayMs) => {
    await until(() => waited.includes(delayMs));
    clock.pass(delayMs);
  };
  gateway.idle = async () => {
    await until(() => !waited.includes(defaultMmsOutboxLimits.tryTimeoutMs));
    return waited;
  };
  gateway.sandbox = sandbox;
  gateway.submit = (to, more = {}) => postMm7(sandbox, submitReq(++count, [to].flat(), more));
  gateway.forward = (to, more, message) => sendMm4(sandbox, forwardReq(++count, to, more, message), to);
  gateway.stop = async () => {
    const stopped = sandbox.stop();
    clock.pass(10_000);
    await stopped;
    await stop();
  };
  return gateway;
}

/** A clock that shows how long the code under test is waiting. */
export function watchedClock(): { clock: MovedClock; waited: number[] } {
  const clock = movedClock();
  const waited: number[] = [];
  const after: MovedClock['after'] = (delayMs, run) => {
    waited.push(delayMs);
    let over = false;
    const end = (): void => {
      if (!over) waited.splice(waited.indexOf(delayMs), 1);
      over = true;
    };
    const cancel = clock.after(delayMs, () => {
      end();
      run();
    });
    return () => {
      end();
      cancel();
    };
  };
  return { clock: { ...clock, after }, waited };
}

function messageTo(to: string[], more: Partial<MmsMessage> = {}): MmsMessage {
  const message = { ...emptyMessage, from, to, subject: 'Sunday', parts: [picture, caption], deliveryReport: true };
  return presentable({ ...message, ...more });
}

export function submitReq(n: number, to: string[], more: Partial<MmsMessage> = {}): Mm7SubmitReq {
  const absent = { vasId: '', serviceCode: '', linkedId: '', timeStamp: null, earliestDeliveryTime: null };
  const rest = { vaspId: 'sandbox', chargedParty: null, distributionIndicator: null };
  return { type: 'SubmitReq', transactionId: `tx-${n}`, ...absent, ...rest, message: messageTo(to, more) };
}

export function forwardReq(
  n: number,
  to: string,
  more: Partial<Mm4ForwardReq> = {},
  message: Partial<MmsMessage> = {},
): Mm4ForwardReq {
  const ids = { transactionId: `tx-${n}`, messageId: `msg-${n}`, ackRequest: true, replyTo: '', hidesSender: false };
  return { type: 'MM4_forward.REQ', ...ids, message: messageTo([to], message), ...more };
}

/** The HTTP status and the meaning of the answer; `authorization` replaces the right credentials. */
export async function postMm7(
  sandbox: Pick<Sandbox, 'mm7'>,
  message: Mm7Written | Buffer,
  { authorization = basic(login), dialect = mm7Dialect('REL-6-MM7-1-4') } = {},
) {
  const written = Buffer.isBuffer(message)
    ? { headers: { 'content-type': 'text/xml' }, body: message }
    : writeMm7(message, { dialect });
  if (!('body' in written)) throw new Error(written.detail);
  const { headers, body } = written;
  const response = await fetch(sandbox.mm7.url, { method: 'POST', headers: { ...headers, authorization }, body });
  const read = readMm7({
    contentType: response.headers.get('content-type') ?? '',
    body: Buffer.from(await response.arrayBuffer()),
  });
  return { status: response.status, outcome: submitOutcome(response.status, read), read };
}

const basic = ({ username, password }: { username: string; password: string }): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** The final SMTP code of one mail. */
export function sendMm4(
  sandbox: Pick<Sandbox, 'mm4'>,
  message: Mm4Message | Buffer,
  to = '12025550100',
): Promise<number> {
  const handset = `+${to}/TYPE=PLMN@${peerDomain}`;
  const mail = Buffer.isBuffer(message)
    ? { mailFrom: `mms-system@${ownDomain}`, rcptTo: [handset], bytes: message }
    : writeMm4(message, { ourDomain: ownDomain, peerDomain, date: new Date(0), replyTo: `mms-system@${peerDomain}` });
  if (!('bytes' in mail)) throw new Error(mail.detail);
  return sendMail(sandbox, mail);
}

export function sendMail(
  { mm4 }: Pick<Sandbox, 'mm4'>,
  { mailFrom, rcptTo, bytes }: { mailFrom: string; rcptTo: string[]; bytes: Buffer },
): Promise<number> {
  const connection = new SMTPConnection({ ...mm4, ignoreTLS: true });
  return new Promise<number>((resolve, reject) => {
    connection.on('error', reject);
    connection.connect((failed) => {
      if (failed) return reject(failed);
      connection.send({ from: mailFrom, to: rcptTo }, bytes, (err, info) => {
        const refused = err?.responseCode ?? info?.rejectedErrors?.[0]?.responseCode;
        if (err && refused === undefined) reject(err);
        else resolve(refused ?? 250);
      });
    });
  }).finally(() => connection.close());
}

async function answerMm7(gateway: GatewaySide, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.headers.authorization !== basic(inbound)) throw new Error('wrong credentials');
  const read = readMm7({ contentType: request.headers['content-type'] ?? '', body: Buffer.concat(chunks) });
  if (read.kind === 'malformed') throw new Error(read.detail);
  const { message, dialect } = read;
  gateway.mm7.push(message);
  gateway.dialects.push(dialect);
  const script = gateway.mm7Script.shift() ?? 1000;
  if (script === 'hang') return;
  if (script === 'garbage') return void response.writeHead(200).end('<html>what?</html>');
  if (script < 1000) return void response.writeHead(script).end();
  const { transactionId } = message;
  const status = mm7StatusOf(script);
  const answer: Mm7Written =
    message.type === 'DeliverReq'
      ? { type: 'DeliverRsp', transactionId, status, serviceCode: '' }
      : { type: 'DeliveryReportRsp', transactionId, status };
  const written = writeMm7(answer, { dialect });
  if (written.kind === 'written') response.writeHead(written.httpStatus, written.headers).end(written.body);
}

function smtpOf(gateway: GatewaySide, sandbox: () => Pick<Sandbox, 'mm4'>): SMTPServer {
  return new SMTPServer({
    logger: false,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        const read = readMm4(Buffer.concat(chunks));
        if (read.kind === 'malformed') throw new Error(read.detail);
        const { message } = read;
        gateway.mm4.push(message);
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        gateway.envelopes.push({ from: sender, to: envelope.rcptTo.map(({ address }) => address) });
        const script = gateway.mm4Script.shift() ?? 250;
        if (script === 'hang') return;
        const code = script === 'garbage' ? 250 : script;
        done(code === 250 ? null : Object.assign(new Error('scripted'), { responseCode: code }));
        if (code === 250 && message.type === 'MM4_forward.REQ') respond(gateway, sandbox(), message);
      });
    },
  });
}

function respond(gateway: GatewaySide, sandbox: Pick<Sandbox, 'mm4'>, request: Mm4ForwardReq): void {
  const status = gateway.responses.length > 0 ? gateway.responses.shift()! : 'Ok';
  // The test may have ended by now.
  if (status !== null) void sendMm4(sandbox, responseTo(request, status)).catch(() => {});
}
