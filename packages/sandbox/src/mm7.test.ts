import { type Mm7DeliverReq, type Mm7DeliveryReportReq, mm7Dialect } from '@heliograph/mms';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quiet, until } from '../../../test/props/clock.ts';
import type { HandsetMessage } from './handsets.ts';
import { from, picture, postMm7, type ScriptedGateway, scriptedGateway, submitReq } from './mms-fixture.ts';

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
const taken = async (to: string): Promise<string> => {
  const { status, outcome } = await gateway.submit(to);
  expect([status, outcome.kind]).toEqual([200, 'accepted']);
  return outcome.kind === 'accepted' ? outcome.messageId : '';
};
const reports = (): Mm7DeliveryReportReq[] => gateway.mm7.filter((message) => message.type === 'DeliveryReportReq');
const delivered = (): Mm7DeliverReq[] => gateway.mm7.filter((message) => message.type === 'DeliverReq');
/** Expects nothing before `ms`, then this many reports. */
const reportsAfter = async (ms: number, count = 1): Promise<Mm7DeliveryReportReq[]> => {
  gateway.clock.pass(ms - 1);
  await quiet();
  expect(reports()).toEqual([]);
  gateway.clock.pass(1);
  await until(() => reports().length === count);
  return reports();
};

describe('test numbers over MM7', () => {
  it('0100: delivered after 0.4 s, and the picture is on the handset', async () => {
    const messageId = await taken(phone);
    expect(messageId).not.toBe('');
    expect(await held()).toEqual([]);
    const date = new Date(gateway.clock.now());
    expect(await reportsAfter(400)).toMatchObject([
      { messageId, recipient: phone, sender: from, mmStatus: 'Retrieved', date },
    ]);
    const [message] = await held();
    expect(message).toMatchObject({
      kind: 'MMS',
      via: 'mm7',
      from,
      to: phone,
      subject: 'Sunday',
      text: 'Look, grüße',
      encoding: null,
      parts: 1,
      media: [{ contentType: 'image/png', fileName: 'sun_1.png', sizeBytes: 4, held: true }],
      receivedAt: gateway.clock.now(),
    });
    const { mediaId, sha256 } = message!.media[0]!;
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(gateway.sandbox.handsets.medium(phone, mediaId)?.bytes).toEqual(picture.bytes);
  });

  it.each([
    ['12025550110', 30_000, 'Retrieved'],
    ['12025550111', 400, 'Unreachable'],
    ['12025550112', 60_000, 'Expired'],
    ['12025550114', 400, 'Rejected'],
    ['12025550120', 400, 'Rejected'],
    ['12025550123', 400, 'Rejected'],
    ['12025550125', 400, 'NotSupported'],
  ])('%s: after %i ms %s', async (number, afterMs, mmStatus) => {
    const messageId = await taken(number);
    expect(await reportsAfter(afterMs)).toMatchObject([{ messageId, mmStatus }]);
    expect(await held(number)).toHaveLength(mmStatus === 'Retrieved' ? 1 : 0);
  });

  it('0113 rejects at submit, 0122 finds it too large', async () => {
    expect((await gateway.submit('12025550113')).outcome).toMatchObject({
      kind: 'refused',
      retry: 'never',
      carrierCode: '3002 Message rejected',
    });
    expect((await gateway.submit('12025550122')).outcome).toMatchObject({
      kind: 'refused',
      retry: 'never',
      concern: 'content',
      carrierCode: 'HTTP 413',
    });
  });

  it('0115: never a report, though the message arrives', async () => {
    await taken('12025550115');
    gateway.clock.pass(3_600_000);
    await quiet();
    expect(gateway.mm7).toEqual([]);
    expect(await held('12025550115')).toHaveLength(1);
  });

  it('0116: busy twice, then delivered; the next message again', async () => {
    for (let message = 0; message < 2; message++) {
      for (let i = 0; i < 2; i++) {
        const { outcome } = await gateway.submit('12025550116');
        expect(outcome).toMatchObject({ kind: 'refused', retry: 'later', carrierCode: '4006 Service unavailable' });
      }
      await taken('12025550116');
    }
  });

  it('0117: the same report twice, one message', async () => {
    const messageId = await taken('12025550117');
    expect((await reportsAfter(400, 2)).map((report) => report.messageId)).toEqual([messageId, messageId]);
    expect(await held('12025550117')).toHaveLength(1);
  });

  it('0121: the report before the answer', async () => {
    const answered = gateway.submit('12025550121');
    await until(() => gateway.clock.timers() > 1);
    gateway.clock.pass(0);
    await until(() => reports().length === 1);
    gateway.clock.pass(200);
    expect((await answered).outcome).toEqual({ kind: 'accepted', messageId: reports()[0]!.messageId });
  });

  it('0118 answers an MMS with an SMS, which waits for the SMPP session', async () => {
    await taken('12025550118');
    gateway.clock.pass(2_000);
    await quiet();
    expect(await held('12025550118')).toHaveLength(1);
    expect(delivered()).toEqual([]);
  });

  it('no report unless requested', async () => {
    await gateway.submit(phone, { deliveryReport: false });
    gateway.clock.pass(1_000);
    await quiet();
    expect(gateway.mm7).toEqual([]);
    expect(await held()).toHaveLength(1);
  });
});

describe('the MM7 server', () => {
  it('answers in the dialect of the gateway, and reports in it', async () => {
    const dialect = mm7Dialect('REL-5-MM7-1-0');
    const { read } = await postMm7(gateway.sandbox, submitReq(1, [phone]), { dialect });
    expect(read).toMatchObject({ kind: 'message', dialect, message: { type: 'SubmitRsp', transactionId: 'tx-1' } });
    await reportsAfter(400);
    expect(gateway.dialects).toEqual([dialect]);
  });

  it('refuses requests without the password', async () => {
    for (const authorization of ['', 'Basic eDp5', 'Bearer x']) {
      const { status } = await postMm7(gateway.sandbox, submitReq(1, [phone]), { authorization });
      expect(status).toBe(401);
    }
    gateway.clock.pass(1_000);
    expect(await held()).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['no XML', 'hello'],
    ['no SOAP', '<a/>'],
    ['an entity bomb', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ])('answers %s with a fault', async (_what, body) => {
    const { status, read } = await postMm7(gateway.sandbox, Buffer.from(body));
    expect(status).toBe(500);
    expect(read).toMatchObject({ kind: 'message', message: { type: 'RSErrorRsp' } });
  });

  it('answers other operations, other numbers and several recipients', async () => {
    const cancel = { type: 'CancelReq', transactionId: 't', vaspId: '', vasId: '', messageId: 'm' } as const;
    expect((await postMm7(gateway.sandbox, cancel)).read).toMatchObject({ message: { status: { code: 4003 } } });
    expect((await gateway.submit('55555')).outcome).toMatchObject({ kind: 'accepted' });
    expect((await gateway.submit('0123456789')).outcome).toMatchObject({ carrierCode: '2002 Address error' });
    expect((await gateway.submit([phone, '12025550101'])).outcome).toMatchObject({ retry: 'one_by_one' });
  });

  it('refuses a message that is too large', async () => {
    const { status } = await postMm7(gateway.sandbox, Buffer.alloc(8 * 1024 * 1024 + 1, 'x'));
    expect(status).toBe(413);
  });

  it('accepts one path and one method', async () => {
    const { url } = gateway.sandbox.mm7;
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(`${url}/other`, { method: 'POST' })).status).toBe(404);
  });
});

describe('a gateway that does not accept it', () => {
  it.each([
    ['has an error', 3000],
    ['says it is unavailable', 503],
    ['says nothing that can be read', 'garbage'],
  ] as const)('and %s is tried again, more and more slowly', async (_what, script) => {
    gateway.mm7Script = [script, script];
    await taken(phone);
    gateway.clock.pass(400);
    await until(() => gateway.mm7.length === 1);
    await gateway.elapse(1_000);
    await until(() => gateway.mm7.length === 2);
    await gateway.elapse(2_000);
    await until(() => gateway.mm7.length === 3);
    expect(await gateway.idle()).toEqual([]);
    expect(new Set(reports().map(({ transactionId }) => transactionId)).size).toBe(1);
    expect(gateway.mm7).toHaveLength(3);
  });

  it('and hangs is aborted, and tried again', async () => {
    gateway.mm7Script = ['hang'];
    await taken(phone);
    gateway.clock.pass(400);
    await until(() => gateway.mm7.length === 1);
    await gateway.elapse(15_000);
    await gateway.elapse(1_000);
    await until(() => gateway.mm7.length === 2);
  });

  it.each([2004, 401])('and refuses for good with %i is not tried again', async (script) => {
    gateway.mm7Script = [script];
    await taken(phone);
    gateway.clock.pass(400);
    await until(() => gateway.mm7.length === 1);
    expect(await gateway.idle()).toEqual([]);
    expect(gateway.mm7).toHaveLength(1);
  });

  it('is not tried any more after a few attempts', async () => {
    gateway.mm7Script = Array(20).fill(4006);
    await taken(phone);
    gateway.clock.pass(400);
    for (const delayMs of [1_000, 2_000, 4_000, 8_000, 16_000]) await gateway.elapse(delayMs);
    await until(() => gateway.mm7.length === 6);
    expect(await gateway.idle()).toEqual([]);
    expect(gateway.mm7).toHaveLength(6);
  });

  it('has no address yet: the report waits', async () => {
    gateway.reachable = false;
    await taken(phone);
    gateway.clock.pass(400);
    await gateway.elapse(1_000);
    await gateway.idle();
    gateway.reachable = true;
    await gateway.elapse(2_000);
    await until(() => reports().length === 1);
  });

  it('and still hangs when the sandbox stops', async () => {
    gateway.mm7Script = ['hang'];
    await taken(phone);
    gateway.clock.pass(400);
    await until(() => gateway.mm7.length === 1);
  });
});

describe('a reply with pictures', () => {
  const media = [
    { contentType: 'image/jpeg', fileName: '../é 1.JPG', bytes: Buffer.from('ffd8ff', 'hex') },
    { contentType: 'video/mp4', fileName: '', bytes: Buffer.alloc(10, 7) },
  ];

  it('is sent as handsets send it', async () => {
    const queued = gateway.sandbox.handsets.reply(phone, { text: 'Here\nyou are', to: from, media });
    expect(queued).toEqual({
      kind: 'queued',
      from: phone,
      to: from,
      messageType: 'MMS',
      via: 'mm7',
      parts: 1,
      encoding: null,
      media: 2,
    });
    await until(() => delivered().length === 1);
    const { message } = delivered()[0]!;
    expect(message).toMatchObject({ from: phone, to: [from] });
    expect(message.smil).toContain('<img src=');
    expect(message.parts.map(({ contentType }) => contentType).toSorted()).toEqual([
      'image/jpeg',
      'text/plain',
      'video/mp4',
    ]);
    const bytesOf = (type: string) => message.parts.find(({ contentType }) => contentType === type)?.bytes;
    expect(bytesOf('image/jpeg')).toEqual(media[0]!.bytes);
    expect(bytesOf('text/plain')?.toString()).toBe('Here\r\nyou are');
  });

  it('may have no text, and is sent over the protocol of the last MMS', async () => {
    await taken(phone);
    gateway.clock.pass(400);
    await quiet();
    expect(gateway.sandbox.handsets.reply(phone, { text: '', media })).toMatchObject({ to: from, via: 'mm7' });
    await until(() => delivered().length === 1);
    expect(delivered()[0]!.message.parts).toHaveLength(2);
  });

  it('is accepted only up to the limits', () => {
    const { reply } = gateway.sandbox.handsets;
    expect(reply(phone, { text: '', media })).toEqual({ kind: 'no_sender' });
    const large = [{ ...media[0]!, bytes: Buffer.alloc(5 * 1024 * 1024 + 1) }];
    expect(reply(phone, { text: '', to: from, media: large })).toEqual({
      kind: 'too_large',
      bytesMax: 5 * 1024 * 1024,
    });
    gateway.mm7Script = Array(100).fill('hang');
    const most = [{ ...media[0]!, bytes: Buffer.alloc(5 * 1024 * 1024) }];
    const kinds = Array.from({ length: 13 }, () => reply(phone, { text: '', to: from, media: most }).kind);
    expect(kinds).toEqual([...Array(12).fill('queued'), 'full']);
  });
});
