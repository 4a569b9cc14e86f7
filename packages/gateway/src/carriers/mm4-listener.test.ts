/** What our MM4 port takes, from whom, and what it answers, over real sockets. */
import { createServer } from 'node:net';
import type { Mm4Message } from '@heliograph/mms';
import { afterEach, describe, expect, it } from 'vitest';
import { otherCertificate, testCertificate, testKey } from '../http/tls-fixture.ts';
import { quiet, until, untilPassing } from './carrier-fixture.ts';
import { deliveryReport, forwardReq, type Mm4Scene, mm4Bytes, mm4Scene, readMail } from './mm4-fixture.ts';
import { mailPieces, smtpTalk, stuffed } from './mm4-peer-fixture.ts';

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

  it('commands that tell or change who somebody is are not there', async () => {
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

  it('is asked for before the first mail where the profile says so', async () => {
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

  it('10 MB, by the SIZE that is told and by what comes', async () => {
    const { talk, sink } = await started();
    const told = await talk(['EHLO x.example\r\n', 'MAIL FROM:<a@peer.example> SIZE=10485761\r\n']);
    expect(told.text).toContain('SIZE 10485760');
    expect(told.codes.at(-1)).toBe(552);
    const line = `${'x'.repeat(70)}\r\n`;
    const sent = await talk(mailPieces(line.repeat(150_000)));
    expect(sent.codes.at(-1)).toBe(552);
    expect(sink.mms).toEqual([]);
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
  it('is for those of the envelope, else for those of the header', async () => {
    const { mail, sink } = await started();
    const group = forwardReq('a', { to: ['12025550199', '12025550100'], cc: ['12025550198'] });
    await mail(group, { to: ['+12025550199/TYPE=PLMN@ours.example', '+12025550198/TYPE=PLMN@ours.example'] });
    await mail(group, { to: ['mms-system@ours.example'] });
    expect(sink.mms.map(({ to }) => to)).toEqual([
      ['12025550199', '12025550198'],
      ['12025550199', '12025550100', '12025550198'],
    ]);
  });

  it('is acknowledged after it is stored, with a RES to the system that asked', async () => {
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

  it.each(['"msg_A1"', '<msg_A1>', 'msg_A1', '"<msg_A1>"', 'msg_A1@ours.example', '<msg_A1@OURS.example>'])(
    'name our id as %s',
    async (written) => {
      const { talk, sink } = await started();
      const bytes = mm4Bytes(deliveryReport('ID', 'Retrieved')).toString('latin1').replace('"ID"', written);
      await talk(mailPieces(stuffed(Buffer.from(bytes, 'latin1'))));
      expect(sink.receiptBatches[0]).toMatchObject([{ carrierMessageId: 'msg_A1', idKeys: ['msg_a1'] }]);
    },
  );

  it('that somebody read it are acknowledged and told to nobody', async () => {
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
  it('is told, and closed by stop', async () => {
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
