/** The MM7 adapter: the contract, the bytes on the wire, and failing connections. */
import { createServer as createTcpServer } from 'node:net';
import { mm7StatusOf } from '@heliograph/mms';
import { afterEach, describe, expect, it } from 'vitest';
import { quiet, until, untilPassing } from '../../../../../test/props/clock.ts';
import { otherCertificate, otherKey, testCertificate, testKey } from '../../http/tls-fixture.ts';
import type { Logger } from '../../kernel/logger.ts';
import { carrierContract } from '../carrier.contract.ts';
import { mmsSubmission, type RecordingSink, recordingSink, tinyPng } from '../carrier-fixture.ts';
import { type Mm7UnderTest, mm7Bytes, type OpenMm7, openMm7 } from './mm7-fixture.ts';

const peerTls = { cert: testCertificate, key: testKey };

carrierContract('mm7', () => openMm7(), 'MMS');
carrierContract('mm7 over TLS', () => openMm7({ tls: peerTls, profile: { caCertificate: testCertificate } }), 'MMS');

let subject: Mm7UnderTest | undefined;
let sink: RecordingSink;

async function open(options: OpenMm7 = {}): Promise<void> {
  subject = await openMm7(options);
  sink = recordingSink();
  subject.carrier.start(sink);
  await until(() => sink.links.length > 0);
}
afterEach(() => subject?.close());

const carrier = () => subject!.carrier;
const peer = () => subject!.peer;
const clock = () => subject!.clock;
const submitted = (count: number): Promise<void> => until(() => peer().submits.length === count);
const results = () => sink.resultBatches.flat();
const answered = (count: number): Promise<void> => until(() => results().length === count);
const lastOutcome = () => results().at(-1)?.outcome;

async function exchange(submission = mmsSubmission(1), id = 'A1') {
  const before = peer().submits.length;
  carrier().submit([submission]);
  await submitted(before + 1);
  const submit = peer().submits[before]!;
  submit.accept(id);
  await answered(before + 1);
  return submit;
}

describe('a SubmitReq', () => {
  it('goes as one POST with its length, SOAPAction and credentials', async () => {
    await open();
    const { headers, body, request } = await exchange();
    expect(headers).toMatchObject({
      'content-length': String(body.length),
      soapaction: '""',
      authorization: `Basic ${Buffer.from('us:outbound-secret').toString('base64')}`,
      'content-type': expect.stringMatching(
        /^multipart\/related; boundary="[^"]+"; type="text\/xml"; start="<[^>]+>"$/,
      ),
    });
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(request).toMatchObject({
      transactionId: 'msg_1',
      vaspId: 'heliograph',
      vasId: 'vas',
      serviceCode: '',
      message: {
        from: '12025550199',
        to: ['12025550100'],
        cc: [],
        subject: '',
        deliveryReport: true,
        readReply: false,
      },
    });
  });

  it('holds the media in their order, the text as caption, and a presentation of both', async () => {
    await open();
    const jpeg = { type: 'image/jpeg' as const, sizeBytes: 3, load: async () => Buffer.from([0xff, 0xd8, 0xff]) };
    const { request, body } = await exchange(
      mmsSubmission(1, { text: 'Grüße\n£5', media: [jpeg, ...mmsSubmission(1).media] }),
    );
    expect(request.message.parts.map(({ contentType, fileName }) => [contentType, fileName])).toEqual([
      ['image/jpeg', '1.jpg'],
      ['text/plain', 'text.txt'],
      ['image/png', '2.png'],
    ]);
    expect(peer().submits[0]!.text).toBe('Grüße\n£5');
    expect(request.message.parts[2]!.bytes).toEqual(tinyPng);
    expect(request.message.smil).toContain('<img src="1.jpg" region="Image"/><text src="text.txt" region="Text"/>');
    expect(body.toString('latin1').match(/^Content-ID: /gm)).toHaveLength(6);
  });

  it('has no text part for an empty text, and what the profile leaves out', async () => {
    await open({ profile: { username: '', deliveryReport: false, serviceCode: 'gold' } });
    const { request, headers } = await exchange(mmsSubmission(1, { text: '' }));
    expect(request.message.parts).toHaveLength(1);
    expect(request).toMatchObject({ serviceCode: 'gold', message: { deliveryReport: false } });
    expect(headers).not.toHaveProperty('authorization');
  });

  it('has the same octets when it is sent again, and reports its acceptance', async () => {
    await open();
    const messageId = 'msg_01HF7YAT0V0000000000000000';
    const first = await exchange(mmsSubmission(1, { messageId }));
    clock().pass(7_000);
    const again = await exchange(mmsSubmission(1, { messageId, attempt: 2 }));
    expect(again!.body.equals(first!.body)).toBe(true);
    expect(first!.request.transactionId).toBe(messageId);
    expect(first!.request.timeStamp?.toISOString().slice(0, 10)).toBe('2023-11-14');
  });

  it('speaks the dialect of the profile', async () => {
    await open({ profile: { schema: 'REL-5-MM7-1-2', version: '5.5.0' } });
    const { body } = await exchange();
    expect(body.toString('latin1')).toMatch(/schema\/REL-5-MM7-1-2"><MM7Version>5\.5\.0</);
  });

  it('uses a connection again', async () => {
    await open();
    for (const n of [1, 2, 3]) {
      await exchange(mmsSubmission(n));
      await quiet();
    }
    expect(new Set(peer().submits.map(({ socket }) => socket)).size).toBe(1);
  });

  it('may be answered after a 100 Continue that nobody asked for, time and again', async () => {
    await open();
    for (const n of [1, 2]) {
      carrier().submit([mmsSubmission(n)]);
      await submitted(n);
      const submit = peer().submits[n - 1]!;
      submit.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      await quiet();
      submit.accept(`A${n}`);
      await answered(n);
      expect(lastOutcome()).toMatchObject({ kind: 'accepted' });
      await quiet();
    }
    expect(new Set(peer().submits.map(({ socket }) => socket)).size).toBe(1);
  });

  it('is never sent through a proxy of the environment', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : 'http://127.0.0.1:1';
    try {
      await open();
      await exchange();
      expect(lastOutcome()).toMatchObject({ kind: 'accepted' });
    } finally {
      for (const name of names) delete process.env[name];
    }
  });
});

describe('what cannot be sent', () => {
  it('a medium that the disk lost', async () => {
    await open();
    carrier().submit([mmsSubmission(1, { media: [{ type: 'image/png', sizeBytes: 1, load: async () => null }] })]);
    await answered(1);
    expect(lastOutcome()).toMatchObject({ kind: 'refused', retry: 'later', code: 'GATEWAY_ERROR', parts: [] });
    expect(peer().submits).toEqual([]);
  });

  it('a medium that throws when it is read', async () => {
    await open();
    const load = () => Promise.reject(new Error('disk'));
    carrier().submit([mmsSubmission(1, { media: [{ type: 'image/png', sizeBytes: 1, load }] })]);
    await answered(1);
    expect(lastOutcome()).toMatchObject({ kind: 'refused', retry: 'later', code: 'GATEWAY_ERROR' });
  });

  it('a value that breaks its own grammar', async () => {
    await open();
    carrier().submit([mmsSubmission(1, { to: 'nobody' })]);
    await answered(1);
    expect(lastOutcome()).toMatchObject({ kind: 'refused', retry: 'never', code: 'MALFORMED', carrierCode: null });
  });
});

describe('a connection', () => {
  const down = { kind: 'refused', retry: 'later', code: 'CARRIER_UNAVAILABLE', countsAttempt: false };

  it('that is refused between two looks costs no try and turns the link down', async () => {
    await open();
    await peer().away();
    carrier().submit([mmsSubmission(1)]);
    await answered(1);
    expect(lastOutcome()).toMatchObject(down);
    expect(sink.links.map(({ up }) => up)).toEqual([true, false]);
    expect(sink.links[1]!.detail).toContain('ECONNREFUSED');
  });

  it('whose certificate nobody vouches for carries nothing', async () => {
    await open({ tls: peerTls });
    expect(sink.links).toMatchObject([{ up: false, detail: expect.stringMatching(/self.signed/i) }]);
    carrier().submit([mmsSubmission(1)]);
    await answered(1);
    expect(lastOutcome()).toMatchObject(down);
    expect(carrier().status()).toMatchObject({
      up: false,
      binds: [{ state: 'unreachable' }],
      certificate: null,
      refusedCertificate: { subject: expect.stringContaining('CN=') },
    });
  });

  it('whose certificate is not looked at, when the operator says so', async () => {
    await open({ tls: { cert: otherCertificate, key: otherKey }, profile: { tlsVerify: false } });
    await exchange();
    expect(carrier().status()).toMatchObject({
      certificate: { subject: expect.stringContaining('CN=') },
      refusedCertificate: null,
    });
    expect(lastOutcome()).toMatchObject({ kind: 'accepted' });
  });

  it('whose certificate names another host', async () => {
    await open({ tls: { cert: otherCertificate, key: otherKey }, profile: { caCertificate: otherCertificate } });
    expect(sink.links).toMatchObject([{ up: false }]);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('shows our certificate to a peer that requests it (%s)', async (version) => {
    const tls = { ...peerTls, requestCert: true, ca: otherCertificate, minVersion: version, maxVersion: version };
    const profile = { caCertificate: testCertificate, clientCertificate: otherCertificate, clientKey: otherKey };
    await open({ tls, profile });
    await exchange();
    expect(lastOutcome()).toMatchObject({ kind: 'accepted' });
    await subject!.close();

    await open({ tls, profile: { caCertificate: testCertificate } });
    carrier().submit([mmsSubmission(1)]);
    await answered(1);
    // In TLS 1.3 the client's handshake ends before the server has seen its certificate: the message may have been
    // sent.
    expect(lastOutcome()).toMatchObject(version === 'TLSv1.2' ? down : { kind: 'uncertain' });
    expect(sink.links.at(-1)).toMatchObject({ up: false });
    expect(peer().submits).toEqual([]);
  });

  it('of a profile whose certificate is none', async () => {
    await open({ tls: peerTls, profile: { caCertificate: testCertificate, clientCertificate: 'x', clientKey: 'y' } });
    expect(sink.links).toMatchObject([{ up: false, detail: expect.stringMatching(/./) }]);
  });

  it('that is opened and never gets to TLS is given up', async () => {
    const mute = createTcpServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', () => resolve()));
    const { port } = mute.address() as { port: number };
    subject = await openMm7({ profile: { url: `https://127.0.0.1:${port}/mm7` } });
    sink = recordingSink();
    carrier().start(sink);
    await quiet();
    expect(sink.links).toEqual([]);
    expect(carrier().status().binds[0]!.state).toBe('connecting');
    await untilPassing(clock(), () => sink.links.length > 0);
    expect(sink.links).toMatchObject([{ up: false, detail: 'no connection in time' }]);
    await carrier().stop(0);
    mute.close();
  });

  it.each([
    ['in the head', 'HTTP/1.1 200 OK\r\nContent-Le', 'broken', 'UND_ERR_SOCKET'],
    ['in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n<?xml', 'broken', 'UND_ERR_SOCKET'],
    ['before a byte', '', 'broken', 'UND_ERR_SOCKET'],
    ['after what is no HTTP', 'SMTP ready\r\n', 'unanswered', 'protocol'],
  ])('that ends %s leaves the message uncertain, and says how', async (_, bytes, cause, how) => {
    await open();
    carrier().submit([mmsSubmission(1)]);
    await submitted(1);
    peer().submits[0]!.socket.end(bytes);
    await answered(1);
    expect(lastOutcome()).toEqual({
      kind: 'uncertain',
      cause,
      detail: expect.stringMatching(`^No answer from the carrier to a message that may have been sent: .*${how}.*\\.$`),
      parts: [],
    });
    expect(sink.links.at(-1)).toMatchObject({ up: false });
  });

  it('whose answer never ends is cut', async () => {
    await open();
    carrier().submit([mmsSubmission(1)]);
    await submitted(1);
    peer().submits[0]!.answer(200, 'x'.repeat(300_000));
    await answered(1);
    expect(lastOutcome()).toMatchObject({ kind: 'uncertain', cause: 'unanswered' });
    expect(sink.links.at(-1)?.detail).toContain('too large');
  });

  it('that ends gives back what waited for it', async () => {
    await open({ profile: { window: 1 } });
    carrier().submit([mmsSubmission(1), mmsSubmission(2)]);
    await submitted(1);
    peer().drop();
    await answered(2);
    expect([sink.outcomeOf('msg_1'), sink.outcomeOf('msg_2')]).toMatchObject([{ kind: 'uncertain' }, down]);
    await untilPassing(clock(), () => carrier().status().up);
    await quiet();
    expect(peer().submits).toHaveLength(1);
  });

  it('leaves no timer behind when the carrier is stopped', async () => {
    await open({ profile: { messagesPerSecond: 1 } });
    await exchange();
    await carrier().stop(60_000);
    expect(clock().timers()).toBe(0);
  });

  it('that hangs once answers slower and slower to looks, until a message is answered', async () => {
    await open();
    const waits: number[] = [];
    for (const n of [1, 2, 3]) {
      carrier().submit([mmsSubmission(n)]);
      await submitted(n);
      peer().submits[n - 1]!.answer(502, '<html>');
      await answered(n);
      const downAt = clock().now();
      await untilPassing(clock(), () => carrier().status().up, 50);
      waits.push(Math.floor((clock().now() - downAt) / 1_000));
    }
    expect(waits).toEqual([1, 2, 4]);
    await exchange(mmsSubmission(4));
    expect(carrier().status().up).toBe(true);
  });
});

describe('refused credentials', () => {
  const { body } = mm7Bytes({ type: 'RSErrorRsp', transactionId: 't', status: mm7StatusOf(4001) });
  it.each([
    ['HTTP 401', 401, ''],
    ['HTTP 403', 403, ''],
    ['4001 (Improper identification)', 200, body.toString()],
  ])('%s: the message waits, the link is down for a minute, and says why', async (carrierCode, httpStatus, body) => {
    await open();
    carrier().submit([mmsSubmission(1), mmsSubmission(2)]);
    await submitted(2);
    for (const submit of peer().submits) submit.answer(httpStatus, body);
    await answered(2);
    for (const { outcome } of results()) {
      expect(outcome).toMatchObject({
        kind: 'refused',
        retry: 'later',
        code: 'CARRIER_UNAVAILABLE',
        carrierCode,
        countsAttempt: false,
      });
    }
    expect(sink.links).toMatchObject([{ up: true }, { up: false, detail: 'the carrier refuses our credentials' }]);
    expect(carrier().capacity()).toBe(0);
    clock().pass(59_000);
    await quiet();
    expect(carrier().status()).toMatchObject({ up: false, binds: [{ detail: 'the carrier refuses our credentials' }] });
    await untilPassing(clock(), () => carrier().status().up);
  });
});

describe('secrets', () => {
  it('stand in no log line, no outcome and no word about the link', async () => {
    const lines: string[] = [];
    const keep = (fields: object, message = '') => lines.push(`${message} ${JSON.stringify(fields)}`);
    const logger: Logger = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
    await open({ deps: { logger } });
    for (const [n, httpStatus] of [401, 500, 404].entries()) {
      carrier().submit([mmsSubmission(n)]);
      await submitted(n + 1);
      peer().submits[n]!.answer(httpStatus, 'what');
      await answered(n + 1);
      await untilPassing(clock(), () => carrier().status().up);
    }
    await peer().away();
    carrier().submit([mmsSubmission(9)]);
    await answered(4);
    await peer().send({ type: 'CancelReq', transactionId: 't', vaspId: '', vasId: '', messageId: 'm' });
    const written = JSON.stringify([lines, results(), sink.links, carrier().status()]);
    expect(written).toContain('404');
    expect(written).not.toMatch(/secret|dXM6|Hello/);
  });
});
