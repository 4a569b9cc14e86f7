import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptAll, openTestServer, rawHead, speak, speakRaw, type TestServer } from './server-fixture.ts';

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer();
});
afterAll(() => testServer.close());
beforeEach(() => {
  testServer.flow.accept = acceptAll;
  testServer.sends.length = 0;
});

const body = '{"from":"12025550199","to":["12025550100"],"text":"Hi"}';
const size = body.length;
const hex = size.toString(16);
const chunked = `${hex}\r\n${body}\r\n0\r\n\r\n`;

/** A complete valid request that the server must never treat as a request of its own. */
const second = (): string => `${rawHead(testServer, [`Content-Length: ${size}`])}${body}`;

type Case = [name: string, headers: string[], content: string];

/** The end of a request must never be ambiguous (RFC 9112 §6.3, §11.2). */
const framing: Case[] = [
  ['both lengths', [`Content-Length: ${size}`, 'Transfer-Encoding: chunked'], chunked],
  ['both lengths, the other way', ['Transfer-Encoding: chunked', `Content-Length: ${size}`], chunked],
  ['length 0 and chunked', ['Content-Length: 0', 'Transfer-Encoding: chunked'], chunked],
  ['length and chunked in odd case', [`content-length: ${size}`, 'tRANSFER-eNCODING: cHUNKED'], chunked],
  ['two lengths that differ', [`Content-Length: ${size}`, 'Content-Length: 0'], body],
  ['two lengths that agree', [`Content-Length: ${size}`, `Content-Length: ${size}`], body],
  ['a list of lengths', [`Content-Length: ${size}, ${size}`], body],
  ['a length with plus', [`Content-Length: +${size}`], body],
  ['a negative length', ['Content-Length: -1'], body],
  ['a length in hex', [`Content-Length: 0x${hex}`], body],
  ['a length with a dot', [`Content-Length: ${size}.0`], body],
  ['a length with an exponent', ['Content-Length: 5e1'], body],
  ['an empty length', ['Content-Length: '], body],
  ['a length that overflows', ['Content-Length: 18446744073709551616'], body],
  ['a length of letters', ['Content-Length: ten'], body],
  ['a length with a space inside', ['Content-Length: 5 5'], body],
  ['a length with a trailing letter', [`Content-Length: ${size}x`], body],
  ['xchunked', ['Transfer-Encoding: xchunked'], chunked],
  ['identity', ['Transfer-Encoding: identity'], chunked],
  ['chunked, identity', ['Transfer-Encoding: chunked, identity'], chunked],
  ['identity, chunked', ['Transfer-Encoding: identity, chunked'], chunked],
  ['gzip, chunked', ['Transfer-Encoding: gzip, chunked'], chunked],
  ['chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunked],
  ['chunked, chunked', ['Transfer-Encoding: chunked, chunked'], chunked],
  ['chunked in quotes', ['Transfer-Encoding: "chunked"'], chunked],
  ['chunked with a parameter', ['Transfer-Encoding: chunked;q=1'], chunked],
  ['a space before the colon', ['Transfer-Encoding : chunked'], chunked],
  ['a tab before the colon', ['Transfer-Encoding\t: chunked'], chunked],
  ['a vertical tab before chunked', ['Transfer-Encoding: \x0bchunked'], chunked],
  ['a folded coding', ['Transfer-Encoding:\r\n chunked'], chunked],
  ['a NUL in the coding', ['Transfer-Encoding: chunked\0'], chunked],
  ['an empty coding', ['Transfer-Encoding: '], chunked],
  ['a comma alone', ['Transfer-Encoding: ,'], chunked],
  ['a coding behind a bare LF', ['X: y\nTransfer-Encoding: chunked'], chunked],
  ['a coding behind a bare CR', ['X: y\rTransfer-Encoding: chunked'], chunked],
  ['a folded header', ['X: y\r\n z', `Content-Length: ${size}`], body],
  ['a header without colon', ['nonsense', `Content-Length: ${size}`], body],
  ['a header without name', [': x', `Content-Length: ${size}`], body],
  ['a header name with a space', ['Bad Name: x', `Content-Length: ${size}`], body],
  ['a header name in brackets', ['(x): y', `Content-Length: ${size}`], body],
  ['a NUL in a header', ['X: a\0b', `Content-Length: ${size}`], body],
  ['two Hosts', ['Host: other.example', `Content-Length: ${size}`], body],
];

const badChunks: [name: string, content: string][] = [
  ['a negative chunk size', `-${hex}\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk size with 0x', `0x${hex}\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk size with plus', `+${hex}\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk size with a leading space', ` ${hex}\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk size that overflows', `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk size of letters', `zz\r\n${body}\r\n0\r\n\r\n`],
  ['an empty chunk size', `\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk size ended by a bare LF', `${hex}\n${body}\r\n0\r\n\r\n`],
  ['a chunk size ended by a bare CR', `${hex}\r${body}\r\n0\r\n\r\n`],
  ['chunk data ended by a bare LF', `${hex}\r\n${body}\n0\r\n\r\n`],
  ['chunk data longer than announced', `${hex}\r\n${body}XX\r\n0\r\n\r\n`],
  ['chunk data shorter than announced', `${(size + 5).toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ['a last chunk ended by a bare LF', `${hex}\r\n${body}\r\n0\n\n`],
  ['a trailer that is a length', `${hex}\r\n${body}\r\n0\r\nContent-Length: 5\r\n\r\n`],
  ['a trailer that is a coding', `${hex}\r\n${body}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n`],
  ['a chunk extension with a NUL', `${hex};a=\0\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk extension with a bare LF', `${hex};a\n${body}\r\n0\r\n\r\n`],
  ['a chunk extension without end', `${hex};${'a'.repeat(40_000)}`],
];

const requestLines: [name: string, line: string][] = [
  ['HTTP/0.9', 'GET /SendSMS'],
  ['HTTP/1.2', 'POST /SendSMS HTTP/1.2'],
  ['HTTP/2.0', 'POST /SendSMS HTTP/2.0'],
  ['HTTP/11', 'POST /SendSMS HTTP/11'],
  ['http in lower case', 'POST /SendSMS http/1.1'],
  ['a method in lower case', 'post /SendSMS HTTP/1.1'],
  ['an unknown method', 'SEND /SendSMS HTTP/1.1'],
  ['two spaces in the path', 'POST /SendSMS x HTTP/1.1'],
  ['a tab for a space', 'POST\t/SendSMS\tHTTP/1.1'],
  ['a NUL in the path', 'POST /Send\0SMS HTTP/1.1'],
  ['a bare LF after the line', 'POST /SendSMS HTTP/1.1\nX: y'],
  ['no path', 'POST  HTTP/1.1'],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'],
  ['an SMPP bind', '\0\0\0\x20\0\0\0\x09\0\0\0\0\0\0\0\x01'],
];

describe('H-12 SEC-74 request smuggling', () => {
  it('has a corpus worth the name', () => {
    expect(framing.length + badChunks.length + requestLines.length).toBeGreaterThanOrEqual(60);
  });

  async function refused(bytes: string): Promise<void> {
    const { text, statuses } = await speakRaw(testServer, bytes + second());
    expect(statuses, text).toEqual([400]);
    expect(text).toMatch(/"reason":"(INVALID_REQUEST|NOT_AUTHORIZED)"/);
    expect(text).toContain('Connection: close');
    expect(text).toContain('X-Request-Id: req_');
    expect(testServer.sends).toEqual([]);
  }

  it.each(framing)('%s: 400, closed, and what follows is no request', async (_name, headers, content) => {
    await refused(rawHead(testServer, headers) + content);
  });

  it.each(badChunks)('%s: 400, closed, and what follows is no request', async (_name, content) => {
    await refused(rawHead(testServer, ['Transfer-Encoding: chunked']) + content);
  });

  it.each(requestLines)('%s: 400, closed, and what follows is no request', async (_name, line) => {
    await refused(`${line}\r\nHost: gateway.example\r\nContent-Length: ${size}\r\n\r\n${body}`);
  });

  it('chunked in HTTP/1.0 is refused', async () => {
    await refused(rawHead(testServer, ['Transfer-Encoding: chunked']).replace('HTTP/1.1', 'HTTP/1.0') + chunked);
  });

  it('no Host is refused, and an unknown expectation is', async () => {
    await refused(rawHead(testServer, [`Content-Length: ${size}`]).replace('Host: gateway.example\r\n', '') + body);
    await refused(rawHead(testServer, ['Expect: a-miracle', `Content-Length: ${size}`]) + body);
  });

  it('the same bytes in small pieces are refused the same', async () => {
    for (const [, headers, content] of framing.slice(0, 8)) {
      const bytes = rawHead(testServer, headers) + content + second();
      const pieces = bytes.match(/[\s\S]{1,7}/g)!;
      const { statuses } = await speakRaw(testServer, ...pieces);
      expect(statuses).toEqual([400]);
    }
    expect(testServer.sends).toEqual([]);
  });
});

describe('several requests on one connection', () => {
  it('sent without waiting are answered in order', async () => {
    const one = rawHead(testServer, [`Content-Length: ${size}`]) + body;
    const last = rawHead(testServer, [`Content-Length: ${size}`, 'Connection: close']) + body;
    const { text, statuses } = await speakRaw(testServer, one + one.replace('apikey=', 'apikey=wrong') + last);
    expect(statuses).toEqual([200, 400, 200]);
    expect(text.match(/"reason":"\w+"/g)).toEqual([
      '"reason":"SUCCESS"',
      '"reason":"NOT_AUTHORIZED"',
      '"reason":"SUCCESS"',
    ]);
    expect(testServer.sends).toHaveLength(2);
  });

  it('of which the later is garbage: the earlier, which is accepted, gets its own answer and no other', async () => {
    let commit = (): void => {};
    testServer.flow.accept = (...params) =>
      new Promise((resolve) => {
        commit = () => resolve(acceptAll(...params));
      });
    const answers = speakRaw(testServer, `${rawHead(testServer, [`Content-Length: ${size}`])}${body}GARBAGE\0\r\n\r\n`);
    await expect.poll(() => testServer.sends.length).toBe(1);
    // Gives the parser time to find the garbage before the answer is sent.
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    commit();
    const { statuses, text } = await answers;
    expect(statuses, text).toEqual([200]);
    expect(text).toContain('Connection: close');
  });

  it('after one whose body is cut short nothing else is read', async () => {
    const { statuses } = await speakRaw(
      testServer,
      `${rawHead(testServer, ['Content-Length: 300000'])}${body}${second()}`,
    );
    expect(statuses).toEqual([400]);
    expect(testServer.sends).toEqual([]);
  });

  it('a chunked body with extensions and trailers is one request', async () => {
    const half = body.slice(0, 10);
    const rest = body.slice(10);
    const { statuses } = await speakRaw(
      testServer,
      `${rawHead(testServer, ['Transfer-Encoding: chunked', 'Connection: close'])}a;x=y\r\n${half}\r\n${rest.length.toString(16)}\r\n${rest}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
    );
    expect(statuses).toEqual([200]);
    expect((await speak(testServer)).status).toBe(200);
  });
});
