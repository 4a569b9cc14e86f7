/** What our MM4 port accepts, from whom, and how it answers, over real sockets. */
import { createServer } from 'node:net';
import type { Mm4Message } from '@heliograph/mms';
import { afterEach, describe, expect, it } from 'vitest';
import { quiet, until, untilPassing } from '../../../../../test/props/clock.ts';
import { otherCertificate, otherKey, testCertificate, testKey } from '../../http/tls-fixture.ts';
import { boundedId } from '../../model/carrier-id.ts';
import { deliveryReport, forwardReq, type Mm4Scene, mm4Bytes, mm4Scene, plainHeader, readMail } from './mm4-fixture.ts';
import { mailPieces, smtpTalk, stuffed } from './peer-fixture.ts';

let scene: Mm4Scene | null = null;
afterEach(async () => {
  await scene?.close();
  scene = null;
});

async function started(...[more, deps]: Parameters<typeof mm4Scene>): Promise<Mm4Scene> {
  scene = await mm4Scene({ connections: 1, ...more }, deps);
  const { carrier, sink, smtp } = scene;
  smtp.atOnce = '250 OK';
  carrier.start(sink);
  await until(() => carrier.status().up && carrier.status().listening != null);
  return scene;
}

const inbound = { host: '127.0.0.1', port: 0, addresses: ['127.0.0.1'], requireTls: false };
const own = '+12025550199/TYPE=PLMN@ours.example';
const bytesOfForward = (id: string) => stuffed(mm4Bytes(forwardReq(id)));

describe('who may send', () => {
  it.each([
    [['127.0.0.1'], true],
    [['127.0.0.0/8'], true],
    [['10.0.0.0/8', '::1', '127.0.0.1/32'], true],
    [['::ffff:127.0.0.1'], true],
    [[], false],
    [['10.0.0.0/8'], false],
    [['127.0.0.2'], false],
    [['::/0'], false],
    [['not an address', '127.0.0.1/99'], false],
  ])('%j: %s', async (addresses, isLetIn) => {
    const { talk } = await started({ inbound: { ...inbound, addresses } });
    const { codes } = await talk(['EHLO x.example\r\n']);
    expect(codes).toEqual(isLetIn ? [220, 250] : [554]);
  });

  it('a mail for somebody else is not relayed', async () => {
    const { talk, sink } = await started();
    const to = ['x@elsewhere.example', '+12025550199/TYPE=PLMN@ours.example.evil', 'x%elsewhere.example@peer.example'];
    const { codes } = await talk(mailPieces(bytesOfForward('a'), { to }));
    expect(codes.slice(0, 7)).toEqual([220, 250, 250, 550, 550, 550, 503]);
    expect(sink.mms).toEqual([]);
  });

  it.each([
    '+12025550199/TYPE=PLMN@ours.example',
    '12025550199/type=plmn@OURS.example',
    '+12025550199/TYPE=PLMN',
    '47711/TYPE=PLMN@ours.example',
    'mms-system@ours.example',
  ])('%s is ours', async (recipient) => {
    const { talk } = await started();
    const { codes } = await talk(mailPieces(bytesOfForward('a'), { to: [recipient] }));
    expect(codes).toEqual([220, 250, 250, 250, 354, 250]);
  });

  it('a mail without a sender is taken or refused by its content, and never bounced', async () => {
    const { talk, smtp } = await started();
    const { codes } = await talk(mailPieces('Subject: Undelivered Mail\r\n\r\nHi\r\n.\r\n', { from: '' }));
    expect(codes.at(-1)).toBe(554);
    await quiet();
    expect(smtp.mails).toEqual([]);
  });

  it('commands that reveal or change addresses are refused', async () => {
    const { talk } = await started();
    const commands = ['AUTH PLAIN AGEAYg==', 'VRFY root', 'XCLIENT ADDR=10.0.0.1', 'STARTTLS', 'WIZ', 'BDAT 5 LAST'];
    const { codes, text } = await talk(['EHLO x.example\r\n', ...commands.map((line) => `${line}\r\n`)]);
    expect(codes.slice(2)).toEqual(commands.map(() => 500));
    expect(text).not.toMatch(/AUTH|STARTTLS|SMTPUTF8|XCLIENT/);
  });
});

describe('TLS', () => {
  const tls = { cert: testCertificate, key: testKey };
  const ca = { ca: testCertificate, servername: 'localhost' };

  it('is offered, and then everything goes on inside', async () => {
    const { talk, sink } = await started({ inbound: { ...inbound, requireTls: true } }, { tls });
    const pieces = ['EHLO x.example\r\n', 'STARTTLS\r\n', ...mailPieces(bytesOfForward('a'))];
    const { codes, text } = await talk(pieces, { tls: ca });
    expect(text).toContain('STARTTLS');
    expect(codes).toEqual([220, 250, 220, 250, 250, 250, 354, 250]);
    expect(sink.mms).toHaveLength(1);
  });

  it('is offered with the certificate that is served now, from the next session on', async () => {
    const renewed = { cert: otherCertificate, key: otherKey };
    const live = { ...renewed };
    const { talk } = await started({}, { tls: live });
    const pieces = ['EHLO x.example\r\n', 'STARTTLS\r\n', 'EHLO x.example\r\n'];
    expect((await talk(pieces, { tls: ca })).codes).toEqual([220, 250, 220]);
    Object.assign(live, tls);
    expect((await talk(pieces, { tls: ca })).codes).toEqual([220, 250, 220, 250]);
  });

  it('is required before the first mail where the profile says so', async () => {
    const { talk, sink } = await started({ inbound: { ...inbound, requireTls: true } }, { tls });
    const { codes } = await talk(mailPieces(bytesOfForward('a')));
    expect(codes.slice(0, 4)).toEqual([220, 250, 530, 503]);
    expect(sink.mms).toEqual([]);
  });

  it('commands sent along with STARTTLS are forgotten', async () => {
    const { talk, sink } = await started({}, { tls });
    const injected = `STARTTLS\r\n${mailPieces(bytesOfForward('a')).join('')}`;
    await talk(['EHLO x.example\r\n', injected]);
    await quiet();
    expect(sink.mms).toEqual([]);
  });

  it('a peer that does not trust it leaves, and others are served', async () => {
    const { talk, sink } = await started({}, { tls });
    const pieces = ['EHLO x.example\r\n', 'STARTTLS\r\n', ...mailPieces(bytesOfForward('a'))];
    const { codes } = await talk(pieces, { tls: { ca: otherCertificate } });
    expect(codes).toEqual([220, 250, 220]);
    expect((await talk(mailPieces(bytesOfForward('b')))).codes.at(-1)).toBe(250);
    expect(sink.mms).toHaveLength(1);
  });
});

describe('limits', () => {
  it('20 recipients', async () => {
    const { talk } = await started();
    const to = Array.from({ length: 22 }, (_, i) => `+120255501${10 + i}/TYPE=PLMN@ours.example`);
    const { codes } = await talk(mailPieces(bytesOfForward('a'), { to }));
    expect(codes.filter((code) => code === 452)).toHaveLength(2);
  });

  it('10 MB, by the announced SIZE and by the received bytes: refused for now', async () => {
    const { talk, sink } = await started();
    const replies = await talk(['EHLO x.example\r\n', 'MAIL FROM:<a@peer.example> SIZE=10485761\r\n']);
    expect(replies.text).toMatch(/250[- ]SIZE\r\n/);
    expect(replies.codes.at(-1)).toBe(452);
    const line = `${'x'.repeat(70)}\r\n`;
    const sent = await talk(mailPieces(line.repeat(150_000)));
    expect(sent.codes.at(-1)).toBe(452);
    expect(sink.mms).toEqual([]);
  });

  it('of a message and of a part as they are set: refused for now, and taken once there is room', async () => {
    const { talk, sink } = await started({}, { inboundMms: { messageBytesMax: 200_000, partBytesMax: 20_000 } });
    const withPart = (id: string, size: number) => {
      const forward = forwardReq(id);
      const part = { contentType: 'audio/amr', contentId: 'a', fileName: 'a.amr', bytes: Buffer.alloc(size, 1) };
      return stuffed(mm4Bytes({ ...forward, message: { ...forward.message, smil: null, parts: [part] } }));
    };
    const part = await talk(mailPieces(withPart('a', 20_001)));
    expect(part.codes.at(-1)).toBe(452);
    expect(part.text).toContain('a part of over 20000 bytes');
    const whole = await talk(mailPieces(withPart('b', 190_000)));
    expect(whole.codes.at(-1)).toBe(452);
    expect(whole.text).toContain('a mail of over 200000 bytes');
    expect(sink.mms).toEqual([]);
    expect((await talk(mailPieces(withPart('a', 20_000)))).codes.at(-1)).toBe(250);
    expect(sink.mms[0]!.media[0]!.bytes.length).toBe(20_000);
  });

  it('a command line of 2 kB', async () => {
    const { talk } = await started();
    expect(await talk(['EHLO x.example\r\n', `MAIL FROM:<${'a'.repeat(3_000)}\r\n`])).toMatchObject({
      codes: [220, 250, 421],
      closed: true,
    });
  });

  it('a peer that goes in the middle of a mail has sent none, and one that is too slow is closed', async () => {
    const { talk, sink, clock, carrier } = await started();
    const { port } = carrier.status().listening!;
    const halves = mailPieces('X-Mms: half').slice(0, -1);
    const slow = smtpTalk(port, [...halves, 'half of a line']);
    await until(() => clock.timers() > 1);
    clock.pass(600_000);
    expect((await slow).codes.at(-1)).toBe(421);
    expect((await talk(mailPieces(bytesOfForward('b')))).codes.at(-1)).toBe(250);
    expect(sink.mms.map(({ peerMessageId }) => peerMessageId)).toEqual(['b']);
  });
});

describe('a message from a handset', () => {
  it('goes to the recipients of the envelope, else to those of the header', async () => {
    const { mail, sink } = await started();
    const group = forwardReq('a', { to: ['12025550199', '12025550100'], cc: ['12025550198'] });
    await mail(group, { to: ['+12025550199/TYPE=PLMN@ours.example', '+12025550198/TYPE=PLMN@ours.example'] });
    await mail(group, { to: ['mms-system@ours.example'] });
    expect(sink.mms.map(({ to }) => to)).toEqual([
      ['12025550199', '12025550198'],
      ['12025550199', '12025550100', '12025550198'],
    ]);
  });

  it('is acknowledged after it is stored, with a RES to the requesting system', async () => {
    const { mail, sink, smtp } = await started();
    let stored = (): void => {};
    sink.storing = () => new Promise((resolve) => (stored = resolve));
    let code = 0;
    const sending = mail(forwardReq('a', {}, true)).then(({ codes }) => (code = codes.at(-1)!));
    await until(() => sink.mms.length === 1);
    await quiet();
    expect([code, smtp.mails.length]).toEqual([0, 0]);
    stored();
    await sending;
    expect(code).toBe(250);
    await until(() => smtp.mails.length === 1);
    expect(smtp.mails[0]).toMatchObject({ mailFrom: 'mms-system@ours.example', rcptTo: ['mms-system@peer.example'] });
    expect(readMail(smtp.mails[0]!)).toMatchObject({
      type: 'MM4_forward.RES',
      transactionId: 't-a',
      messageId: 'a',
      requestStatus: 'Ok',
    });
  });

  it('that could not be stored is to come again, without a RES', async () => {
    const { mail, sink, smtp } = await started();
    sink.storing = () => Promise.reject(new Error('disk full'));
    expect((await mail(forwardReq('a', {}, true))).codes.at(-1)).toBe(451);
    await quiet();
    expect(smtp.mails).toEqual([]);
  });

  it('comes again under the same id', async () => {
    const { mail, sink } = await started();
    for (let i = 0; i < 2; i++) expect((await mail(forwardReq('a'))).codes.at(-1)).toBe(250);
    expect(sink.mms.map(({ peerMessageId }) => peerMessageId)).toEqual(['a', 'a']);
  });
});

describe('addresses of other systems', () => {
  const from = async (line: string) => {
    const { talk, sink } = await started();
    const header = plainHeader('a').replace('From: +12025550100/TYPE=PLMN', `From: ${line}`);
    const { codes } = await talk(mailPieces(`${header}\r\nSTOP\r\n.\r\n`));
    return { code: codes.at(-1), mms: sink.mms };
  };

  it.each([
    ['+12025550123@mms.carrier.example', '12025550123'],
    ['12025550123@mms.carrier.example', '12025550123'],
    ['72345@mms.carrier.example', '72345'],
    ['"Doe, Jane (work)" <+12025550123@mms.carrier.example>', '12025550123'],
    ['+12025550123/TYPE=PLMN@mms.carrier.example (Doe, Jane)', '12025550123'],
    ['Jane Doe <jane@mail.example>', 'jane@mail.example'],
  ])('From: %s', async (line, sender) => {
    const { code, mms } = await from(line);
    expect(code).toBe(250);
    expect(mms).toMatchObject([{ from: sender, text: 'STOP\n' }]);
  });

  it.each(['Friends: +12025550123, +12025550124;', '"Doe <+12025550123>', 'Jane'])(
    'From: %s is refused',
    async (line) => {
      const { code, mms } = await from(line);
      expect([code, mms]).toEqual([554, []]);
    },
  );

  it('all of a group are handed on', async () => {
    const { mail, sink } = await started();
    const to = ['12025550199', '14155550101'];
    await mail(forwardReq('g', { to, cc: ['14155550102'], subject: 'Dinner' }), { to: [own] });
    expect(sink.mms).toMatchObject([{ to: ['12025550199'], participants: [...to, '14155550102'], subject: 'Dinner' }]);
  });

  it('a system with a display name gets its RES', async () => {
    const { talk, smtp } = await started();
    const system = 'X-Mms-Originator-System: "Carrier, MMSC" <mms@mmsc.example>\r\nX-Mms-Ack-Request: Yes\r\n';
    await talk(mailPieces(`${system}${plainHeader('a')}\r\nHi\r\n.\r\n`));
    await until(() => smtp.mails.length === 1);
    expect(smtp.mails[0]!.rcptTo).toEqual(['mms@mmsc.example']);
  });
});

describe('the delivery report that a message requests', () => {
  const reportRequest = () => forwardReq('d-1', { deliveryReport: true });

  it('says that it is here, to its sender, once it is stored', async () => {
    const { mail, sink, smtp } = await started();
    sink.storing = () => Promise.reject(new Error('disk full'));
    await mail(reportRequest(), { to: [own] });
    sink.storing = async () => {};
    await quiet();
    expect(smtp.mails).toEqual([]);
    await mail(reportRequest(), { to: [own] });
    await until(() => smtp.mails.length === 1);
    const [report] = smtp.mails;
    expect(report!.rcptTo).toEqual(['+12025550100/TYPE=PLMN@peer.example']);
    expect(readMail(report!)).toMatchObject({
      type: 'MM4_delivery_report.REQ',
      messageId: 'd-1',
      mmStatus: 'Retrieved',
      ackRequest: false,
      recipient: '12025550199',
      originator: '12025550100',
    });
    // A repeated message is reported under the same transaction.
    await mail(reportRequest(), { to: [own] });
    await until(() => smtp.mails.length === 2);
    expect(readMail(smtp.mails[1]!).transactionId).toBe(readMail(report!).transactionId);
  });

  it('is sent for each recipient of the envelope, and for none that does not ask', async () => {
    const { mail, smtp } = await started();
    await mail(forwardReq('no', { readReply: true }), { to: [own] });
    await mail(reportRequest(), { to: [own, '+12025550190/TYPE=PLMN@ours.example'] });
    await until(() => smtp.mails.length === 2);
    await quiet();
    const recipients = smtp.mails.map(readMail).map((report) => 'recipient' in report && report.recipient);
    expect(recipients.sort()).toEqual(['12025550190', '12025550199']);
  });

  it('is tried again while it is refused for now, five times, and holds nothing up', async () => {
    const { mail, smtp, clock } = await started();
    smtp.atOnce = '451 4.3.0 Later';
    expect((await mail(reportRequest(), { to: [own] })).codes.at(-1)).toBe(250);
    for (const [i, waitMs] of [0, 1_000, 5_000, 30_000, 120_000].entries()) {
      clock.pass(waitMs);
      await until(() => smtp.mails.length === i + 1);
      await quiet();
    }
    clock.pass(600_000);
    await quiet();
    expect(smtp.mails).toHaveLength(5);
  });

  it('is not sent to a mail address, which no carrier delivers', async () => {
    const { talk, smtp, sink } = await started();
    const header = plainHeader('a', '').replace('+12025550100/TYPE=PLMN', 'jane@mail.example');
    await talk(mailPieces(`X-Mms-Delivery-Report: Yes\r\n${header}\r\nHi\r\n.\r\n`));
    await quiet();
    expect(sink.mms).toHaveLength(1);
    expect(smtp.mails).toEqual([]);
  });
});

describe('the read report that a message requests', () => {
  const read = { carrier: 'mmsc', peerMessageId: 'r-1', from: '12025550100', to: '12025550199' };

  it('is requested by the message, and sent when somebody has read it', async () => {
    const { mail, sink, smtp, carrier } = await started();
    await mail(forwardReq('r-1', { readReply: true }), { to: [own] });
    await mail(forwardReq('r-2'), { to: [own] });
    expect(sink.mms.map(({ asksReadReport }) => asksReadReport)).toEqual([true, undefined]);
    await quiet();
    expect(smtp.mails).toEqual([]);
    carrier.reportRead!(read);
    await until(() => smtp.mails.length === 1);
    expect(smtp.mails[0]!.rcptTo).toEqual(['+12025550100/TYPE=PLMN@peer.example']);
    expect(readMail(smtp.mails[0]!)).toMatchObject({
      type: 'MM4_read_reply_report.REQ',
      messageId: 'r-1',
      readStatus: 'Read',
      recipient: '12025550199',
      originator: '12025550100',
    });
  });

  it('is not sent where the record says so', async () => {
    const { carrier } = await started({ readReports: false });
    expect(carrier.reportRead).toBeUndefined();
  });
});

describe('the RES we owe', () => {
  it('is tried again while it is refused for now, five times', async () => {
    const { mail, smtp, clock } = await started();
    smtp.atOnce = '450 Not now';
    await mail(forwardReq('a', {}, true));
    for (const [i, waitMs] of [0, 1_000, 5_000, 30_000, 120_000].entries()) {
      clock.pass(waitMs);
      await until(() => smtp.mails.length === i + 1);
      await quiet();
    }
    clock.pass(600_000);
    await quiet();
    expect(smtp.mails).toHaveLength(5);
  });

  it('is let go when it is refused for good', async () => {
    const { mail, smtp, clock } = await started();
    smtp.atOnce = '550 No';
    await mail(forwardReq('a', {}, true));
    await until(() => smtp.mails.length === 1);
    await untilPassing(clock, () => clock.now() > 1_700_000_200_000, 1_000);
    expect(smtp.mails).toHaveLength(1);
  });

  it('goes to the sender of the envelope when the mail names no system, and nowhere when there is none', async () => {
    const { talk, smtp } = await started();
    const anonymous = mm4Bytes(forwardReq('a', {}, true))
      .toString('latin1')
      .replaceAll(/^(Sender|X-Mms-Orig\S+):.*\r\n/gm, '');
    await talk(mailPieces(stuffed(Buffer.from(anonymous, 'latin1')), { from: '' }));
    await talk(mailPieces(stuffed(Buffer.from(anonymous, 'latin1')), { from: 'relay@peer.example' }));
    await until(() => smtp.mails.length === 1);
    await quiet();
    expect(smtp.mails.map(({ rcptTo }) => rcptTo)).toEqual([['relay@peer.example']]);
  });

  it('does not keep stop waiting while the peer is away', async () => {
    const { mail, smtp, carrier } = await started();
    smtp.hangsAt.add('RSET');
    await smtp.away();
    await until(() => !carrier.status().up);
    await mail(forwardReq('a', {}, true));
    await carrier.stop(60_000);
    await smtp.back();
  });
});

describe('reports', () => {
  it.each([
    ['Retrieved', 'delivered', 'DELIVERED'],
    ['Expired', 'undelivered', 'EXPIRED'],
    ['Rejected', 'undelivered', 'CARRIER_REJECTED'],
    ['Forwarded', 'interim', null],
    ['Deferred', 'interim', null],
    ['Indeterminate', 'interim', null],
    ['Unrecognised', 'interim', null],
    ['something else', 'interim', null],
  ])('%s is %s', async (word, state, code) => {
    const { mail, sink } = await started();
    const report = deliveryReport('msg_A1', word, { statusText: 'Zustellung läuft', ackRequest: true });
    expect((await mail(report)).codes.at(-1)).toBe(250);
    expect(sink.receiptBatches).toMatchObject([
      [{ carrier: 'mm4-1', carrierMessageId: 'msg_A1', idKeys: ['msg_a1'], to: '12025550100', state, code }],
    ]);
    expect(sink.receiptBatches[0]![0]!.carrierCode).toBe(`${word} Zustellung läuft`);
    await until(() => scene!.smtp.mails.length === 1);
    expect(readMail(scene!.smtp.mails[0]!)).toMatchObject({ type: 'MM4_delivery_report.RES', requestStatus: 'Ok' });
  });

  const ours = ['"msg_A1"', '<msg_A1>', 'msg_A1', '"<msg_A1>"', 'msg_A1@ours.example', '<msg_A1@OURS.example>'];
  const longId = 'i'.repeat(900);
  it.each<[string, string]>([
    ...ours.map((written): [string, string] => [written, 'msg_A1']),
    [longId, boundedId(longId)],
  ])('name an id as %s', async (written, id) => {
    const { talk, sink } = await started();
    const bytes = mm4Bytes(deliveryReport('ID', 'Retrieved')).toString('latin1').replace('"ID"', written);
    await talk(mailPieces(stuffed(Buffer.from(bytes, 'latin1'))));
    expect(sink.receiptBatches[0]).toMatchObject([{ carrierMessageId: id, idKeys: [id.toLowerCase()] }]);
  });

  it('of reading are acknowledged and not reported further', async () => {
    const { mail, sink, smtp } = await started();
    const who = { recipient: '12025550100', originator: '12025550199', date: null, statusText: '', replyTo: '' };
    const report: Mm4Message = {
      type: 'MM4_read_reply_report.REQ',
      transactionId: 'r',
      messageId: 'm',
      ackRequest: true,
      readStatus: 'Read',
      ...who,
    };
    expect((await mail(report)).codes.at(-1)).toBe(250);
    await until(() => smtp.mails.length === 1);
    expect(readMail(smtp.mails[0]!)).toMatchObject({ type: 'MM4_read_reply_report.RES', requestStatus: 'Ok' });
    expect(sink.order).toEqual([]);
  });
});

describe('the port', () => {
  it('is reported, and closed by stop', async () => {
    const { carrier } = await started();
    const { port, host } = carrier.status().listening!;
    expect(host).toBe('127.0.0.1');
    await carrier.stop(0);
    expect(carrier.status().listening).toBeNull();
    expect((await smtpTalk(port, [])).codes).toEqual([]);
  });

  it('that is taken is tried again; until then nothing that needs a RES is sent', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    );
    scene = await mm4Scene({ acknowledgement: true, inbound: { ...inbound, port } });
    const { carrier, sink, clock } = scene;
    carrier.start(sink);
    await until(() => carrier.status().binds.every(({ state }) => state === 'reachable'));
    expect(carrier.status()).toMatchObject({ up: false, listening: null });
    expect(carrier.capacity()).toBe(0);
    await new Promise((resolve) => other.close(resolve));
    await untilPassing(clock, () => carrier.status().up, 1_000);
    expect(sink.links.at(-1)).toMatchObject({ up: true });
  });
});
