/** How a message is sent over MM4 and how it ends: at every step of SMTP, and by the MM4_forward.RES. */
import { simpleParser } from 'mailparser';
import { afterEach, describe, expect, it } from 'vitest';
import { quiet, until, untilPassing } from '../../../../../test/props/clock.ts';
import { mmsSubmission, tinyPng } from '../carrier-fixture.ts';
import { deliveryReport, type Mm4Scene, mm4Scene, readMail } from './mm4-fixture.ts';
import type { Stage } from './peer-fixture.ts';

let scene: Mm4Scene | null = null;
afterEach(async () => {
  await scene?.close();
  scene = null;
});

/** One connection by default, so that the test knows which one carries a mail. */
async function started(...[more, deps]: Parameters<typeof mm4Scene>): Promise<Mm4Scene> {
  scene = await mm4Scene({ connections: 1, ...more }, deps);
  const { carrier, sink } = scene;
  carrier.start(sink);
  await until(() => carrier.status().up);
  return scene;
}

const outcomeOf = async ({ sink }: Mm4Scene, messageId: string) => {
  await until(() => sink.outcomeOf(messageId) !== undefined);
  return sink.outcomeOf(messageId);
};
const idsOf = (mail: Parameters<typeof readMail>[0]) => {
  const { transactionId, messageId } = readMail(mail);
  return { transactionId, messageId };
};
const big = (bytes: number) => ({
  type: 'image/png' as const,
  sizeBytes: bytes,
  load: async () => Buffer.alloc(bytes, 7),
});

describe('the mail', () => {
  it('is read by a parser that is not ours, with every byte of the media', async () => {
    const { carrier, smtp, ...rest } = await started();
    const everyOctet = Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 7) & 0xff));
    const tricky = Buffer.from('\r\n.\r\nMAIL FROM:<x>\r\n..\n.\r--=_');
    const media = [tinyPng, everyOctet, tricky, Buffer.alloc(0)];
    const text = 'Grüße €\n.\nfrom\r\n..us';
    carrier.submit([
      mmsSubmission(1, {
        text,
        media: media.map((bytes, i) => ({
          type: (['image/png', 'video/mp4', 'text/vcard', 'audio/amr'] as const)[i]!,
          sizeBytes: bytes.length,
          load: async () => bytes,
        })),
      }),
    ]);
    await until(() => smtp.mails.length === 1);
    const mail = smtp.mails[0]!;
    mail.answer('250 OK');
    await outcomeOf({ carrier, smtp, ...rest }, 'msg_1');
    const parsed = await simpleParser(mail.bytes, { skipTextToHtml: true });
    const attached = parsed.attachments.filter(({ contentType }) => contentType !== 'application/smil');
    expect(attached.map(({ content }) => content.toString('hex'))).toEqual(media.map((bytes) => bytes.toString('hex')));
    expect(attached.map(({ contentType }) => contentType)).toEqual([
      'image/png',
      'video/mp4',
      'text/vcard',
      'audio/amr',
    ]);
    expect(parsed.text?.trimEnd()).toBe('Grüße €\n.\nfrom\n..us');
    expect(mail.mailFrom).toBe('+12025550199/TYPE=PLMN@ours.example');
    expect(mail.rcptTo).toEqual(['+12025550100/TYPE=PLMN@peer.example']);
    expect(mail.mailCommand).toMatch(/ SIZE=\d+$/);
    expect(parsed.headers.get('x-mms-delivery-report')).toBe('Yes');
    expect(parsed.headers.get('x-mms-ack-request')).toBe('No');
  });

  it('says how long the message is valid', async () => {
    const { carrier, smtp } = await started();
    carrier.submit([mmsSubmission(1, { expiresAt: Date.UTC(2030, 0, 2, 3, 4, 5) })]);
    await until(() => smtp.mails.length === 1);
    expect(smtp.mails[0]!.bytes.toString('latin1')).toContain('\r\nX-Mms-Expiry: Wed, 02 Jan 2030 03:04:05 +0000\r\n');
    smtp.mails[0]!.answer('250 OK');
  });

  it('one connection carries many, with RSET between', async () => {
    const { carrier, smtp, sink } = await started();
    smtp.atOnce = '250 OK';
    carrier.submit([mmsSubmission(1), mmsSubmission(2), mmsSubmission(3)]);
    await until(() => sink.resultBatches.flat().length === 3);
    expect(smtp.sessions).toBe(1);
    expect(smtp.commands.map((line) => line.slice(0, 4))).toEqual([
      'EHLO',
      'MAIL',
      'RCPT',
      'DATA',
      'RSET',
      'MAIL',
      'RCPT',
      'DATA',
      'RSET',
      'MAIL',
      'RCPT',
      'DATA',
    ]);
  });

  it('over the SIZE of the peer: refused for good, nothing sent', async () => {
    const { carrier, smtp, ...rest } = await started();
    scene!.smtp.extensions = ['SIZE 2000'];
    smtp.drop();
    await untilPassing(rest.clock, () => smtp.sessions === 2 && carrier.status().up);
    carrier.submit([mmsSubmission(1, { media: [big(2_000)] }), mmsSubmission(2)]);
    smtp.atOnce = '250 OK';
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject({
      kind: 'refused',
      retry: 'never',
      code: 'MEDIA_TOO_LARGE',
    });
    expect(await outcomeOf(scene!, 'msg_2')).toMatchObject({ kind: 'accepted' });
    expect(smtp.mails).toHaveLength(1);
  });

  it('a medium the disk lost: refused for now, as a fault of ours', async () => {
    const { carrier, smtp } = await started();
    smtp.atOnce = '250 OK';
    const lost = { type: 'image/png' as const, sizeBytes: 1, load: async () => null };
    const broken = { ...lost, load: () => Promise.reject(new Error('EIO')) };
    carrier.submit([mmsSubmission(1, { media: [lost] }), mmsSubmission(2, { media: [broken] }), mmsSubmission(3)]);
    const away = { ...lost, load: async () => 'away' as const };
    carrier.submit([mmsSubmission(4, { media: [away] })]);
    const fault = { kind: 'refused', retry: 'later', code: 'GATEWAY_ERROR', countsAttempt: true };
    expect(await outcomeOf(scene!, 'msg_4')).toMatchObject({ kind: 'refused', retry: 'later', countsAttempt: false });
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject(fault);
    expect(await outcomeOf(scene!, 'msg_2')).toMatchObject(fault);
    expect(await outcomeOf(scene!, 'msg_3')).toMatchObject({ kind: 'accepted' });
  });

  it('a number that could end the line: refused, nothing sent', async () => {
    const { carrier, smtp } = await started();
    carrier.submit([mmsSubmission(1, { to: '1>\r\nRCPT TO:<x@y' }), mmsSubmission(2, { from: '1\r\nBcc: x@y' })]);
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject({ kind: 'refused', retry: 'never', code: 'MALFORMED' });
    expect(await outcomeOf(scene!, 'msg_2')).toMatchObject({ kind: 'refused', retry: 'never', code: 'MALFORMED' });
    expect(smtp.commands).toEqual(['EHLO ours.example']);
  });
});

describe('what the peer answers', () => {
  it.each<[Stage, string, object]>([
    ['MAIL', '550 5.7.1 Not you', { retry: 'never', code: 'CARRIER_REJECTED', carrierCode: '550 5.7.1 Not you' }],
    ['MAIL', '552 Too big', { retry: 'never', code: 'MEDIA_TOO_LARGE' }],
    ['MAIL', '530 Must authenticate', { retry: 'later', countsAttempt: true }],
    ['MAIL', '421 Busy', { retry: 'later', countsAttempt: false, afterMs: 5_000 }],
    ['RCPT', '550 No such user', { retry: 'never', code: 'UNKNOWN_SUBSCRIBER' }],
    ['RCPT', '550 5.7.1 Blocked', { retry: 'never', code: 'CARRIER_REJECTED' }],
    ['RCPT', '553 5.1.3 Bad', { retry: 'never', code: 'UNKNOWN_SUBSCRIBER' }],
    ['RCPT', '450 Busy', { retry: 'later', countsAttempt: true, code: 'CARRIER_UNAVAILABLE' }],
    ['RCPT', '452 Full', { retry: 'later', countsAttempt: false, afterMs: 10_000 }],
    ['DATA', '451 Not now', { retry: 'later', countsAttempt: true, afterMs: 5_000 }],
    ['DATA', '554 No', { retry: 'never', code: 'CARRIER_REJECTED' }],
    ['CONTENT', '554 5.6.0 Bad MIME', { retry: 'never', code: 'MALFORMED' }],
    ['CONTENT', '550 Refused', { retry: 'never', code: 'CARRIER_REJECTED' }],
    ['CONTENT', '450-Many\r\n450 lines', { retry: 'later', carrierCode: '450-Many 450 lines' }],
  ])('to %s: %s', async (stage, reply, expected) => {
    const { carrier, smtp } = await started();
    if (stage === 'CONTENT') smtp.atOnce = reply;
    else smtp.answers.set(stage, reply);
    carrier.submit([mmsSubmission(1)]);
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject({ kind: 'refused', parts: [], ...expected });
    smtp.answers.clear();
    smtp.atOnce = '250 OK';
    await untilPassing(scene!.clock, () => carrier.capacity() > 0);
    carrier.submit([mmsSubmission(2)]);
    expect(await outcomeOf(scene!, 'msg_2')).toMatchObject({ kind: 'accepted' });
  });

  it('words nobody can read: the connection is given up, the message was not sent', async () => {
    const { carrier, smtp } = await started();
    smtp.answers.set('DATA', 'whatever');
    carrier.submit([mmsSubmission(1)]);
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject({ kind: 'refused', retry: 'later' });
  });

  it.each(['whatever', '354 Go on', '999 Odd'])(
    'words nobody can read after the final dot leave it uncertain, on a link that lives: %s',
    async (reply) => {
      const { carrier, smtp } = await started();
      smtp.atOnce = reply;
      carrier.submit([mmsSubmission(1)]);
      expect(await outcomeOf(scene!, 'msg_1')).toMatchObject({ kind: 'uncertain', cause: 'unanswered', parts: [] });
    },
  );

  it('an Ok before the mail is there is none', async () => {
    const { carrier, smtp } = await started({}, {});
    smtp.extensions = [];
    smtp.drop();
    await untilPassing(scene!.clock, () => smtp.sessions === 2 && carrier.status().up);
    smtp.answers.set('DATA', '354 Go on\r\n250 Thanks');
    smtp.hangsAt.add('CONTENT');
    carrier.submit([mmsSubmission(1, { media: [big(12_000_000)] })]);
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject({ kind: 'refused', retry: 'later', countsAttempt: true });
  });
});

describe('a peer that says nothing, or goes', () => {
  const unsent = { kind: 'refused', retry: 'later', code: 'CARRIER_UNAVAILABLE', countsAttempt: true, parts: [] };

  it.each<Stage>(['MAIL', 'RCPT', 'DATA'])('hangs at %s: not sent', async (stage) => {
    const { carrier, smtp, clock, sink } = await started();
    smtp.hangsAt.add(stage);
    carrier.submit([mmsSubmission(1)]);
    await until(() => smtp.commands.some((line) => line.startsWith(stage)));
    clock.pass(9_999);
    await quiet();
    expect(sink.resultBatches).toEqual([]);
    clock.pass(1);
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject(unsent);
    expect(smtp.mails).toEqual([]);
  });

  it.each<Stage>(['MAIL', 'RCPT', 'DATA'])('cuts at %s: not sent', async (stage) => {
    const { carrier, smtp } = await started();
    smtp.cutsAt = stage;
    carrier.submit([mmsSubmission(1)]);
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject(unsent);
  });

  it('hangs, or cuts, before the final dot: not sent', async () => {
    const { carrier, smtp, clock } = await started();
    smtp.extensions = [];
    for (const n of [1, 2]) {
      smtp.drop();
      await untilPassing(clock, () => smtp.sessions === 2 * n && carrier.status().up);
      smtp.hangsAt.add('CONTENT');
      carrier.submit([mmsSubmission(n, { media: [big(12_000_000)] })]);
      await until(() => smtp.commands.filter((line) => line === 'DATA').length === n);
      if (n === 1) await untilPassing(clock, () => scene!.sink.outcomeOf('msg_1') !== undefined, 1_000);
      else smtp.drop();
      expect(await outcomeOf(scene!, `msg_${n}`)).toMatchObject(unsent);
      await untilPassing(clock, () => smtp.sessions === 2 * n + 1 && carrier.status().up);
    }
    expect(smtp.mails).toEqual([]);
  });

  it.each<Stage>(['START', 'EHLO', 'AUTH'])(
    'hangs at %s: the link is down, and comes with the next try',
    async (stage) => {
      scene = await mm4Scene({ connections: 1, username: 'us', password: 'secret' });
      const { carrier, smtp, sink, clock } = scene;
      smtp.hangsAt.add(stage);
      smtp.extensions.push('AUTH PLAIN');
      carrier.start(sink);
      await untilPassing(clock, () => sink.links.length === 1, 1_000);
      expect(sink.links[0]).toMatchObject({
        up: false,
        detail: expect.stringContaining('no connection within 10000 ms'),
      });
      carrier.submit([mmsSubmission(1)]);
      expect(await outcomeOf(scene, 'msg_1')).toMatchObject({ ...unsent, countsAttempt: false });
      expect(carrier.status().binds[0]!.detail).toMatch(/; next try in 1 s$/);
      smtp.hangsAt.clear();
      clock.pass(1_000);
      expect(carrier.status().binds[0]!.detail).toMatch(/; trying now$/);
      await untilPassing(clock, () => sink.links.length === 2);
      expect(sink.links[1]).toMatchObject({ up: true });
    },
  );

  it('hangs at RSET: the message goes over another connection', async () => {
    const { carrier, smtp, clock } = await started({ connections: 2 });
    smtp.atOnce = '250 OK';
    carrier.submit([mmsSubmission(1)]);
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject({ kind: 'accepted' });
    smtp.hangsAt.add('RSET');
    carrier.submit([mmsSubmission(2)]);
    await untilPassing(clock, () => scene!.sink.outcomeOf('msg_2') !== undefined);
    expect(scene!.sink.outcomeOf('msg_2')).toMatchObject({ kind: 'accepted' });
  });

  it('hangs at QUIT: stop does not wait for it', async () => {
    const { carrier, smtp, clock } = await started();
    smtp.hangsAt.add('QUIT');
    const stopped = carrier.stop(5_000);
    await until(() => smtp.commands.includes('QUIT'));
    clock.pass(1_000);
    await stopped;
  });

  it('M-07: cut after the final dot: uncertain; sent again under the same ids', async () => {
    const { carrier, smtp, clock } = await started();
    smtp.cutsAt = 'CONTENT';
    carrier.submit([mmsSubmission(1)]);
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject({ kind: 'uncertain', cause: 'broken', parts: [] });
    smtp.cutsAt = null;
    smtp.atOnce = '250 OK';
    await untilPassing(clock, () => carrier.status().up);
    carrier.submit([mmsSubmission(1, { attempt: 2 })]);
    await until(() => scene!.sink.resultBatches.flat().length === 2);
    expect(scene!.sink.resultBatches.flat()[1]).toMatchObject({
      attempt: 2,
      outcome: { kind: 'accepted', parts: [{ part: 1, carrierMessageId: 'msg_1' }] },
    });
    expect(smtp.mails.map(idsOf)).toEqual([idsOf(smtp.mails[0]!), idsOf(smtp.mails[0]!)]);
    expect(idsOf(smtp.mails[0]!)).toEqual({ transactionId: 'msg_1', messageId: 'msg_1' });
  });
});

describe('MM4_forward.RES', () => {
  const withAck = { acknowledgement: true, window: 2 };

  async function taken(n = 1) {
    const all = await started(withAck);
    all.smtp.atOnce = '250 OK';
    await until(() => all.carrier.status().listening != null);
    all.carrier.submit(Array.from({ length: n }, (_, i) => mmsSubmission(i + 1)));
    await until(() => all.smtp.mails.length === Math.min(n, 2));
    await quiet();
    return all;
  }

  it('Ok: only then it is accepted', async () => {
    const all = await taken();
    expect(all.sink.resultBatches).toEqual([]);
    expect(readMail(all.smtp.mails[0]!)).toMatchObject({ ackRequest: true, replyTo: 'mms-system@ours.example' });
    const { codes } = await all.respond(idsOf(all.smtp.mails[0]!));
    expect(codes.at(-1)).toBe(250);
    expect(await outcomeOf(all, 'msg_1')).toEqual({
      kind: 'accepted',
      parts: [{ part: 1, carrierMessageId: 'msg_1' }],
    });
  });

  it.each([
    ['Error-sending-address-unresolved', '', { retry: 'never', code: 'UNKNOWN_SUBSCRIBER' }],
    ['Error-message-format-corrupt', '', { retry: 'never', code: 'MALFORMED' }],
    ['Error-content-not-accepted', '', { retry: 'never', code: 'CARRIER_REJECTED' }],
    ['Error-content-not-accepted', '411', { retry: 'never', code: 'MEDIA_TOO_LARGE' }],
    ['Error-service-denied', '435', { retry: 'never', code: 'UNKNOWN_SUBSCRIBER' }],
    ['Error-network-problem', '', { retry: 'later', code: 'CARRIER_UNAVAILABLE', countsAttempt: true }],
    ['Error-unspecified', '', { retry: 'later', code: 'CARRIER_UNAVAILABLE', countsAttempt: true }],
  ] as const)('%s %s', async (status, vendorCode, expected) => {
    const all = await taken();
    await all.respond(idsOf(all.smtp.mails[0]!), status, vendorCode);
    expect(await outcomeOf(all, 'msg_1')).toMatchObject({
      kind: 'refused',
      carrierCode: expect.stringContaining(status),
      ...expected,
    });
  });

  it('none: uncertain', async () => {
    const all = await taken();
    all.clock.pass(59_999);
    await quiet();
    expect(all.sink.resultBatches).toEqual([]);
    all.clock.pass(1);
    expect(await outcomeOf(all, 'msg_1')).toMatchObject({ kind: 'uncertain', cause: 'unanswered' });
  });

  it('before the 250, twice, and for nobody', async () => {
    const all = await started(withAck);
    all.carrier.submit([mmsSubmission(1)]);
    await until(() => all.smtp.mails.length === 1);
    const ids = idsOf(all.smtp.mails[0]!);
    await all.respond(ids);
    expect(all.sink.resultBatches).toEqual([]);
    all.smtp.mails[0]!.answer('250 OK');
    expect(await outcomeOf(all, 'msg_1')).toMatchObject({ kind: 'accepted' });
    const again = await all.respond(ids, 'Error-unspecified');
    const stranger = await all.respond({ transactionId: 'other', messageId: 'other' });
    expect([again.codes.at(-1), stranger.codes.at(-1)]).toEqual([250, 250]);
    expect(all.sink.resultBatches.flat()).toHaveLength(1);
  });

  it('an Ok before a cut that would leave it uncertain', async () => {
    const all = await started(withAck);
    all.carrier.submit([mmsSubmission(1)]);
    await until(() => all.smtp.mails.length === 1);
    await all.respond(idsOf(all.smtp.mails[0]!));
    all.smtp.drop();
    expect(await outcomeOf(all, 'msg_1')).toMatchObject({ kind: 'accepted' });
  });

  it('a report before it, and the same report again', async () => {
    const all = await taken();
    const report = deliveryReport('msg_1', 'Retrieved');
    expect((await all.mail(report)).codes.at(-1)).toBe(250);
    await all.respond(idsOf(all.smtp.mails[0]!));
    expect((await all.mail(report)).codes.at(-1)).toBe(250);
    expect(await outcomeOf(all, 'msg_1')).toMatchObject({ kind: 'accepted' });
    expect(all.sink.receiptBatches.flat().map(({ idKeys, state }) => [idKeys, state])).toEqual([
      [['msg_1'], 'delivered'],
      [['msg_1'], 'delivered'],
    ]);
  });

  it('the window counts what waits for it', async () => {
    const all = await taken(3);
    expect(all.smtp.mails).toHaveLength(2);
    expect(all.carrier.capacity()).toBe(0);
    await all.respond(idsOf(all.smtp.mails[0]!));
    await until(() => all.smtp.mails.length === 3);
  });

  it('stop waits for it, then calls it uncertain', async () => {
    const all = await taken(2);
    const stopped = all.carrier.stop(5_000);
    await all.respond(idsOf(all.smtp.mails[0]!));
    expect(await outcomeOf(all, 'msg_1')).toMatchObject({ kind: 'accepted' });
    all.clock.pass(5_000);
    await stopped;
    expect(all.sink.outcomeOf('msg_2')).toMatchObject({ kind: 'uncertain', cause: 'broken' });
    expect(all.carrier.status().listening).toBeNull();
  });
});

describe('connections', () => {
  it('that nobody uses rest, and the next message wakes them', async () => {
    const { carrier, smtp, clock, sink } = await started();
    smtp.atOnce = '250 OK';
    clock.pass(30_000);
    await until(() => smtp.sockets.size === 0);
    expect(smtp.commands).toContain('QUIT');
    expect(carrier.status()).toMatchObject({ up: true, binds: [{ state: 'reachable_idle' }] });
    carrier.submit([mmsSubmission(1), mmsSubmission(2)]);
    expect(await outcomeOf(scene!, 'msg_2')).toMatchObject({ kind: 'accepted' });
    expect(smtp.sessions).toBe(2);
    expect(sink.links.map(({ up }) => up)).toEqual([true]);
  });

  it('that rest and cannot be woken: nothing was sent, and the link is down', async () => {
    const { carrier, smtp, clock, sink } = await started();
    clock.pass(30_000);
    await until(() => smtp.sockets.size === 0);
    await smtp.away();
    carrier.submit([mmsSubmission(1)]);
    expect(await outcomeOf(scene!, 'msg_1')).toMatchObject({ code: 'CARRIER_UNAVAILABLE', countsAttempt: false });
    expect(sink.links.map(({ up }) => up)).toEqual([true, false]);
    await smtp.back();
  });

  it('that the peer closes with 421 while idle are no lost link', async () => {
    const { carrier, smtp, sink } = await started();
    for (const socket of smtp.sockets) socket.end('421 Idle too long\r\n');
    await until(() => carrier.status().binds[0]!.state === 'reachable_idle');
    expect(sink.links.map(({ up }) => up)).toEqual([true]);
  });

  it('are tried again after longer and longer waits', async () => {
    const { smtp, clock, carrier } = await started();
    await smtp.away();
    const waits: number[] = [];
    await until(() => carrier.status().binds[0]!.state === 'lost');
    for (let i = 0; i < 9; i++) {
      let waited = 0;
      while (carrier.status().binds[0]!.state === 'lost') {
        clock.pass(125);
        waited += 125;
      }
      waits.push(waited);
      await until(() => carrier.status().binds[0]!.state === 'lost');
    }
    expect(waits).toEqual([375, 750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000]);
    await smtp.back();
  });

  it('with a password the peer does not take: the link is down, and the password is in no detail', async () => {
    scene = await mm4Scene({ connections: 1, username: 'us', password: 'hunter2' });
    const { carrier, smtp, sink } = scene;
    smtp.extensions.push('AUTH PLAIN');
    smtp.answers.set('AUTH', '535 5.7.8 No');
    carrier.start(sink);
    await until(() => sink.links.length === 1);
    expect(sink.links[0]).toMatchObject({ up: false, detail: expect.stringContaining('535 5.7.8 No') });
    expect(JSON.stringify([sink.links, carrier.status()])).not.toContain('hunter2');
  });
});
