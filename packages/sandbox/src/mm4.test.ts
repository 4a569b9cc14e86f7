import { connect } from 'node:net';
import type { Mm4DeliveryReportReq, Mm4ForwardReq, Mm4Response } from '@heliograph/mms';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quiet, until } from '../../../test/props/clock.ts';
import type { HandsetMessage } from './handsets.ts';
import { from, picture, type ScriptedGateway, scriptedGateway, sendMail, sendMm4 } from './mms-fixture.ts';

let gateway: ScriptedGateway;
beforeEach(async () => {
  gateway = await scriptedGateway();
});
afterEach(() => gateway.stop());

const phone = '12025550100';
const held = async (number = phone): Promise<HandsetMessage[]> => {
  const found = await gateway.sandbox.handsets.messages(number, { waitMs: 0 });
  return found === 'full' ? [] : found;
};
const responses = (): Mm4Response[] =>
  gateway.mm4.filter((message) => 'requestStatus' in message).filter(({ type }) => type === 'MM4_forward.RES');
const reports = (): Mm4DeliveryReportReq[] =>
  gateway.mm4.filter((message) => message.type === 'MM4_delivery_report.REQ');
const delivered = (): Mm4ForwardReq[] => gateway.mm4.filter((message) => message.type === 'MM4_forward.REQ');
/** The status of the MM4_forward.RES for this number. */
const answerTo = async (to: string): Promise<string> => {
  const before = responses().length;
  expect(await gateway.forward(to)).toBe(250);
  await until(() => responses().length > before);
  return responses()[before]!.requestStatus;
};

describe('test numbers over MM4', () => {
  it('0100: answered with Ok, delivered after 0.4 s, and the picture is on the handset', async () => {
    expect(await answerTo(phone)).toBe('Ok');
    expect(responses()).toMatchObject([{ transactionId: 'tx-1', messageId: 'msg-1' }]);
    expect(await held()).toEqual([]);
    gateway.clock.pass(399);
    await quiet();
    expect(reports()).toEqual([]);
    gateway.clock.pass(1);
    await until(() => reports().length === 1);
    const report = { messageId: 'msg-1', recipient: phone, originator: from, mmStatus: 'Retrieved', ackRequest: false };
    expect(reports()).toMatchObject([report]);
    expect(gateway.envelopes).toEqual([
      { from: 'mms-system@mms.sandbox.example', to: ['mms-system@mms.gateway.example'] },
      { from: 'mms-system@mms.sandbox.example', to: [`+${from}/TYPE=PLMN@mms.gateway.example`] },
    ]);
    const [message] = await held();
    expect(message).toMatchObject({ kind: 'MMS', via: 'mm4', from, subject: 'Sunday', text: 'Look, grüße' });
    const { mediaId } = message!.media[0]!;
    expect(gateway.sandbox.handsets.medium(phone, mediaId)).toEqual({
      contentType: 'image/png',
      fileName: 'sun_1.png',
      bytes: picture.bytes,
    });
  });

  it.each([
    ['12025550110', 30_000, 'Retrieved'],
    ['12025550111', 400, 'Unreachable'],
    ['12025550112', 60_000, 'Expired'],
    ['12025550114', 400, 'Rejected'],
    ['12025550125', 400, 'NotSupported'],
  ])('%s: after %i ms %s', async (number, afterMs, mmStatus) => {
    expect(await answerTo(number)).toBe('Ok');
    gateway.clock.pass(afterMs);
    await until(() => reports().length === 1);
    expect(reports()).toMatchObject([{ messageId: 'msg-1', mmStatus }]);
    expect(await held(number)).toHaveLength(mmStatus === 'Retrieved' ? 1 : 0);
  });

  it('0113 rejects with its RES, 0122 does not even read it', async () => {
    expect(await answerTo('12025550113')).toBe('Error-service-denied');
    expect(await gateway.forward('12025550122')).toBe(552);
    await quiet();
    expect(gateway.mm4).toHaveLength(1);
  });

  it('0115: a RES, and never a report', async () => {
    expect(await answerTo('12025550115')).toBe('Ok');
    gateway.clock.pass(3_600_000);
    await quiet();
    expect(gateway.mm4).toHaveLength(1);
    expect(await held('12025550115')).toHaveLength(1);
  });

  it('0116: busy twice, then delivered', async () => {
    const answers = [await answerTo('12025550116'), await answerTo('12025550116'), await answerTo('12025550116')];
    expect(answers).toEqual(['Error-network-problem', 'Error-network-problem', 'Ok']);
  });

  it('0117: the same report twice', async () => {
    await answerTo('12025550117');
    gateway.clock.pass(400);
    await until(() => reports().length === 2);
    expect(await held('12025550117')).toHaveLength(1);
  });

  it('0121: the report before the RES', async () => {
    expect(await gateway.forward('12025550121')).toBe(250);
    gateway.clock.pass(0);
    await until(() => reports().length === 1);
    expect(responses()).toEqual([]);
    gateway.clock.pass(200);
    await until(() => responses().length === 1);
  });

  it('a peer that requests no RES gets the result by SMTP', async () => {
    const wants = { ackRequest: false };
    expect(await gateway.forward(phone, wants)).toBe(250);
    expect(await gateway.forward('12025550113', wants)).toBe(550);
    expect(await gateway.forward('12025550116', wants)).toBe(451);
    expect(await gateway.forward('12025550122', wants)).toBe(552);
    await quiet();
    expect(gateway.mm4).toEqual([]);
  });

  it('no report unless requested', async () => {
    expect(await gateway.forward(phone, {}, { deliveryReport: false })).toBe(250);
    gateway.clock.pass(1_000);
    await until(() => responses().length === 1);
    await quiet();
    expect(gateway.mm4).toHaveLength(1);
    expect(await held()).toHaveLength(1);
  });
});

describe('the MM4 server', () => {
  const handset = `+${phone}/TYPE=PLMN@mms.sandbox.example`;
  const mail = (rcptTo: string[], bytes = Buffer.from('Subject: no MM4\r\n\r\n')) =>
    sendMail(gateway.sandbox, { mailFrom: 'mms-system@mms.gateway.example', rcptTo, bytes });

  it.each([
    ['another domain', `+${phone}/TYPE=PLMN@mms.elsewhere.example`],
    ['a mailbox that is no handset', 'someone@mms.sandbox.example'],
  ])('takes nothing for %s', async (_what, recipient) => {
    expect(await mail([recipient])).toBe(550);
  });

  it('accepts one recipient at a time', async () => {
    const other = '+12025550101/TYPE=PLMN@mms.sandbox.example';
    expect(await mail([handset, other])).toBe(554);
    const { mm4 } = gateway.sandbox;
    const received: string[] = [];
    const commands = ['EHLO a', 'MAIL FROM:<a@b.example>', `RCPT TO:<${handset}>`, `RCPT TO:<${other}>`, 'QUIT'];
    const socket = connect(mm4.port, mm4.host);
    socket.setEncoding('utf8').on('data', (text: string) => received.push(text));
    socket.once('data', () => socket.write(commands.map((command) => `${command}\r\n`).join('')));
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    expect(received.join('')).toMatch(/250 .*\r\n452 4\.5\.3/);
  });

  it.each([
    ['mail of the internet', 'Subject: hi\r\n\r\nhello\r\n'],
    ['no type', 'X-Mms-Message-ID: "a"\r\nX-Mms-Transaction-ID: "b"\r\n\r\n'],
    ['a bare line feed', 'X-Mms-Message-Type: MM4_forward.REQ\nX-Mms-Transaction-ID: b\n\n.\n'],
    ['nothing', ''],
  ])('refuses %s', async (_what, bytes) => {
    expect(await sendMm4(gateway.sandbox, Buffer.from(bytes))).toBe(554);
    await quiet();
    expect(gateway.mm4).toEqual([]);
  });

  it('refuses a message that is too large', async () => {
    const line = `${'x'.repeat(70)}\r\n`;
    expect(await sendMm4(gateway.sandbox, Buffer.from(line.repeat(120_000)))).toBe(552);
  });

  it('answers requests it does not know with a RES', async () => {
    const report = { messageId: 'm', transactionId: 'tx', ackRequest: true, replyTo: '', date: null, statusText: '' };
    const addresses = { recipient: from, originator: phone };
    const read = { type: 'MM4_read_reply_report.REQ', readStatus: 'Read', ...report, ...addresses } as const;
    expect(await sendMm4(gateway.sandbox, read)).toBe(250);
    await until(() => gateway.mm4.length === 1);
    expect(gateway.mm4[0]).toMatchObject({
      type: 'MM4_read_reply_report.RES',
      requestStatus: 'Error-unsupported-message',
    });
  });

  it('accepts an unexpected RES', async () => {
    const stray = { type: 'MM4_forward.RES', transactionId: 'tx', messageId: 'm', requestStatus: 'Ok' } as const;
    expect(await sendMm4(gateway.sandbox, { ...stray, statusText: '', vendorCode: '' })).toBe(250);
  });
});

describe('a reply with pictures over MM4', () => {
  const media = [{ contentType: 'image/jpeg', fileName: 'a.jpg', bytes: Buffer.from('ffd8ff', 'hex') }];
  const reply = () => gateway.sandbox.handsets.reply(phone, { text: 'Hi', to: from, media, via: 'mm4' });

  const comes = (count: number) => until(() => delivered().length === count);
  const nothingMore = async (): Promise<void> => {
    expect(await gateway.idle()).toEqual([]);
  };

  it('is sent as handsets send it, over the protocol of the last MMS', async () => {
    await answerTo(phone);
    gateway.clock.pass(400);
    await until(() => reports().length === 1);
    expect(gateway.sandbox.handsets.reply(phone, { text: 'Hi', media })).toMatchObject({ to: from, via: 'mm4' });
    await comes(1);
    const { message, ackRequest } = delivered()[0]!;
    expect(ackRequest).toBe(true);
    expect(message).toMatchObject({ from: phone, to: [from], smil: expect.stringContaining('<par') });
    expect(message.parts.map(({ fileName, bytes }) => [fileName, bytes.toString('hex')])).toEqual([
      ['a.jpg', 'ffd8ff'],
      ['text.txt', '4869'],
    ]);
    expect(gateway.envelopes.at(-1)).toEqual({
      from: `+${phone}/TYPE=PLMN@mms.sandbox.example`,
      to: [`+${from}/TYPE=PLMN@mms.gateway.example`],
    });
  });

  it.each([
    [
      'does not take it now',
      () => {
        gateway.mm4Script = [451];
      },
    ],
    [
      'says later in its RES',
      () => {
        gateway.responses = ['Error-network-problem'];
      },
    ],
  ])('comes again with the same ids when the gateway %s', async (_what, prepare) => {
    prepare();
    reply();
    await comes(1);
    await gateway.elapse(1_000);
    await comes(2);
    await nothingMore();
    const ids = delivered().map(({ transactionId, messageId }) => `${transactionId} ${messageId}`);
    expect(ids).toHaveLength(2);
    expect(ids[1]).toBe(ids[0]);
  });

  it.each([
    [
      'by SMTP',
      () => {
        gateway.mm4Script = [550];
      },
    ],
    [
      'by its RES',
      () => {
        gateway.responses = ['Error-content-not-accepted'];
      },
    ],
  ])('comes once when the gateway ends it %s', async (_what, prepare) => {
    prepare();
    reply();
    await comes(1);
    await nothingMore();
    expect(delivered()).toHaveLength(1);
  });

  it('is sent once when no RES comes', async () => {
    gateway.responses = [null];
    reply();
    await comes(1);
    await gateway.elapse(10_000);
    await nothingMore();
    expect(delivered()).toHaveLength(1);
  });

  it('is sent again when the gateway hangs, until the sandbox stops', async () => {
    gateway.mm4Script = ['hang', 'hang'];
    reply();
    await comes(1);
    await gateway.elapse(15_000);
    await gateway.elapse(1_000);
    await comes(2);
  });

  it('waits for a gateway without an address', async () => {
    gateway.reachable = false;
    reply();
    await gateway.elapse(1_000);
    await gateway.idle();
    expect(delivered()).toEqual([]);
    gateway.reachable = true;
    await gateway.elapse(2_000);
    await comes(1);
  });
});
