/** Messages made to break a reader: each is refused as a value, before any of it is built. Nothing is fetched. */
import { describe, expect, it } from 'vitest';
import { readParameters } from './header-fields.ts';
import { defaultLimits } from './limits.ts';
import { readMm4 } from './mm4-read.ts';
import { readMm7, rsErrorFor } from './mm7-read.ts';
import { writeMm7 } from './mm7-write.ts';
import { damaged, mailOf, message, mm4Mail, mm7Http, seeded, soap, submitReq } from './mms-fixture.ts';
import { readSmil } from './smil.ts';
import { readXml } from './xml-read.ts';

const xml = (text: string) => readMm7({ contentType: 'text/xml', body: Buffer.from(text) });
const root = (text: string) => readXml(Buffer.from(text), '', defaultLimits);
const refusal = (reason: string) => ({ kind: 'malformed', reason });

describe('XML', () => {
  it.each([
    [
      'an entity bomb',
      `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(99)}"><!ENTITY b "&a;&a;&a;&a;">]>${soap('<CancelRsp>&b;</CancelRsp>')}`,
    ],
    [
      'an external entity',
      `<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>${soap('<CancelRsp>&a;</CancelRsp>')}`,
    ],
    ['an external document type', `<!DOCTYPE a SYSTEM "http://evil.example/a.dtd">${soap('')}`],
    ['a document type after the root', `${soap('')}<!DOCTYPE a>`],
    ['a document type in another case', `<!doctype a>${soap('')}`],
    ['an entity without a document type', `<?xml version="1.0"?><!ENTITY a "b">${soap('')}`],
  ])('%s', (_, text) => {
    expect(xml(text)).toMatchObject(refusal('value'));
  });

  it('references to undeclared entities stay text', () => {
    expect(root('<a>&xxe; &lt;b&gt; &#0; &#xD800; &#x110000; &#99999999;</a>')).toMatchObject({
      text: '&xxe; <b> &#0; &#xD800; &#x110000; &#99999999;',
    });
  });

  it.each([
    ['a million attributes', `<a ${Array.from({ length: 1_000_000 }, (_, i) => `b${i}="c"`).join(' ')}/>`],
    ['as many as fit', `<a ${Array.from({ length: 6_000 }, (_, i) => `b${i}=""`).join(' ')}/>`],
    ['ten thousand elements', `<a>${'<b/>'.repeat(10_000)}</a>`],
    ['a book', `<a>${'x'.repeat(defaultLimits.xmlBytesMax)}</a>`],
  ])('%s', (_, text) => {
    expect(root(text)).toMatchObject(refusal('limit'));
  });

  it.each([
    ['deep nesting', '<a>'.repeat(500) + '</a>'.repeat(500)],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['crossed tags', '<a><b></a></b>'],
    ['two roots', '<a/><b/>'],
    ['a control character', '<a>\u0001</a>'],
    ['a NUL', '<a>\0</a>'],
    ['the prototype as an element', '<a><__proto__><b/></__proto__></a>'],
    ['the prototype as an attribute', '<a __proto__="b"/>'],
    ['a comment without an end', '<a><!-- b </a>'],
    ['a section without an end', '<a><![CDATA[ b </a>'],
    ['only starts', '<a>'.repeat(900)],
    ['only quotes', `<a ${'"'.repeat(60_000)}/>`],
    ['only blanks', `<a ${' '.repeat(60_000)}`],
    ['UTF-8 that is none', Buffer.from('<a>\xff</a>', 'latin1').toString('latin1')],
  ])('%s', (_, text) => {
    expect(readXml(Buffer.from(text, 'latin1'), '', defaultLimits)).toMatchObject(refusal('syntax'));
  });

  it('an invalid character', () => {
    expect(root('<a>\ufffe</a>')).toMatchObject(refusal('syntax'));
  });

  it.each(['utf-16', 'utf-7', 'constructor', 'no-such'])('in %s', (charset) => {
    expect(readXml(Buffer.from('<a/>'), charset, defaultLimits)).toMatchObject(refusal('value'));
    expect(root(`<?xml version="1.0" encoding="${charset}"?><a/>`)).toMatchObject(refusal('value'));
  });

  it('more recipients than a message has', () => {
    const many = `<To>${'<Number>14155550123</Number>'.repeat(101)}</To>`;
    expect(xml(soap(`<SubmitReq><Recipients>${many}</Recipients></SubmitReq>`))).toMatchObject(refusal('limit'));
  });

  it('a presentation of only start tags', () => {
    expect(readSmil('<img '.repeat(13_000))).toEqual([]);
    expect(readSmil(`<img src${' '.repeat(60_000)}>`)).toEqual([]);
  });
});

/** Nested multiparts. */
const nested = (depth: number): Buffer => {
  const opened = Array.from(
    { length: depth },
    (_, i) => `Content-Type: multipart/mixed; boundary=b${i}x\r\n\r\n--b${i}x\r\n`,
  );
  const closed = Array.from({ length: depth }, (_, i) => `\r\n--b${depth - 1 - i}x--`);
  return Buffer.from(`${opened.join('')}Content-Type: text/plain\r\n\r\nhi${closed.join('')}\r\n`);
};
const mime = (bytes: Buffer) => readMm7({ contentType: 'multipart/mixed; boundary=top', body: bytes });

describe('MIME', () => {
  it.each([4, 5, 1_000])('%i nested multiparts', (depth) => {
    const whole = Buffer.concat([Buffer.from('--top\r\n'), nested(depth), Buffer.from('\r\n--top--')]);
    expect(mime(whole)).toMatchObject(refusal('limit'));
  });

  it('a thousand parts', () => {
    expect(mime(Buffer.from(`${'--top\r\n\r\nx\r\n'.repeat(1_000)}--top--`))).toMatchObject(refusal('limit'));
  });

  it.each([
    ['a million fields', `--top\r\n${'a: b\r\n'.repeat(1_000_000)}\r\n--top--`],
    ['a field of a megabyte', `--top\r\na: ${'b'.repeat(1_000_000)}\r\n\r\n--top--`],
    ['a field in a million folds', `--top\r\na: b\r\n${' c\r\n'.repeat(1_000_000)}\r\n--top--`],
    ['more than we take', 'x'.repeat(defaultLimits.bytesMax + 1)],
  ])('%s', (_, text) => {
    expect(mime(Buffer.from(text))).toMatchObject(refusal('limit'));
  });

  it('a body of only lines that begin like its boundary', () => {
    expect(mime(Buffer.from('--topx\r\n'.repeat(1_000_000)))).toMatchObject(refusal('syntax'));
  });

  it('octets in a header that no answer can quote', () => {
    const read = mime(Buffer.from('--top\r\n\u0001\ufffe\u{1f600}\r\n\r\n--top--'));
    if (read.kind !== 'malformed') throw new Error('it was read');
    expect(read.detail).toBe("no header field: '????'");
    expect(writeMm7(rsErrorFor(read), { dialect: read.dialect }).kind).toBe('written');
  });

  it('parameters without end', () => {
    expect(readParameters(`a/b${';a=b'.repeat(30)}`)).toMatchObject(refusal('syntax'));
    expect(readParameters(`a/b${Array.from({ length: 30 }, (_, i) => `;a${i}=b`).join('')}`)).toMatchObject(
      refusal('limit'),
    );
    expect(readParameters(`a/b;${' ;'.repeat(20_000)}${'"'.repeat(20_000)}`)).toMatchObject({ value: 'a/b' });
    expect(readParameters(`a/b; a="${'\\'.repeat(40_000)}`)).toMatchObject({ value: 'a/b' });
  });
});

const forward = {
  type: 'MM4_forward.REQ',
  transactionId: 't',
  messageId: 'm',
  ackRequest: true,
  replyTo: '',
  hidesSender: false,
  message,
} as const;

describe('MM4', () => {
  it('a line of ten megabytes', () => {
    const limits = { ...defaultLimits, bytesMax: 20_000_000 };
    expect(readMm4(Buffer.alloc(10_000_000, 'x'), limits)).toMatchObject(refusal('limit'));
  });

  it('eight-bit octets everywhere', () => {
    expect(readMm4(mailOf('Subject: \u00ff\u{1f600}', '', '\u00ff')).kind).toBe('malformed');
    expect(readMm4(Buffer.alloc(900, 0xff)).kind).toBe('malformed');
  });

  it('quoted-printable of only blanks', () => {
    const lines = Array.from({ length: 5_000 }, () => ' '.repeat(900));
    const read = readMm4(mailOf('Content-Transfer-Encoding: quoted-printable', '', ...lines));
    expect(read).toMatchObject(refusal('missing'));
  });

  it('a To of only commas, quotes or brackets', () => {
    for (const sign of [',', '"', '<', '\\', '(']) {
      const bytes = mm4Mail(forward)
        .bytes.toString('latin1')
        .replace(/To: [^\r]*/, `To: ${`${sign.repeat(900)}\r\n `.repeat(20)}`);
      expect(readMm4(Buffer.from(bytes, 'latin1'))).toMatchObject({ message: { message: { to: [] } } });
    }
  });
});

describe('cut short and damaged', () => {
  it('an MM4 message cut anywhere is a value', () => {
    const { bytes } = mm4Mail(forward);
    for (let length = 0; length < bytes.length - 4; length++) {
      expect(readMm4(bytes.subarray(0, length)).kind).toBe('malformed');
    }
  });

  it('an MM7 request cut anywhere is a value', () => {
    const { headers, body } = mm7Http(submitReq);
    for (let length = 0; length < body.length - 4; length++) {
      expect(readMm7({ contentType: headers['content-type'], body: body.subarray(0, length) }).kind).toBe('malformed');
    }
  });

  it('damaged ones are values', () => {
    const random = seeded(20261121);
    const { bytes } = mm4Mail(forward);
    const { headers, body } = mm7Http(submitReq);
    for (let i = 0; i < 3_000; i++) {
      expect(readMm4(damaged(bytes, random)).kind).toMatch(/^(message|malformed)$/);
      const read = readMm7({ contentType: headers['content-type'], body: damaged(body, random) });
      if (read.kind === 'malformed') {
        expect(writeMm7(rsErrorFor(read), { dialect: read.dialect }).kind).toBe('written');
      }
    }
  });
});
