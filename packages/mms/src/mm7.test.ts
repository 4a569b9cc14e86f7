/** MM7 both ways: written messages read back equal; peers' messages are read by their meaning. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mm7Dialect, mm7Schemas } from './mm7-dialect.ts';
import { readMm7, rsErrorFor } from './mm7-read.ts';
import { mm7StatusOf } from './mm7-status.ts';
import type { Mm7Message, Mm7Written } from './mm7-types.ts';
import { writeMm7 } from './mm7-write.ts';
import {
  digitsByChance,
  idByChance,
  message,
  messageByChance,
  mm7Http,
  mm7Options,
  momentByChance,
  now,
  soap,
  submitReq,
  wordsByChance,
} from './mms-fixture.ts';
import { emptyMessage } from './mms-message.ts';

const again = (written: Mm7Written, options = mm7Options) => {
  const { headers, body } = mm7Http(written, options);
  return readMm7({ contentType: headers['content-type'], body });
};

const readXmlText = (xml: string, contentType = 'text/xml; charset=utf-8') =>
  readMm7({ contentType, body: Buffer.from(xml) });

const messageIn = (xml: string): Mm7Message => {
  const read = readXmlText(xml);
  if (read.kind !== 'message') throw new Error(read.detail);
  return read.message;
};

const status = mm7StatusOf(1000);
const transactionId = 'tx-9';
const report = {
  transactionId,
  mmsRelayServerId: 'relay',
  messageId: 'm-1',
  recipient: '14155550123',
  sender: '47711',
  statusText: 'a < b & "c"',
};

const everyOperation: Mm7Written[] = [
  submitReq,
  { type: 'SubmitRsp', transactionId, status, messageId: 'm-1' },
  {
    type: 'SubmitRsp',
    transactionId,
    status: { code: 1100, text: 'x', failedRecipients: ['14155550123', '47711'] },
    messageId: 'm',
  },
  { type: 'SubmitRsp', transactionId, status: mm7StatusOf(2004), messageId: '' },
  {
    type: 'DeliverReq',
    transactionId,
    mmsRelayServerId: 'relay',
    vaspId: 'v',
    vasId: 'a',
    linkedId: 'l-1',
    timeStamp: now,
    message: { ...message, deliveryReport: false, expiry: null },
  },
  { type: 'DeliverRsp', transactionId, status, serviceCode: 's' },
  { type: 'DeliveryReportReq', ...report, date: now, mmStatus: 'Retrieved' },
  { type: 'ReadReplyReq', ...report, timeStamp: now, readStatus: 'Deleted without being read' },
  { type: 'CancelReq', transactionId, vaspId: 'v', vasId: 'a', messageId: 'm-1' },
  { type: 'DeliveryReportRsp', transactionId, status },
  { type: 'ReadReplyRsp', transactionId, status },
  { type: 'CancelRsp', transactionId, status },
  { type: 'RSErrorRsp', transactionId, status: mm7StatusOf(4004) },
  { type: 'VASPErrorRsp', transactionId, status: mm7StatusOf(2007) },
];

describe('round trip', () => {
  it.each(everyOperation.map((written) => [written.type, written] as const))('%s', (_, written) => {
    expect(again(written)).toEqual({ kind: 'message', message: written, dialect: mm7Options.dialect });
  });

  it.each(mm7Schemas)('in the dialect %s', (schema) => {
    const dialect = mm7Dialect(schema);
    expect(again(submitReq, { dialect })).toEqual({ kind: 'message', message: submitReq, dialect });
  });

  it('with unencoded media', () => {
    const { body } = mm7Http(submitReq, { ...mm7Options, transferEncoding: 'binary' });
    expect(body.includes(message.parts[0]!.bytes)).toBe(true);
    expect(again(submitReq, { ...mm7Options, transferEncoding: 'binary' })).toMatchObject({ message: submitReq });
  });

  it('of any message', () => {
    const requests = fc.record({
      message: messageByChance,
      transactionId: idByChance,
      vaspId: wordsByChance,
      serviceCode: wordsByChance,
      earliestDeliveryTime: fc.oneof(fc.constant(null), fc.nat(), momentByChance),
    });
    fc.assert(
      fc.property(requests, fc.constantFrom('base64', 'binary'), (fields, transferEncoding) => {
        const request: Mm7Written = { ...submitReq, ...fields };
        expect(again(request, { ...mm7Options, transferEncoding })).toMatchObject({
          kind: 'message',
          message: request,
        });
      }),
    );
  });

  it('of any report', () => {
    fc.assert(
      fc.property(
        digitsByChance,
        digitsByChance,
        wordsByChance,
        momentByChance,
        (recipient, sender, statusText, date) => {
          const written: Mm7Written = {
            type: 'DeliveryReportReq',
            ...report,
            recipient,
            sender,
            statusText,
            date,
            mmStatus: 'Expired',
          };
          expect(again(written)).toMatchObject({ message: written });
        },
      ),
    );
  });
});

describe('HTTP', () => {
  it('a request with content: multipart/related, start, SOAPAction and Content-Length', () => {
    const { headers, body, httpStatus } = mm7Http(submitReq);
    expect(headers['content-type']).toMatch(
      /^multipart\/related; boundary="[^"]+"; type="text\/xml"; start="<envelope@mms>"$/,
    );
    expect(headers).toMatchObject({ soapaction: '""', 'content-length': String(body.length) });
    expect(httpStatus).toBe(200);
    expect(body.toString('latin1')).toContain('<Content href="cid:content@mms"/>');
  });

  it('a request without content is plain XML', () => {
    const plain = { ...submitReq, message: { ...emptyMessage, to: ['14155550123'] } };
    expect(mm7Http(plain).headers['content-type']).toBe('text/xml; charset=utf-8');
  });

  it('an error is a SOAP fault with 500', () => {
    const http = mm7Http({ type: 'RSErrorRsp', transactionId, status: mm7StatusOf(2007) });
    expect(http.httpStatus).toBe(500);
    expect(http.body.toString()).toContain('<env:Fault><faultcode>env:Client</faultcode>');
  });

  it('the same message makes the same bytes, and another content another boundary', () => {
    expect(mm7Http(submitReq).body).toEqual(mm7Http(submitReq).body);
    const parts = [{ ...message.parts[0]!, bytes: Buffer.from('other') }, message.parts[1]!];
    const other = { ...submitReq, message: { ...message, parts } };
    expect(mm7Http(other).headers['content-type']).not.toBe(mm7Http(submitReq).headers['content-type']);
  });

  it('a short code has no plus, a number has one unless the peer wants none', () => {
    const { body } = mm7Http(
      { ...submitReq, message: { ...message, to: ['47711', '14155550123'] } },
      { ...mm7Options, plus: false },
    );
    expect(body.toString('latin1')).toContain('<To><ShortCode>47711</ShortCode><Number>14155550123</Number></To>');
    expect(mm7Http(submitReq).body.toString('latin1')).toContain('<Number>+14155550123</Number>');
  });
});

describe('unwritable values', () => {
  const wrong = (change: Partial<typeof submitReq>) => writeMm7({ ...submitReq, ...change }, mm7Options);

  it.each([
    ['TransactionID', { transactionId: '' }],
    ['Recipients', { message: { ...message, to: [] } }],
    ['To', { message: { ...message, to: ['+1415'] } }],
    ['SenderAddress', { message: { ...message, from: '1<2' } }],
    ['ExpiryDate', { message: { ...message, expiry: -1 } }],
    ['ExpiryDate', { message: { ...message, expiry: new Date(Number.NaN) } }],
    ['TimeStamp', { timeStamp: new Date(8e15) }],
    ['text', { vaspId: 'a\0b' }],
    ['text', { message: { ...message, subject: '\ud800' } }],
    ['fileName', { message: { ...message, parts: [{ ...message.parts[0]!, fileName: 'a"\r\nX: y' }] } }],
    ['contentId', { message: { ...message, parts: [{ ...message.parts[0]!, contentId: 'a>b' }] } }],
    ['contentType', { message: { ...message, parts: [{ ...message.parts[0]!, contentType: 'image/png; a=b' }] } }],
    ['parts', { message: { ...message, parts: [message.parts[0]!, message.parts[0]!] } }],
  ])('%s', (field, change) => {
    expect(wrong(change)).toMatchObject({ kind: 'unwritable', field });
  });

  it('a taken submission without an id, and an invalid status', () => {
    expect(writeMm7({ type: 'SubmitRsp', transactionId, status, messageId: '' }, mm7Options)).toMatchObject({
      field: 'MessageID',
    });
    const broken = { type: 'CancelRsp', transactionId, status: mm7StatusOf(99) } as const;
    expect(writeMm7(broken, mm7Options)).toMatchObject({ field: 'StatusCode' });
  });

  it('an answer to a request without a transaction has none', () => {
    const answer: Mm7Written = { type: 'CancelRsp', transactionId: '', status };
    expect(again(answer)).toMatchObject({ kind: 'message', message: answer });
    expect(mm7Http(answer).body.includes('TransactionID')).toBe(false);
  });

  it('a namespace of a peer cannot break out of its attribute', () => {
    const dialect = { namespace: 'a"><x/>$&', version: '6.8.0' };
    expect(again({ type: 'CancelRsp', transactionId, status }, { dialect })).toMatchObject({
      kind: 'message',
      dialect,
    });
  });
});

describe('peers’ messages', () => {
  it('any prefix, any order, numbers with and without plus, unknown elements', () => {
    const xml = soap(
      `<mm7:DeliverReq xmlns:mm7="urn:x"><mm7:Subject>Hi &amp; &#x1F600;</mm7:Subject><mm7:Unheard/><mm7:MM7Version>6.8.0</mm7:MM7Version>
       <mm7:Sender><mm7:Number>16175550123</mm7:Number></mm7:Sender>
       <mm7:Recipients><mm7:To><mm7:Number displayOnly="false">+12025550100</mm7:Number><mm7:ShortCode>47711</mm7:ShortCode></mm7:To>
       <mm7:Cc><mm7:RFC2822Address>+14155550123/TYPE=PLMN@x.example</mm7:RFC2822Address></mm7:Cc></mm7:Recipients></mm7:DeliverReq>`,
    );
    expect(readXmlText(xml)).toMatchObject({
      dialect: { namespace: 'urn:x', version: '6.8.0' },
      message: {
        transactionId: 't',
        message: {
          from: '16175550123',
          to: ['12025550100', '47711'],
          cc: ['14155550123'],
          subject: 'Hi & 😀',
          parts: [],
        },
      },
    });
  });

  it('the SOAP part by its start, the content by its cid, lone line feeds between them', () => {
    const xml = soap(
      '<SubmitReq><Recipients><To>14155550123</To></Recipients><Content href="cid:pic%40x"/></SubmitReq>',
    );
    const body = `--b\nContent-ID: <pic@x>\nContent-Type: image/gif\n\nGIF89a\n--b\nContent-Type: text/xml\nContent-ID: <soap>\n\n${xml}\n--b--`;
    const read = readMm7({ contentType: 'Multipart/Related; boundary=b; start="<soap>"', body: Buffer.from(body) });
    expect(read).toMatchObject({
      message: { type: 'SubmitReq', message: { parts: [{ contentType: 'image/gif', bytes: Buffer.from('GIF89a') }] } },
    });
  });

  it('the root of MTOM', () => {
    const xml = soap('<SubmitReq><Recipients><To>14155550123</To></Recipients><Content href="cid:a"/></SubmitReq>');
    const body = `--b\r\nContent-Type: application/xop+xml; type="text/xml"\r\n\r\n${xml}\r\n--b\r\nContent-Type: image/gif\r\nContent-ID: <a>\r\n\r\nGIF89a\r\n--b--`;
    const contentType = 'multipart/related; boundary=b; type="application/xop+xml"; start-info="text/xml"';
    expect(readMm7({ contentType, body: Buffer.from(body) })).toMatchObject({
      message: { type: 'SubmitReq', message: { parts: [{ contentType: 'image/gif' }] } },
    });
  });

  it('the content that the request refers to among several, and no delimiter inside a line', () => {
    const xml = soap('<SubmitReq><Recipients><To>14155550123</To></Recipients><Content href="cid:b%40x"/></SubmitReq>');
    const content = (id: string) =>
      `Content-ID: <${id}@x>\r\nContent-Type: multipart/mixed; boundary=in\r\n\r\n--in\r\n\r\n${id} --top--\r\n--in--`;
    const body = ['', 'Content-Type: text/xml\r\n\r\n'.concat(xml), content('a'), content('b')].join('\r\n--top\r\n');
    const read = readMm7({ contentType: 'multipart/related; boundary=top', body: Buffer.from(`${body}\r\n--top--`) });
    expect(read).toMatchObject({ message: { message: { parts: [{ bytes: Buffer.from('b --top--') }] } } });
  });

  it('a fault inside HTTP 200 with and without MM7 elements', () => {
    const fault = (detail: string) =>
      soap(`<s:Fault><faultcode>s:Server</faultcode><faultstring>no</faultstring>${detail}</s:Fault>`);
    expect(
      messageIn(fault('<detail><RSErrorRsp><Status><StatusCode>3000</StatusCode></Status></RSErrorRsp></detail>')),
    ).toMatchObject({
      type: 'RSErrorRsp',
      status: { code: 3000 },
    });
    expect(messageIn(fault(''))).toEqual({
      type: 'Fault',
      transactionId: 't',
      faultCode: 's:Server',
      faultString: 'no',
    });
  });

  it.each(['text/html', 'text/plain; charset=utf-8', 'application/octet-stream'])('SOAP labelled %s', (contentType) => {
    const xml = soap('<CancelRsp><Status><StatusCode>1000</StatusCode></Status></CancelRsp>');
    for (const body of [xml, `\ufeff${xml}`]) {
      expect(readMm7({ contentType, body: Buffer.from(body) })).toMatchObject({ message: { type: 'CancelRsp' } });
    }
  });

  it('ISO-8859-1, and a byte order mark', () => {
    const xml = soap(
      '<CancelRsp><Status><StatusCode>1000</StatusCode><StatusText>caf\u00e9</StatusText></Status></CancelRsp>',
    );
    const latin = readMm7({ contentType: 'text/xml; charset=ISO-8859-1', body: Buffer.from(xml, 'latin1') });
    expect(latin).toMatchObject({ message: { status: { text: 'café' } } });
    expect(readXmlText(`\ufeff${xml}`)).toMatchObject({ kind: 'message' });
  });

  const deliver = (sender: string, more = '') =>
    soap(`<DeliverReq>${more}<Sender><Number>${sender}</Number></Sender></DeliverReq>`);
  const report = (recipient: string, more = '') =>
    soap(
      `<DeliveryReportReq><MessageID>m</MessageID><Recipient><Number>${recipient}</Number></Recipient>${more}<MMStatus>Retrieved</MMStatus></DeliveryReportReq>`,
    );

  it.each([
    '2026-11-30 07:26:41',
    '20261130T072641Z',
    'Mon, 30 Nov 2026 07:26:41 GMT',
    '2026-11-30T07:26:41+00',
    'soon',
  ])('a reply or report is taken without its time, which is no xs:dateTime: %s', (time) => {
    expect(messageIn(deliver('14155550123', `<TimeStamp>${time}</TimeStamp>`))).toMatchObject({ timeStamp: null });
    expect(messageIn(report('14155550123', `<Date>${time}</Date>`))).toMatchObject({ date: null, messageId: 'm' });
  });

  it.each([
    ['tel:+14155550123', '14155550123'],
    ['TEL:+1-415-555-0123;phone-context=+1', '14155550123'],
    ['anonymous', ''],
    ['', ''],
  ])('a report for %j', (written, recipient) => {
    const sender = `<Sender><ShortCode>${written}</ShortCode></Sender>`;
    expect(messageIn(report(written, sender))).toMatchObject({ recipient, sender: recipient, mmStatus: 'Retrieved' });
  });

  it.each([
    ['tel:+14155550123', '14155550123'],
    ['MyBank', 'MyBank'],
    ['  My\n  Bank ', 'My Bank'],
    ['sip:+1415@x.y', 'sip:+1415@x.y'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('a reply from %j', (written, from) => {
    const recipients = '<Recipients><To><Number>you</Number><Number>12025550100</Number></To></Recipients>';
    expect(messageIn(deliver(written, recipients))).toMatchObject({ message: { from, to: ['12025550100'] } });
  });

  it.each([
    ['P1D', 86_400],
    ['PT90M', 5_400],
    ['P1DT1H1M1.5S', 90_061],
    ['2026-11-21T05:37:42', new Date('2026-11-21T05:37:42Z')],
    ['2026-11-21T05:37:42.123456+0100', new Date('2026-11-21T04:37:42Z')],
  ])('ExpiryDate %s', (written, expiry) => {
    const xml = soap(
      `<SubmitReq><Recipients><To>14155550123</To></Recipients><ExpiryDate>${written}</ExpiryDate></SubmitReq>`,
    );
    expect(messageIn(xml)).toMatchObject({ message: { expiry } });
  });
});

describe('unreadable messages', () => {
  const sound = '<SubmitReq><Recipients><To>14155550123</To></Recipients></SubmitReq>';

  it.each([
    ['no body', '', 'missing', 4004],
    ['no XML', 'hello', 'syntax', 2007],
    ['cut short', soap(sound).slice(0, -9), 'syntax', 2007],
    ['no envelope', '<a/>', 'missing', 4004],
    ['an empty SOAP body', soap(''), 'missing', 4004],
    ['two operations', soap(sound + sound), 'value', 4004],
    ['an unknown operation', soap('<ReplaceReq/>'), 'value', 4003],
    ['an operation named like a property of every object', soap('<toString/>'), 'value', 4003],
    ['no recipients', soap('<SubmitReq/>'), 'missing', 4004],
    ['a recipient that is none', soap(sound.replace('14155550123', 'you')), 'value', 4004],
    ['a time that is none', soap(sound.replace('</Sub', '<TimeStamp>soon</TimeStamp></Sub')), 'value', 4004],
    ['a reply of nobody', soap('<DeliverReq><Sender><Number> </Number></Sender></DeliverReq>'), 'missing', 4004],
    ['no status', soap('<SubmitRsp/>'), 'missing', 4004],
    [
      'a status that is none',
      soap('<SubmitRsp><Status><StatusCode>10</StatusCode></Status></SubmitRsp>'),
      'missing',
      4004,
    ],
    [
      'a report without an id',
      soap('<DeliveryReportReq><MMStatus>Expired</MMStatus></DeliveryReportReq>'),
      'missing',
      4004,
    ],
    ['content that is not there', soap(sound.replace('</Sub', '<Content href="cid:x"/></Sub')), 'missing', 4004],
  ])('%s', (_, xml, reason, statusCode) => {
    const read = readXmlText(xml);
    expect(read).toMatchObject({ kind: 'malformed', reason, statusCode });
  });

  it.each([
    ['JSON', 'application/json', '{}'],
    ['a page', 'text/html', '<!doctype html><html><body>Welcome</body></html>'],
    ['a page that is XML', 'text/html', '<html><body>Welcome</body></html>'],
    ['a page that is no XML', 'text/html', '<html><br>Welcome</html>'],
    ['a multipart without a boundary', 'multipart/related', '--\r\n\r\n\r\n----'],
    ['a multipart of pictures', 'multipart/related; boundary=b', '--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b--'],
  ])('%s', (_, contentType, body) => {
    const read = readMm7({ contentType, body: Buffer.from(body) });
    expect(read).toMatchObject({ kind: 'malformed' });
    if (contentType === 'text/html') expect(read).toMatchObject({ detail: "'text/html' where SOAP should be" });
  });

  it('are answered in the dialect of the peer, with its transaction', () => {
    const read = readXmlText(soap('<ReplaceReq xmlns="urn:old"><MM7Version>5.2.0</MM7Version></ReplaceReq>'));
    if (read.kind !== 'malformed') throw new Error('it was read');
    expect(rsErrorFor(read)).toMatchObject({ type: 'RSErrorRsp', transactionId: 't', status: { code: 4003 } });
    expect(read.dialect).toEqual({ namespace: 'urn:old', version: '5.2.0' });
  });
});
