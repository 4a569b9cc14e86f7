/** What an MM7 carrier sends us: who may send, how it is stored, how it is answered. */
import { isMalformed, type Mm7DeliveryReportReq, type Mm7Written, mm7Dialect, readMm7 } from '@heliograph/mms';
import { beforeEach, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { CarrierAnswer, CarrierRequest } from '../../model/carrier-http.ts';
import { boundedId } from '../../model/carrier-id.ts';
import { type RecordingSink, recordingSink } from '../carrier-fixture.ts';
import type { CarrierDeps } from '../deps.ts';
import { createMm7Carrier } from './carrier.ts';
import { basic, carrierRequest, deliverReq, mm7Bytes, mm7Record } from './mm7-fixture.ts';
import type { Mm7Profile } from './profile.ts';

type Inbound = Mm7Profile['inbound'];
const needsNothing: Inbound = { username: '', password: '', addresses: [], clientCertSha256: [] };
const fingerprint = 'ab'.repeat(32);

let sink: RecordingSink;
let http: (request: CarrierRequest) => Promise<CarrierAnswer>;

function open(inbound?: Partial<Inbound>, started = true, deps: Partial<CarrierDeps> = {}): void {
  const record = mm7Record('http://127.0.0.1:1/', inbound && { inbound: { ...needsNothing, ...inbound } });
  const common = { clock: movedClock(), random: steadyRandom(), logger: silentLogger };
  const carrier = createMm7Carrier(record, { ...common, ...deps });
  sink = recordingSink();
  if (started) carrier.start(sink);
  http = carrier.http!;
}
beforeEach(() => open());

/** The answer, and the MM7 message in it. */
async function ask(request: CarrierRequest) {
  const answer = await http(request);
  const read = readMm7({ contentType: answer.headers['content-type']!, body: Buffer.from(answer.body) });
  if (isMalformed(read) || !('status' in read.message)) throw new Error(answer.body);
  const { type, status, transactionId } = read.message;
  return { http: answer.status, type, code: status.code, transactionId, dialect: read.dialect, answer };
}
const send = (operation: Mm7Written, dialect = mm7Dialect('REL-6-MM7-1-4')) =>
  ask(carrierRequest(mm7Bytes(operation, { dialect })));
const sendXml = (xml: string, contentType = 'text/xml') =>
  ask(carrierRequest({ headers: { 'content-type': contentType }, body: Buffer.from(xml) }));

const reply = (more: { linkedId?: string; transactionId?: string; timeStamp?: Date } = {}) => ({
  ...deliverReq('12025550100', '12025550199', 'hi', 't-1'),
  ...more,
});
const report = (more: Partial<Mm7DeliveryReportReq> = {}): Mm7DeliveryReportReq => ({
  type: 'DeliveryReportReq',
  transactionId: 't-2',
  mmsRelayServerId: '',
  messageId: '00AB12',
  recipient: '12025550100',
  sender: '12025550199',
  date: new Date('2026-11-21T05:37:42Z'),
  mmStatus: 'Retrieved',
  statusText: '',
  ...more,
});

describe('who may send (SEC-47)', () => {
  const good = basic('them', 'inbound-secret');
  const login = { username: 'them', password: 'inbound-secret' };
  const from = (more: Partial<CarrierRequest>, authorization?: string): CarrierRequest => {
    const request = carrierRequest(mm7Bytes(report()));
    return { ...request, headers: { ...request.headers, authorization }, ...more };
  };
  const shown = { clientCertSha256: fingerprint };

  it.each<[string, Partial<Inbound>, CarrierRequest, number]>([
    ['nothing is set', {}, from(shown, good), 403],
    ['the right login', login, from({}, good), 200],
    ['the right login, scheme in another case', login, from({}, good.replace('Basic', 'bAsIc')), 200],
    ['no login', login, from({}), 401],
    ['a wrong password', login, from({}, basic('them', 'inbound-secreT')), 401],
    ['a wrong name', login, from({}, basic('Them', 'inbound-secret')), 401],
    ['the login in two headers', login, from({}, `${good}, ${good}`), 401],
    ['another scheme', login, from({}, good.replace('Basic', 'Bearer')), 401],
    ['a login that is no base64', login, from({}, 'Basic ***'), 401],
    ['half a login, and none shown', { username: 'them' }, from({}), 401],
    ['half a login, and shown', { password: 'x' }, from({}, basic('', 'x')), 200],
    ['a login of nobody', login, from({}, basic('', '')), 401],
    ['an address of the list', { addresses: ['10.0.0.7'] }, from({ remoteAddress: '10.0.0.7' }), 200],
    ['an address of a block', { addresses: ['10.0.0.0/8'] }, from({ remoteAddress: '10.9.9.9' }), 200],
    ['an IPv4 address as IPv6', { addresses: ['10.0.0.7'] }, from({ remoteAddress: '::ffff:10.0.0.7' }), 200],
    ['an IPv6 block', { addresses: ['2001:db8::/32'] }, from({ remoteAddress: '2001:db8::1' }), 200],
    ['another address', { addresses: ['10.0.0.7'] }, from({ remoteAddress: '10.0.0.8' }), 403],
    ['no address', { addresses: ['0.0.0.0/0', '::/0'] }, from({ remoteAddress: '' }), 403],
    ['a short form of an address', { addresses: ['10.0.0.7'] }, from({ remoteAddress: '10.7' }), 403],
    ['a list of nonsense', { addresses: ['everybody'] }, from({}), 403],
    ['the pinned certificate', { clientCertSha256: ['cd'.repeat(32), fingerprint] }, from(shown), 200],
    ['no certificate', { clientCertSha256: [fingerprint] }, from({}), 403],
    ['another certificate', { clientCertSha256: ['cd'.repeat(32)] }, from(shown), 403],
    [
      'all three',
      { ...login, addresses: ['127.0.0.1'], clientCertSha256: [fingerprint] },
      from({ ...shown, remoteAddress: '127.0.0.1' }, good),
      200,
    ],
    [
      'two of three, without the login',
      { ...login, addresses: ['127.0.0.1'], clientCertSha256: [fingerprint] },
      from({ ...shown, remoteAddress: '127.0.0.1' }),
      401,
    ],
    ['two of three, from elsewhere', { ...login, addresses: ['10.0.0.7'] }, from({}, good), 403],
    ['two of three, without a certificate', { ...login, clientCertSha256: [fingerprint] }, from({}, good), 403],
  ])('%s', async (_, inbound, request, status) => {
    open(inbound);
    let bodies = 0;
    const response = await ask({
      ...request,
      body: (bytesMax) => {
        bodies++;
        return request.body(bytesMax);
      },
    });
    expect([response.http, response.type, response.code]).toEqual(
      status === 200 ? [200, 'DeliveryReportRsp', 1000] : [status, 'VASPErrorRsp', 4001],
    );
    expect(response.answer.headers['www-authenticate']).toBe(
      status === 401 ? 'Basic realm="mm7", charset="UTF-8"' : undefined,
    );
    // No body is read before its sender is authenticated.
    expect([bodies, sink.receiptBatches.length]).toEqual(status === 200 ? [1, 1] : [0, 0]);
  });
});

it('who is refused again and again is logged at once, and then summed up once a minute', async () => {
  const lines: object[] = [];
  const clock = movedClock();
  const logger = { ...silentLogger, warn: (fields: object) => void lines.push(fields) };
  open({ addresses: ['10.0.0.7'] }, true, { clock, logger });
  const request = carrierRequest(mm7Bytes(report()));
  for (let i = 1; i <= 50; i++) await http({ ...request, remoteAddress: `10.0.1.${i}` });
  const why = 'the address is not in its list';
  expect(lines).toEqual([{ carrier: 'car_test', address: '10.0.1.1', why }]);
  clock.pass(60_000);
  expect(lines.slice(1)).toEqual([{ carrier: 'car_test', address: '10.0.1.50', why, more: 49, total: 50 }]);
});

describe('a message from a handset', () => {
  it('is handed on without its presentation, and then acknowledged', async () => {
    const message = { ...reply().message, subject: 'Re', to: ['12025550199', 'us@ours.example'], cc: ['47711'] };
    expect(await send({ ...reply(), message })).toMatchObject({
      http: 200,
      type: 'DeliverRsp',
      code: 1000,
      transactionId: 't-1',
    });
    expect(sink.mms).toMatchObject([
      { from: '12025550100', to: ['12025550199', '47711'], subject: 'Re', text: 'hi', media: [{ fileName: 'a.png' }] },
    ]);
  });

  it('may name nobody, and hold nothing', async () => {
    const response = await sendXml(
      '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><DeliverReq>' +
        '<Sender><RFC2822Address>a@b.example</RFC2822Address></Sender></DeliverReq></e:Body></e:Envelope>',
    );
    expect(response).toMatchObject({ http: 200, code: 1000, transactionId: '' });
    expect(sink.mms).toMatchObject([{ from: 'a@b.example', to: [], text: '', media: [], peerMessageId: '' }]);
  });

  it.each([
    ['its transaction', {}, /^TransactionID:t-1 [0-9a-f]{32}$/],
    ['its LinkedID', { linkedId: 'L7' }, /^LinkedID:L7 [0-9a-f]{32}$/],
    [
      'its LinkedID and time',
      { linkedId: 'L7', timeStamp: new Date(0) },
      /^LinkedID:L7 1970-01-01T00:00:00\.000Z [0-9a-f]{32}$/,
    ],
    ['a hash of what is long', { linkedId: 'L'.repeat(5_000) }, /^sha256:[0-9a-f]{64} [0-9a-f]{32}$/],
  ])('is known by its content and %s', async (_, more, peerMessageId) => {
    await send(reply(more));
    expect(sink.mms[0]!.peerMessageId).toMatch(peerMessageId);
  });

  it.each([
    ['LinkedID, which may be of the message replied to', { linkedId: 'L7' }],
    ['transaction, as a peer may count anew', {}],
  ])('is another one with another subject, text or medium and the same %s', async (_, more) => {
    const one = reply(more);
    const [first, ...rest] = one.message.parts;
    const otherBytes = { ...first!, bytes: Buffer.from('other') };
    const otherType = { ...first!, contentType: 'audio/amr' };
    const otherNames = one.message.parts.map((part, i) => ({ ...part, contentId: `x${i}`, fileName: `x${i}` }));
    const messages = [
      one.message,
      { ...one.message, subject: 'Yes' },
      { ...one.message, parts: [otherBytes, ...rest] },
      { ...one.message, parts: [otherType, ...rest] },
      { ...one.message, parts: rest },
      // Redeliveries of the first.
      one.message,
      { ...one.message, smil: null, parts: otherNames },
    ];
    for (const message of messages) await send({ ...one, message });
    const ids = sink.mms.map(({ peerMessageId }) => peerMessageId);
    expect(new Set(ids).size).toBe(5);
    expect(ids.slice(5)).toEqual([ids[0], ids[0]]);
  });
});

describe('the size of a message from a handset', () => {
  const parts = (...sizes: number[]) =>
    sizes.map((size, n) => ({
      contentType: 'audio/amr',
      contentId: `${n}`,
      fileName: `${n}.amr`,
      bytes: Buffer.alloc(size),
    }));
  const withParts = (...sizes: number[]) => {
    const { message } = reply();
    return { ...reply(), message: { ...message, smil: null, parts: parts(...sizes) } };
  };

  it('of one part: the limit is taken, one octet more is "again later", before anything is acknowledged', async () => {
    open(undefined, true, { inboundMms: { messageBytesMax: 1_000_000, partBytesMax: 5_000 } });
    expect(await send(withParts(5_000, 5_000))).toMatchObject({ http: 200, code: 1000 });
    expect(sink.mms[0]!.media.map(({ bytes }) => bytes.length)).toEqual([5_000, 5_000]);
    const refused = await send(withParts(10, 5_001));
    expect(refused).toMatchObject({ http: 503, type: 'VASPErrorRsp', code: 4006, transactionId: 't-1' });
    expect(refused.answer.body).toContain('a part of over 5000 bytes');
    expect(sink.mms).toHaveLength(1);
  });

  it('of the whole: the setting is handed to whoever reads the body, and is what the reader takes', async () => {
    open(undefined, true, { inboundMms: { messageBytesMax: 9_000_000, partBytesMax: 9_000_000 } });
    expect(await send(withParts(6_400_000))).toMatchObject({ http: 200, code: 1000 });
    const limits: number[] = [];
    const request = carrierRequest(mm7Bytes(reply()));
    const body = async (bytesMax: number) => {
      limits.push(bytesMax);
      return 'too_large' as const;
    };
    expect(await ask({ ...request, body })).toMatchObject({ http: 503, code: 4006 });
    expect(limits).toEqual([9_000_000]);
  });
});

describe('a delivery report', () => {
  it.each([
    ['Retrieved', 'delivered', 'DELIVERED'],
    ['retrieved ', 'delivered', 'DELIVERED'],
    ['Expired', 'undelivered', 'EXPIRED'],
    ['Rejected', 'undelivered', 'CARRIER_REJECTED'],
    ['Unreachable', 'undelivered', 'UNREACHABLE'],
    ['NotSupported', 'undelivered', 'MMS_NOT_SUPPORTED'],
    ['Forwarded', 'interim', null],
    ['Deferred', 'interim', null],
    ['Indeterminate', 'interim', null],
    ['Unrecognised', 'interim', null],
    ['Whatever', 'interim', null],
  ])('%s', async (mmStatus, state, code) => {
    expect(await send(report({ mmStatus }))).toMatchObject({ http: 200, type: 'DeliveryReportRsp', code: 1000 });
    expect(sink.receiptBatches).toMatchObject([[{ state, code, carrierCode: mmStatus.trim() }]]);
  });

  it('keeps the id as it came, its key, and the status text', async () => {
    await send(report({ mmStatus: 'Rejected', statusText: 'no\n  such handset' }));
    expect(sink.receiptBatches[0]).toEqual([
      {
        carrier: 'car_test',
        carrierMessageId: '00AB12',
        idKeys: ['ab12'],
        to: '12025550100',
        state: 'undelivered',
        code: 'CARRIER_REJECTED',
        carrierCode: 'Rejected (no such handset)',
        raw: 'DeliveryReportReq MessageID:00AB12 MMStatus:Rejected StatusText:no such handset Date:2026-11-21T05:37:42.000Z',
        receivedAt: 1_700_000_000_000,
      },
    ]);
  });

  it('of a handset that it does not name, at great length', async () => {
    await send(report({ recipient: 'a@b.example', statusText: 'x'.repeat(10_000), messageId: 'm'.repeat(1_000) }));
    const { to, raw, carrierCode, carrierMessageId, idKeys } = sink.receiptBatches[0]![0]!;
    expect([to, raw.length, carrierCode!.length < 150]).toEqual([null, 512, true]);
    const id = boundedId('m'.repeat(1_000));
    expect([carrierMessageId, idKeys]).toEqual([id, [id]]);
  });
});

describe('an answer', () => {
  it.each([
    ['REL-5-MM7-1-0', '5.3.0'],
    ['REL-6-MM7-1-2', '6.5.0'],
    ['REL-5-MM7-1-2', '5.5.0'],
  ] as const)('speaks the dialect of the peer: %s with %s', async (schema, version) => {
    const dialect = mm7Dialect(schema, version);
    for (const operation of [reply(), report(), { ...report(), type: 'CancelReq', vaspId: '', vasId: '' } as const]) {
      expect((await send(operation, dialect)).dialect).toEqual(dialect);
    }
  });

  it('a read reply changes nothing', async () => {
    const { date: _, mmStatus: __, ...rest } = report();
    const read = { ...rest, type: 'ReadReplyReq' as const, timeStamp: new Date(0), readStatus: 'Read' as const };
    expect(await send(read)).toMatchObject({ http: 200, type: 'ReadReplyRsp', code: 1000 });
    expect(sink.order).toEqual([]);
  });

  const operation = (xml: string): string =>
    `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header><TransactionID>t</TransactionID></e:Header><e:Body>${xml}</e:Body></e:Envelope>`;

  it.each([
    ['an operation of ours', mm7Bytes({ ...report(), type: 'CancelReq', vaspId: '', vasId: '' }).body.toString(), 4003],
    ['an answer', operation('<SubmitRsp><Status><StatusCode>1000</StatusCode></Status></SubmitRsp>'), 4003],
    ['an unknown operation', operation('<extendedReplaceReq/>'), 4003],
    ['a report of nothing', operation('<DeliveryReportReq><MMStatus>Expired</MMStatus></DeliveryReportReq>'), 4004],
    ['an empty body', '', 4004],
    ['JSON', '{}', 2007],
    ['half of it', operation('<DeliverReq>').slice(0, -20), 2007],
  ])('to %s is a fault', async (_, xml, code) => {
    const response = await sendXml(xml);
    expect(response).toMatchObject({ http: 500, type: 'VASPErrorRsp', code });
    expect(response.answer.body).toContain('<env:Fault>');
    expect(sink.order).toEqual([]);
  });

  it('to what is not stored, or comes before we are ready, is "again later", in HTTP and in MM7', async () => {
    sink.storing = () => Promise.reject(new Error('disk full'));
    for (const operation of [reply(), report()]) {
      const response = await send(operation);
      expect(response).toMatchObject({ http: 500, type: 'VASPErrorRsp', code: 4006 });
      expect(response.answer.body).not.toContain('disk');
    }
    open(undefined, false);
    expect(await send(report())).toMatchObject({ http: 500, code: 4006, transactionId: 't-2' });
  });

  it('to a body that is too large or too slow', async () => {
    const request = carrierRequest(mm7Bytes(report()));
    expect(await ask({ ...request, body: async () => 'too_large' })).toMatchObject({ http: 503, code: 4006 });
    expect(await ask({ ...request, body: async () => 'too_slow' })).toMatchObject({ http: 408, code: 4006 });
  });
});
