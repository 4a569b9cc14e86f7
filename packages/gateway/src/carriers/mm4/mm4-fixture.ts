/** A scripted MM4 carrier on loopback, and a record that points to it. */
import {
  emptyMessage,
  isUnwritable,
  type Mm4ForwardReq,
  type Mm4Message,
  type MmsMessage,
  presentable,
  readMm4,
  responseTo,
  textOf,
  writeMm4,
} from '@heliograph/mms';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { CarrierUnderTest, PeerAnswered, PeerSubmit, ScriptedPeer } from '../carrier.contract.ts';
import type { Carrier } from '../carrier.ts';
import { loadAdapters, recordingSink, tinyPng } from '../carrier-fixture.ts';
import type { CarrierDeps } from '../deps.ts';
import {
  mailPieces,
  type ScriptedSmtp,
  type SmtpMail,
  type SmtpTalk,
  type SmtpTls,
  smtpTalk,
  startScriptedSmtp,
  stuffed,
} from './peer-fixture.ts';
import type { Mm4CarrierRecord, Mm4Profile } from './profile.ts';

const openCarrier = await loadAdapters();

const refusals = {
  never: '550 5.1.1 No such subscriber',
  later: '450 4.2.0 Mailbox busy',
  throttled: '452 4.3.1 Too much',
};

export function mm4Record(port: number, more: Partial<Mm4Profile> = {}): Mm4CarrierRecord {
  return {
    kind: 'mm4',
    carrierId: 'mm4-1',
    environment: 'live',
    name: 'MM4',
    enabled: true,
    mm4: {
      host: '127.0.0.1',
      port,
      tls: 'none',
      tlsVerify: true,
      caCertificate: '',
      username: '',
      password: '',
      domain: 'peer.example',
      ownDomain: 'ours.example',
      version: '6.10.0',
      deliveryReport: true,
      acknowledgement: false,
      ackTimeoutMs: 60_000,
      connections: 4,
      window: 4,
      messagesPerSecond: 0,
      responseTimeoutMs: 10_000,
      mediaBytesMax: 600_000,
      inbound: { host: '127.0.0.1', port: 0, addresses: ['127.0.0.1'], requireTls: false },
      ...more,
    },
  };
}

/** A message of the peer as the bytes of a mail. */
export function mm4Bytes(message: Mm4Message, replyTo = 'mms-system@ours.example'): Buffer {
  const mail = writeMm4(message, {
    ourDomain: 'peer.example',
    peerDomain: 'ours.example',
    date: new Date(1_700_000_000_000),
    replyTo,
  });
  if (isUnwritable(mail)) throw new Error(`${mail.field} ${mail.detail}`);
  return mail.bytes;
}

const defaults = { ackRequest: false, replyTo: '' };

export function deliveryReport(messageId: string, mmStatus: string, more = {}): Mm4Message {
  const who = { recipient: '12025550100', originator: '12025550199', date: null, statusText: '' };
  return {
    type: 'MM4_delivery_report.REQ',
    transactionId: `r-${messageId}`,
    messageId,
    mmStatus,
    ...defaults,
    ...who,
    ...more,
  };
}

export function forwardReq(messageId: string, more: Partial<MmsMessage> = {}, ackRequest = false): Mm4ForwardReq {
  const parts = [
    { contentType: 'image/png', contentId: '', fileName: 'a.png', bytes: tinyPng },
    { contentType: 'text/plain', contentId: '', fileName: 't.txt', bytes: Buffer.from('Yes, £5') },
  ];
  const message = presentable({ ...emptyMessage, from: '12025550100', to: ['12025550199'], parts, ...more });
  return {
    type: 'MM4_forward.REQ',
    transactionId: `t-${messageId}`,
    messageId,
    ...defaults,
    ackRequest,
    hidesSender: false,
    message,
  };
}

/** The header of a plain-text message, for tests that damage it. */
export const plainHeader = (id: string, more = ''): string =>
  [
    'From: +12025550100/TYPE=PLMN',
    'To: +12025550199/TYPE=PLMN',
    'X-Mms-3GPP-MMS-Version: 6.10.0',
    'X-Mms-Message-Type: MM4_forward.REQ',
    `X-Mms-Transaction-ID: "t-${id}"`,
    `X-Mms-Message-ID: "${id}"`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
  ].join('\r\n') + more;

/** Reads a mail of ours; throws on anything that is not MM4. */
export function readMail({ bytes }: Pick<SmtpMail, 'bytes'>): Mm4Message {
  const read = readMm4(bytes);
  if (read.kind === 'malformed') throw new Error(read.detail);
  return read.message;
}

export interface Mm4Scene {
  carrier: Carrier;
  record: Mm4CarrierRecord;
  clock: ReturnType<typeof movedClock>;
  lease: { isHeld: boolean };
  smtp: ScriptedSmtp;
  sink: ReturnType<typeof recordingSink>;
  /** Sends a mail to our listener. */
  mail(message: Mm4Message, envelope?: Parameters<typeof mailPieces>[1]): Promise<SmtpTalk>;
  talk(pieces: readonly (string | Buffer)[], options?: Parameters<typeof smtpTalk>[2]): Promise<SmtpTalk>;
  /** Sends an MM4_forward.RES; with an X-Internal-Status-Code if given. */
  respond(
    to: { transactionId: string; messageId: string },
    status?: Parameters<typeof responseTo>[1],
    vendorCode?: string,
  ): Promise<SmtpTalk>;
  close(): Promise<void>;
}

/** An adapter, not started yet, and its peer. */
export async function mm4Scene(
  more: Partial<Mm4Profile> = {},
  { peerTls, ...deps }: Partial<CarrierDeps> & { peerTls?: SmtpTls & { implicit?: boolean } } = {},
): Promise<Mm4Scene> {
  const clock = movedClock();
  const lease = { isHeld: true };
  const smtp = await startScriptedSmtp(peerTls);
  const record = mm4Record(smtp.port, more);
  const carrier = openCarrier(record, {
    clock,
    mayHandOver: () => lease.isHeld,
    random: steadyRandom(),
    logger: silentLogger,
    ...deps,
  });
  const talk: Mm4Scene['talk'] = (pieces, options) => smtpTalk(carrier.status().listening!.port, pieces, options);
  const mail: Mm4Scene['mail'] = (message, envelope) => talk(mailPieces(stuffed(mm4Bytes(message)), envelope));
  return {
    carrier,
    record,
    clock,
    lease,
    smtp,
    sink: recordingSink(),
    talk,
    mail,
    respond: (to, status = 'Ok', vendorCode = '') => {
      const bytes = mm4Bytes(responseTo({ type: 'MM4_forward.REQ', ...to }, status));
      const vendor = vendorCode === '' ? '' : `X-Internal-Status-Code: ${vendorCode}\r\n`;
      const content = stuffed(Buffer.concat([Buffer.from(vendor), bytes]));
      return talk(mailPieces(content, { to: ['mms-system@ours.example'] }));
    },
    close: async () => {
      const stopped = carrier.stop(0);
      clock.pass(2_000);
      await stopped;
      await smtp.away();
    },
  };
}

/** For the contract: a message is one mail on one connection, and there are as many connections as the window. */
export async function mm4UnderTest(): Promise<CarrierUnderTest> {
  const scene = await mm4Scene();
  const { smtp, clock, lease } = scene;
  /** In MM4 the sender chooses the id; the contract's peer chooses its own. */
  const names = new Map<string, string>();
  const deliver = (message: Mm4Message): PeerAnswered => {
    let code: number | null = null;
    void scene.mail(message).then(({ codes }) => {
      code = codes.at(-1) ?? 0;
    });
    return () => (code === null ? null : code === 250 ? 'taken' : code >= 500 ? 'refused' : 'again_later');
  };
  let count = 0;
  const peer: ScriptedPeer = {
    // Mails on several connections arrive in any order; the contract numbers its messages.
    get submits() {
      return smtp.mails.map((mail) => peerSubmit(mail, names)).sort((a, b) => a.count - b.count);
    },
    connected: () => smtp.sockets.size,
    receipt: ({ carrierMessageId, from, to }, state) =>
      deliver(
        deliveryReport(carrierMessageId, state === 'delivered' ? 'Retrieved' : 'Unreachable', {
          recipient: to,
          originator: from,
        }),
      ),
    text: (from, to, text) => {
      const parts = forwardReq('').message.parts.map((part) =>
        part.contentType === 'text/plain' ? { ...part, bytes: Buffer.from(text) } : part,
      );
      return deliver(forwardReq(`in-${++count}`, { from, to: [to], parts }));
    },
    drop: smtp.drop,
    away: smtp.away,
    back: smtp.back,
  };
  const carrier = renaming(scene.carrier, names);
  return { carrier, peer, clock, lease, responseTimeoutMs: scene.record.mm4.responseTimeoutMs, close: scene.close };
}

function peerSubmit(mail: SmtpMail, names: Map<string, string>): PeerSubmit & { count: number } {
  const request = readMail(mail);
  if (request.type !== 'MM4_forward.REQ') throw new Error(request.type);
  const { from, to, parts } = request.message;
  const media = parts.filter(({ contentType }) => contentType !== 'text/plain');
  return {
    count: Number(request.messageId.replace('msg_', '')),
    from,
    to: to[0]!,
    text: textOf(parts),
    media: media.map(({ contentType, bytes }) => ({ contentType, bytes })),
    accept: (carrierMessageId) => {
      names.set(request.messageId, carrierMessageId);
      mail.answer('250 OK');
    },
    refuse: (how) => mail.answer(refusals[how]),
  };
}

/** The adapter, reporting ids under the peer's names for them. */
function renaming(carrier: Carrier, names: ReadonlyMap<string, string>): Carrier {
  const named = <T extends { carrierMessageId: string }>(part: T): T => ({
    ...part,
    carrierMessageId: names.get(part.carrierMessageId) ?? part.carrierMessageId,
  });
  return {
    ...carrier,
    start: (sink) =>
      carrier.start({
        ...sink,
        results: (results) =>
          sink.results(
            results.map(({ outcome, ...rest }) => ({
              ...rest,
              outcome: { ...outcome, parts: outcome.parts.map(named) },
            })),
          ),
        ready: () => sink.ready(),
        link: (up, detail) => sink.link(up, detail),
        receipts: (receipts) => sink.receipts(receipts),
        inboundMms: (message) => sink.inboundMms(message),
      }),
  };
}
