/** MM4 both ways: written messages are valid SMTP and read back equal; peers' messages are read by their meaning. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMm4, responseTo } from './mm4-read.ts';
import type { Mm4ForwardReq, Mm4Message, Mm4Request } from './mm4-types.ts';
import { type Mm4WriteOptions, writeMm4 } from './mm4-write.ts';
import {
  digitsByChance,
  idByChance,
  mailOf,
  message,
  messageByChance,
  mm4Mail,
  mm4Options,
  now,
  wordsByChance,
} from './mms-fixture.ts';

const request = { transactionId: 'tx-1', messageId: 'm-1', ackRequest: true, replyTo: 'mms-system@ours.example' };
const forward: Mm4ForwardReq = {
  type: 'MM4_forward.REQ',
  ...request,
  hidesSender: false,
  message: { ...message, cc: ['47711', '13105550199'] },
};
const event = { recipient: '14155550123', originator: '12025550100', date: now, statusText: 'Zustellung läuft' };
const deliveryReport: Mm4Request = { type: 'MM4_delivery_report.REQ', ...request, ...event, mmStatus: 'Retrieved' };
const readReport: Mm4Request = {
  type: 'MM4_read_reply_report.REQ',
  ...request,
  ...event,
  readStatus: 'Deleted without being read',
};
const everyMessage: Mm4Message[] = [
  forward,
  deliveryReport,
  readReport,
  responseTo(forward, 'Ok'),
  responseTo(deliveryReport, 'Error-message-not-found', 'no such message'),
  responseTo(readReport, 'Error-network-problem'),
];

const again = (written: Mm4Message, options?: Mm4WriteOptions) => readMm4(mm4Mail(written, options).bytes);
const sourceOf = (written: Mm4Message): string => mm4Mail(written).bytes.toString('latin1');

describe('round trip', () => {
  it.each(everyMessage.map((written) => [written.type, written] as const))('%s', (_, written) => {
    expect(again(written)).toEqual({ kind: 'message', message: written, version: '6.10.0' });
  });

  it('of any message, in lines that SMTP can carry', () => {
    const requests = fc.record({ message: messageByChance, transactionId: idByChance, messageId: idByChance });
    fc.assert(
      fc.property(requests, fc.boolean(), (fields, quotesIds) => {
        const written: Mm4Message = { ...forward, ...fields };
        const { bytes } = mm4Mail(written, { ...mm4Options, quotesIds });
        expect(readMm4(bytes)).toMatchObject({ kind: 'message', message: written });
        const lines = bytes.toString('latin1').split('\r\n');
        expect(lines.every((line) => line.length <= 998 && /^[\x20-\x7e]*$/.test(line) && !line.startsWith('.'))).toBe(
          true,
        );
        expect(lines.at(-1)).toBe('');
      }),
    );
  });

  it('of any report', () => {
    fc.assert(
      fc.property(digitsByChance, digitsByChance, wordsByChance, (recipient, originator, statusText) => {
        const written: Mm4Message = { ...deliveryReport, recipient, originator, statusText } as Mm4Message;
        expect(again(written)).toMatchObject({ message: written });
      }),
    );
  });
});

describe('written messages', () => {
  it('the envelope and the addresses of the header', () => {
    const { mailFrom, rcptTo } = mm4Mail(forward);
    expect(mailFrom).toBe('+12025550100/TYPE=PLMN@ours.example');
    expect(rcptTo).toEqual([
      '+14155550123/TYPE=PLMN@mms.provider.example',
      '47711/TYPE=PLMN@mms.provider.example',
      '+13105550199/TYPE=PLMN@mms.provider.example',
    ]);
    const source = sourceOf(forward);
    expect(source).toContain('\r\nTo: +14155550123/TYPE=PLMN\r\nCc: 47711/TYPE=PLMN, +13105550199/TYPE=PLMN\r\n');
    expect(source).toContain('\r\nX-Mms-Transaction-ID: "tx-1"\r\n');
    expect(source).toContain('\r\nX-Mms-Originator-System: mms-system@ours.example\r\nX-Mms-Ack-Request: Yes\r\n');
    expect(source).toContain('\r\nSubject: =?UTF-8?B?');
  });

  it('encoded words that are each decodable alone', () => {
    const subject = `x${'ä€😀'.repeat(30)}`;
    const source = sourceOf({ ...forward, message: { ...message, subject } });
    const words = [...source.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)].map(([, content]) =>
      Buffer.from(content!, 'base64').toString(),
    );
    expect(words.length).toBeGreaterThan(3);
    expect(words.join('')).toBe(subject);
  });

  it('a response goes to the requesting system', () => {
    expect(mm4Mail(responseTo(forward, 'Ok'))).toMatchObject({
      mailFrom: 'mms-system@ours.example',
      rcptTo: ['mms-system@mms.provider.example'],
    });
  });

  it('a list of a hundred recipients is folded', () => {
    const to = Array.from({ length: 100 }, (_, i) => String(14155550000 + i));
    const many: Mm4Message = { ...forward, message: { ...message, to } };
    expect(again(many)).toMatchObject({ message: { message: { to } } });
    expect(
      sourceOf(many)
        .split('\r\n')
        .every((line) => line.length <= 100),
    ).toBe(true);
  });
});

describe('unwritable values', () => {
  const injections = [
    'a\r\nBcc: you@x.example',
    'a\nX-Mms-Message-Class: Auto',
    'a\rb',
    'a\0b',
    'a\r\n.\r\nMAIL FROM:<>',
  ];

  it.each(injections)('a line end in any value: %j', (text) => {
    const spoilt: Mm4Message[] = [
      { ...forward, transactionId: text },
      { ...forward, messageId: text },
      { ...forward, message: { ...message, subject: text } },
      { ...forward, message: { ...message, from: text } },
      { ...forward, message: { ...message, to: [text] } },
      { ...forward, message: { ...message, cc: [text] } },
      { ...forward, message: { ...message, messageClass: text as 'Auto' } },
      { ...forward, message: { ...message, parts: [{ ...message.parts[0]!, fileName: text }] } },
      { ...forward, message: { ...message, parts: [{ ...message.parts[0]!, contentId: text }] } },
      { ...forward, message: { ...message, parts: [{ ...message.parts[0]!, contentType: text }] } },
      { ...deliveryReport, mmStatus: text } as Mm4Message,
      { ...deliveryReport, statusText: text } as Mm4Message,
      { ...deliveryReport, recipient: text } as Mm4Message,
      { ...deliveryReport, originator: text } as Mm4Message,
      { ...responseTo(forward, 'Ok'), requestStatus: text },
    ];
    for (const one of spoilt) expect(writeMm4(one, mm4Options)).toMatchObject({ kind: 'unwritable' });
    for (const name of ['ourDomain', 'peerDomain', 'systemUser', 'version'] as const) {
      expect(writeMm4(forward, { ...mm4Options, [name]: text })).toMatchObject({ kind: 'unwritable', field: name });
    }
    expect(writeMm4(responseTo(forward, 'Ok'), { ...mm4Options, replyTo: text })).toMatchObject({ field: 'replyTo' });
  });

  it.each([
    ['to', { to: [] }],
    ['to', { to: ['+14155550123'] }],
    ['to', { cc: ['a@b.example'] }],
    ['from', { from: '' }],
    ['parts', { parts: [], smil: null }],
    ['expiry', { expiry: 1.5 }],
    ['expiry', { expiry: new Date(Number.NaN) }],
    ['subject', { subject: 'half \ud83d' }],
  ])('%s', (field, change) => {
    expect(writeMm4({ ...forward, message: { ...message, ...change } }, mm4Options)).toMatchObject({ field });
  });

  it('a report with an invalid time, and one without a status', () => {
    expect(writeMm4({ ...deliveryReport, date: new Date(9e15) } as Mm4Message, mm4Options)).toMatchObject({
      field: 'date',
    });
    expect(writeMm4({ ...deliveryReport, mmStatus: '' } as Mm4Message, mm4Options)).toMatchObject({
      field: 'mmStatus',
    });
    expect(writeMm4({ ...responseTo(forward, 'Ok'), requestStatus: '' }, mm4Options)).toMatchObject({
      field: 'requestStatus',
    });
  });
});

const head = [
  'x-mms-message-type: mm4_FORWARD.req',
  'X-Mms-Transaction-ID: "<abc>"',
  'X-Mms-Message-ID: <m@peer>',
  'From: "Smith, \\"J\\"" <14155550123/type=plmn@peer.example>',
  'To: +12025550100/TYPE=PLMN, 47711/TYPE=PLMN@ours.example,',
  ' someone@mail.example',
];

const readLines = (...lines: string[]) => readMm4(mailOf(...lines));

describe('peers’ messages', () => {
  it('any case, quotes, brackets, display names, folded lists, mail addresses', () => {
    expect(readLines(...head, 'Sender: <mms@peer.example>', 'X-Mms-Ack-Request: YES', '', 'plain text')).toMatchObject({
      message: {
        transactionId: 'abc',
        messageId: 'm@peer',
        ackRequest: true,
        replyTo: 'mms@peer.example',
        message: {
          from: '14155550123',
          to: ['12025550100', '47711', 'someone@mail.example'],
          parts: [{ contentType: 'text/plain', bytes: Buffer.from('plain text\r\n') }],
        },
      },
    });
  });

  it.each([
    ['undisclosed-recipients:;', []],
    ['you', []],
    ['10.0.0.1/TYPE=IPv4, +12025550100/TYPE=PLMN', ['12025550100']],
    [null, []],
  ])('To: %s, as the envelope names the recipient', (field, to) => {
    const rest = head.filter((line) => !/^(To:| )/.test(line));
    expect(readLines(...rest, ...(field === null ? [] : [`To: ${field}`]), '', 'x')).toMatchObject({
      message: { message: { to, cc: [] } },
    });
  });

  it.each([
    ['=?utf-8?q?caf=C3=A9_au?= =?UTF-8?B?IGxhaXQ=?=', 'café au lait'],
    ['=?utf-8?B?4pg=?= =?utf-8?B?gw==?=', '☃'],
    ['=?iso-8859-1?Q?caf=E9?= bar', 'café bar'],
    ['a =?utf-8?q?b?= c =?x', 'a b c =?x'],
    ['=?no-such-charset?q?b?=', 'b'],
    ['=?iso-8859-1?q?=E9?= =?utf-8?q?=C3=A9?=', 'éé'],
  ])('the subject %s', (written, subject) => {
    expect(readLines(...head, `Subject: ${written}`, '')).toMatchObject({ message: { message: { subject } } });
  });

  it.each([
    ['3600', 3600],
    ['Sat, 21 Nov 2026 06:37:42 +0100', now],
    ['21 Nov 2026 05:37:42 GMT', now],
    ['tomorrow', null],
  ])('X-Mms-Expiry %s', (written, expiry) => {
    expect(readLines(...head, `X-Mms-Expiry: ${written}`, '')).toMatchObject({ message: { message: { expiry } } });
  });

  it('quoted-printable text in another charset, and a multipart inside another', () => {
    const lines = [
      'Content-Type: multipart/mixed; boundary=out',
      '',
      'preamble',
      '--out  ',
      'Content-Type: multipart/related; boundary="out-in"',
      '',
      '--out-in',
      'Content-Type: application/smil',
      '',
      '<smil><body><img src="cid:p%40x"/><text src="T.TXT"/></body></smil>',
      '--out-in',
      'Content-Type: text/plain; charset=iso-8859-1; name="t.txt"',
      'Content-Transfer-Encoding: Quoted-Printable',
      '',
      'caf=E9 =3D  ',
      'long=',
      ' line =zz',
      '--out-in',
      'Content-Type: image/gif',
      'Content-ID: <p@x>',
      'Content-Transfer-Encoding: base64',
      '',
      'R0lG',
      'ODlh',
      '--out-in--',
      '--out--',
      'epilogue',
    ];
    expect(readLines(...head, ...lines)).toMatchObject({
      message: {
        message: {
          parts: [
            { contentType: 'image/gif', contentId: 'p@x', bytes: Buffer.from('GIF89a') },
            { contentType: 'text/plain', fileName: 't.txt', bytes: Buffer.from('café =\r\nlong line =zz') },
          ],
        },
      },
    });
  });

  it.each([
    ["Content-Disposition: attachment; filename*=utf-8''M%C3%A4rz%20%E2%9C%93.pdf", 'März ✓.pdf'],
    ['Content-Disposition: attachment; filename="a; b.pdf"', 'a; b.pdf'],
    ['Content-Disposition: attachment; filename="=?utf-8?B?TcOkcnoucGRm?="', 'März.pdf'],
    ['Content-Location: =?utf-8?Q?M=C3=A4rz.pdf?=', 'März.pdf'],
  ])('the name of a file in %s', (field, fileName) => {
    const part = ['Content-Type: application/pdf', field, '', '%PDF-1.7'];
    const lines = ['Content-Type: multipart/mixed; boundary=b', '', '--b', ...part, '--b--'];
    expect(readLines(...head, ...lines)).toMatchObject({ message: { message: { parts: [{ fileName }] } } });
  });

  it('a response with the code of Bandwidth', () => {
    const read = readLines(
      'X-Mms-Message-Type: MM4_forward.RES',
      'X-Mms-Transaction-ID: abc',
      'X-Mms-Request-Status-Code: Error-content-not-accepted',
      'X-Internal-Status-Code: 411',
      'X-Mms-Status-Text: too large',
      '',
    );
    expect(read).toMatchObject({ message: { vendorCode: '411', statusText: 'too large', messageId: '' } });
  });
});

describe('unreadable messages', () => {
  const without = (start: string) => head.filter((line) => !line.startsWith(start));

  it.each([
    ['no message type', without('x-mms-message-type'), 'missing'],
    ['no transaction', without('X-Mms-Transaction'), 'missing'],
    ['no id', without('X-Mms-Message-ID'), 'missing'],
    ['no From', without('From'), 'missing'],
    ['too many To', [...without('To').filter((line) => !line.startsWith(' ')), `To: ${'72345,'.repeat(101)}`], 'value'],
    ['a field twice', [...head, 'Subject: a', 'Subject: b'], 'syntax'],
    ['a blank before the colon', [...head, 'Subject : a'], 'syntax'],
    ['no field at all', [...head, 'hello'], 'syntax'],
    ['an unknown encoding', [...head, 'Content-Transfer-Encoding: x-uuencode'], 'value'],
    ['a boundary twice', [...head, 'Content-Type: multipart/mixed; boundary=a; boundary=b'], 'syntax'],
    ['a multipart cut short', [...head, 'Content-Type: multipart/mixed; boundary=a', '', '--a', '', 'x'], 'syntax'],
    ['a line end in encoded words', [...head, 'Subject: =?utf-8?q?a=0D=0ABcc:_b?='], 'value'],
    ['foreign characters in base64', [...head, 'Content-Transfer-Encoding: base64', '', 'R0lG!ODlh'], 'syntax'],
  ])('%s', (_, lines, reason) => {
    expect(readLines(...lines, '', 'x')).toMatchObject({ kind: 'malformed', reason });
  });

  it('keep the fields that the answer needs', () => {
    const read = readLines(...without('From'), 'X-Mms-Originator-System: mms@peer.example', '');
    expect(read).toMatchObject({ type: 'MM4_forward.REQ', transactionId: 'abc', replyTo: 'mms@peer.example' });
  });

  it.each([
    ['a lone LF', 'x\ny\r\n'],
    ['a lone CR', 'x\ry\r\n'],
    ['a dot between lone LFs', 'x\n.\r\nMAIL FROM:<a@b>\r\n'],
    ['a dot between lone CRs', 'x\r.\r\n'],
    ['CR CR LF', 'x\r\r\n'],
    ['a CR at the end', 'x\r'],
    ['a NUL', 'x\0\r\n'],
    ['a long line', `${'x'.repeat(999)}\r\n`],
  ])('invalid lines: %s', (_, body) => {
    expect(readMm4(Buffer.concat([mailOf(...head, ''), Buffer.from(body)])).kind).toBe('malformed');
  });

  it('do not include a line of 998 octets or a last line without its end', () => {
    expect(readMm4(Buffer.concat([mailOf(...head, '', 'x'.repeat(998)), Buffer.from('end')])).kind).toBe('message');
  });
});
