import { createHandsetStore, defaultHandsetLimits, type HandsetStore } from '@heliograph/sandbox';
import type { HandsetMessage, HandsetReply, Handsets } from '@heliograph/sandbox/handsets';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MovedClock, movedClock, until } from '../../../../../test/props/clock.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import { createServer, type Server } from '../../http/server.ts';
import { createIds } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { machineClock as clock, machineRandom as random } from '../../kernel/machine.ts';
import { defaultLimits } from '../../model/limits.ts';
import type { KeyScope } from '../../model/records.ts';
import { sandboxPinnedHandsets } from '../../model/sandbox.ts';
import { company, keyOf, newPair, number, own, recordsWith } from '../../model/world-fixture.ts';
import { type FetchedContents, sandboxRoutes } from './sandbox-routes.ts';

const phone = '12025550100';
const others = '12025550150';

const pairs = {
  sandbox: newPair(),
  reader: newPair(),
  live: newPair('live'),
};

const ofA = { accountId: 'a', environment: 'sandbox', campaignId: null } as const;
const read: KeyScope[] = ['read'];
const send: KeyScope[] = ['send', 'read'];
const records = recordsWith({
  accounts: [company('a'), company('b')],
  numbers: [
    number(own, ofA),
    number(others, { ...ofA, accountId: 'b' }),
    number('12025550160', { ...ofA, environment: 'live' }),
  ],
  apiKeys: [
    keyOf(pairs.sandbox, { accountId: 'a', scopes: send }),
    keyOf(pairs.reader, { accountId: 'a', scopes: read }),
    keyOf(pairs.live, { accountId: 'a', environment: 'live', scopes: send }),
  ],
});

let server: Server;
let base: string;
let store: HandsetStore;
/** Only the handsets' clock: a test decides when waits end. */
let moved: MovedClock;
let replies: Parameters<Handsets['reply']>[];
let replyOutcome: HandsetReply;
let fetches: [readonly string[], string][];
let fetched: FetchedContents;
const ids = createIds(clock, random);

const handsets: Handsets = {
  list: (isOwn) => store.list(isOwn),
  messages: (...params) => store.messages(...params),
  sent: (...params) => store.messages(...params),
  medium: (...params) => store.medium(...params),
  clear: (...params) => store.clear(...params),
  reply: (...params) => {
    replies.push(params);
    return replyOutcome;
  },
};

const sms: Omit<HandsetMessage, 'id' | 'from' | 'to' | 'media'> = {
  kind: 'SMS',
  via: 'smpp',
  subject: '',
  text: 'hi',
  encoding: 'GSM-7',
  parts: 1,
  receivedAt: 1_700_000_000_000,
};

function arrive(text: string, from = own, to = phone): string {
  const id = ids.next('txt_');
  store.add({ ...sms, id, from, to, text, media: [] });
  return id;
}

function arriveWithMedium(bytes: Buffer, contentType = 'image/png', fileName = 'a.png', from = own): string {
  const mediaId = ids.next('hmd_');
  const media = [{ mediaId, contentType, fileName, sizeBytes: bytes.length, sha256: 'f'.repeat(64), held: true }];
  const id = ids.next('txt_');
  store.add({ ...sms, id, kind: 'MMS', via: 'mm4', subject: 'Look', encoding: null, from, to: phone, media }, [bytes]);
  return mediaId;
}

interface ApiAnswer {
  success: boolean;
  reason: string;
  detail: string;
  data: { number?: string; messages?: number }[];
  next: string | null;
}

async function call(path: string, body?: unknown, pair = pairs.sandbox, init: RequestInit = {}) {
  const response = await fetch(`${base}/api/v1/sandbox/handsets${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${pair.bearerToken}`,
      'x-api-key': pair.authToken,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...init,
  });
  return { status: response.status, headers: response.headers, ...((await response.json()) as ApiAnswer) };
}

beforeAll(async () => {
  const directory = buildDirectory(records);
  server = await createServer({
    config: { host: '127.0.0.1', port: 0, tls: undefined, trustedProxies: [], publicUrl: null },
    clock,
    ids,
    directory: () => directory,
    limits: defaultLimits,
    logger: silentLogger,
    ready: () => ({ ready: true, detail: '' }),
    version: '0',
    routes: [
      sandboxRoutes(handsets, {
        fetchMedia: async (urls, accountId) => {
          fetches.push([urls, accountId]);
          return fetched;
        },
      }),
    ],
  });
  base = `http://127.0.0.1:${(await server.listen()).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  moved = movedClock();
  store = createHandsetStore(moved, sandboxPinnedHandsets);
  replies = [];
  const sent = { messageType: 'SMS', via: 'smpp', parts: 1, encoding: 'GSM-7', media: 0 } as const;
  replyOutcome = { kind: 'queued', from: phone, to: own, ...sent };
  fetches = [];
  fetched = { kind: 'fetched', media: [] };
});

describe('texts of a handset', () => {
  it('are listed in the envelope, oldest first', async () => {
    const first = arrive('one');
    const second = arrive('two');
    const answer = await call(`/${phone}/messages`);
    expect(answer).toMatchObject({
      status: 200,
      success: true,
      reason: 'SUCCESS',
      detail: '2 messages, oldest first.',
      next: null,
    });
    expect(answer.data).toEqual([
      {
        id: first,
        kind: 'SMS',
        via: 'smpp',
        from: own,
        to: phone,
        subject: '',
        text: 'one',
        encoding: 'GSM-7',
        parts: 1,
        media: [],
        receivedAt: '2023-11-14T22:13:20.000Z',
      },
      expect.objectContaining({ id: second, text: 'two' }),
    ]);
    expect((await call(`/${phone}/messages?after=${first}`)).data).toEqual([expect.objectContaining({ id: second })]);
  });

  it('come in pages of 100', async () => {
    const sent = Array.from({ length: 101 }, (_, i) => arrive(`${i}`));
    const page = await call(`/${phone}/messages`);
    expect(page.data).toHaveLength(100);
    expect(page.next).toBe(sent[99]);
    expect((await call(`/${phone}/messages?after=${page.next}`)).data).toHaveLength(1);
    expect((await call(`/${phone}/messages?after=`)).data).toEqual(page.data);
  });

  it('are waited for, and only those of own numbers', async () => {
    const waiting = call(`/${phone}/messages?wait=60`);
    await until(() => moved.timers() === 1);
    arrive('not yours', others);
    expect(moved.timers()).toBe(1);
    arrive('yours');
    expect((await waiting).data).toMatchObject([{ text: 'yours' }]);
  });

  it('do not come: an empty list once the wait is over', async () => {
    const waiting = call(`/${phone}/messages?wait=60`);
    await until(() => moved.timers() === 1);
    moved.pass(60_000);
    expect(await waiting).toMatchObject({ status: 200, data: [], detail: 'No message came within 60 s.' });
  });

  it('of other accounts are not seen', async () => {
    arrive('secret', others);
    expect((await call(`/${phone}/messages`)).data).toEqual([]);
    expect((await call('')).data.find((row) => row.number === phone)?.messages).toBe(0);
  });

  it('end the wait of a caller that hangs up, and turn away who is one too many', async () => {
    store = createHandsetStore(moved, sandboxPinnedHandsets, { ...defaultHandsetLimits, waitersMax: 1 });
    const hangUp = new AbortController();
    const gone = call(`/${phone}/messages?wait=60`, undefined, pairs.sandbox, { signal: hangUp.signal }).catch(
      () => 'gone',
    );
    await until(() => moved.timers() === 1);
    const full = await call(`/${phone}/messages?wait=60`);
    expect(full).toMatchObject({ status: 503, reason: 'TEMPORARILY_UNAVAILABLE' });
    expect(full.headers.get('retry-after')).toBe('1');
    hangUp.abort();
    expect(await gone).toBe('gone');
    await until(() => moved.timers() === 0);
  });

  it.each(['wait=61', 'wait=-1', 'wait=1.5', 'wait=', 'wait=x', 'wait=1&wait=2', 'after=txt_1', 'after=%ff'])(
    'refuse the query %s',
    async (query) => {
      expect(await call(`/${phone}/messages?${query}`)).toMatchObject({
        status: 400,
        success: false,
        reason: 'INVALID_FIELD',
      });
    },
  );

  it.each(['+12025550100', '0', 'abc', '1202555010', '%20', '12025550100%00'])('refuse the number %s', async (bad) => {
    expect(await call(`/${bad}/messages`)).toMatchObject({ status: 400, reason: 'INVALID_FIELD' });
    expect(await call(`/${bad}/reply`, { text: 'hi' })).toMatchObject({ status: 400, reason: 'INVALID_FIELD' });
    expect(replies).toEqual([]);
  });
});

describe('the list of handsets', () => {
  it('shows what is there', async () => {
    arrive('one', own, '12025550142');
    const { data, next } = await call('');
    expect(next).toBeNull();
    expect(data[0]).toEqual({ number: '12025550142', messages: 1, lastReceivedAt: '2023-11-14T22:13:20.000Z' });
    expect(data).toContainEqual({ number: phone, messages: 0, lastReceivedAt: null });
  });
});

describe('a reply', () => {
  it('goes out', async () => {
    const answer = await call(`/${phone}/reply`, { text: 'YES', to: own });
    expect(answer).toMatchObject({
      status: 200,
      success: true,
      detail: `On its way to ${own} in 1 segment.`,
      data: { from: phone, to: own, messageType: 'SMS', via: 'smpp', parts: 1, encoding: 'GSM-7', media: 0 },
    });
    expect(fetches).toEqual([]);
    expect(replies).toEqual([[phone, { text: 'YES', to: own, isOwn: expect.any(Function) }]]);
    await call(`/${phone}/reply`, { text: 'YES', to: null });
    expect(replies[1]![1].to).toBeUndefined();
    const { isOwn } = replies[1]![1];
    expect([own, others, '12025550160', 'nobody'].map((sender) => isOwn!(sender))).toEqual([true, false, false, false]);
  });

  it.each([
    [{ kind: 'no_sender' }, 400, 'MISSING_FIELD'],
    [{ kind: 'too_long', partsMax: 255 }, 400, 'TEXT_TOO_LONG'],
    [{ kind: 'too_large', bytesMax: 5 }, 400, 'INVALID_MEDIA_URL'],
    [{ kind: 'full' }, 503, 'TEMPORARILY_UNAVAILABLE'],
  ] as const)('that comes to %o', async (outcome, status, reason) => {
    replyOutcome = outcome;
    expect(await call(`/${phone}/reply`, { text: 'hi' })).toMatchObject({ status, success: false, reason });
  });

  it.each([
    [{}, 'MISSING_FIELD'],
    [{ text: null }, 'MISSING_FIELD'],
    [{ text: '' }, 'TEXT_EMPTY'],
    [{ text: ' \n' }, 'TEXT_EMPTY'],
    [{ text: 5 }, 'INVALID_FIELD'],
    [{ text: 'a\u0000b' }, 'INVALID_FIELD'],
    [{ text: '\ud800' }, 'INVALID_FIELD'],
    [[], 'INVALID_FIELD'],
    ['hi', 'INVALID_FIELD'],
    [{ text: 'hi', to: 5 }, 'INVALID_FIELD'],
    [{ text: 'hi', to: '+1' }, 'INVALID_FIELD'],
    [{ text: 'hi', to: others }, 'INVALID_FIELD'],
    [{ text: 'hi', to: '12025550160' }, 'INVALID_FIELD'],
    [{ text: 'hi', mediaUrls: 'https://a.example/a.png' }, 'INVALID_FIELD'],
    [{ text: 'hi', mediaUrls: [5] }, 'INVALID_FIELD'],
    [{ mediaUrls: [] }, 'MISSING_FIELD'],
    [{ text: '', mediaUrls: [] }, 'TEXT_EMPTY'],
    [{ text: 5, mediaUrls: ['https://a.example/a.png'] }, 'INVALID_FIELD'],
    [{ mediaUrls: Array(11).fill('https://a.example/a.png') }, 'TOO_MANY_MEDIA'],
    [{ mediaUrls: ['https://a.example/a.png'], via: 'smpp' }, 'INVALID_FIELD'],
    [{ mediaUrls: ['https://a.example/a.png'], to: others }, 'INVALID_FIELD'],
    [{ text: 'hi', via: 'mm4' }, 'INVALID_FIELD'],
    [{ files: {} }, 'INVALID_FIELD'],
    [{ files: ['x'] }, 'INVALID_FIELD'],
    [{ files: [{}] }, 'INVALID_FIELD'],
    [{ files: [{ data: '' }] }, 'INVALID_FIELD'],
    [{ files: [{ data: 'no base64' }] }, 'INVALID_FIELD'],
    [{ files: [{ data: 'AAE=', type: 'audio' }] }, 'INVALID_FIELD'],
    [{ files: [{ data: 'AAE=', type: 'application/smil' }] }, 'INVALID_FIELD'],
    [{ files: [{ data: 'AAE=', name: 5 }] }, 'INVALID_FIELD'],
    [{ files: Array(11).fill({ data: 'AAE=' }) }, 'TOO_MANY_MEDIA'],
    [{ files: [{ data: 'AAE=' }], via: 'smpp' }, 'INVALID_FIELD'],
  ])('with the body %j is refused', async (body, reason) => {
    expect(await call(`/${phone}/reply`, body)).toMatchObject({ status: 400, success: false, reason });
    expect([replies, fetches]).toEqual([[], []]);
  });

  it('that is no JSON is refused', async () => {
    expect(await call(`/${phone}/reply`, {}, pairs.sandbox, { body: '{' })).toMatchObject({ reason: 'INVALID_JSON' });
  });
});

describe('a reply with media', () => {
  const picture = { contentType: 'image/png', fileName: 'a.png', bytes: Buffer.from('png') };
  const mediaUrls = ['https://a.example/a.png'];

  it('fetches them for the account and sends them', async () => {
    fetched = { kind: 'fetched', media: [picture] };
    const sent = { messageType: 'MMS', via: 'mm4', parts: 1, encoding: null, media: 1 } as const;
    replyOutcome = { kind: 'queued', from: phone, to: own, ...sent };
    const answer = await call(`/${phone}/reply`, { mediaUrls, via: 'mm4', to: own });
    expect(answer).toMatchObject({ status: 200, detail: `On its way to ${own} with 1 media.`, data: sent });
    expect(fetches).toEqual([[mediaUrls, 'a']]);
    const isOwn = expect.any(Function);
    expect(replies).toEqual([[phone, { text: '', to: own, via: 'mm4', isOwn, media: [picture] }]]);
    await call(`/${phone}/reply`, { text: 'Look', mediaUrls, via: null });
    expect(replies[1]![1]).toEqual({ text: 'Look', isOwn, media: [picture] });
    const files = [{ data: 'JVBERi0=', type: 'application/pdf', name: 'a.pdf' }, { data: 'AAE=' }];
    const sentFiles = [
      { contentType: 'application/pdf', fileName: 'a.pdf', bytes: Buffer.from('%PDF-') },
      { contentType: 'application/octet-stream', fileName: '', bytes: Buffer.from([0, 1]) },
    ];
    await call(`/${phone}/reply`, { files, via: 'mm7' });
    expect(replies[2]![1]).toEqual({ text: '', via: 'mm7', isOwn, media: sentFiles });
    await call(`/${phone}/reply`, { mediaUrls, files });
    expect(replies[3]![1]).toEqual({ text: '', isOwn, media: [picture, ...sentFiles] });
  });

  it.each([
    [{ kind: 'failed', code: 'MEDIA_BLOCKED', detail: 'No.' }, 400, 'INVALID_MEDIA_URL', 'MEDIA_BLOCKED: No.'],
    [{ kind: 'later' }, 503, 'TEMPORARILY_UNAVAILABLE', expect.any(String)],
  ] as const)('that cannot be fetched sends nothing: %o', async (outcome, status, reason, detail) => {
    fetched = outcome;
    expect(await call(`/${phone}/reply`, { text: 'hi', mediaUrls })).toMatchObject({ status, reason, detail });
    expect(replies).toEqual([]);
  });
});

describe('a medium on a handset', () => {
  async function get(mediaId: string, pair = pairs.sandbox, number = phone) {
    const headers = { authorization: `Bearer ${pair.bearerToken}`, 'x-api-key': pair.authToken };
    const response = await fetch(`${base}/api/v1/sandbox/handsets/${number}/media/${mediaId}`, { headers });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  it('is shown with its message and given out under its url', async () => {
    const bytes = Buffer.from('89504e470d0a1a0a', 'hex');
    const mediaId = arriveWithMedium(bytes);
    const { data } = await call(`/${phone}/messages`);
    const url = `/api/v1/sandbox/handsets/${phone}/media/${mediaId}`;
    const shown = { contentType: 'image/png', fileName: 'a.png', sizeBytes: 8, sha256: 'f'.repeat(64) };
    expect(data).toMatchObject([{ kind: 'MMS', via: 'mm4', subject: 'Look', media: [{ mediaId, ...shown, url }] }]);
    expect(data[0]).not.toHaveProperty('media.0.held');
    const answer = await get(mediaId);
    expect(answer).toMatchObject({ status: 200, bytes });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline; filename="a.png"',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=3600, immutable',
    });
  });

  it('that had to make room says so', async () => {
    const small = { bytesMax: 10, bytesPerHandsetMax: 10 };
    store = createHandsetStore(moved, sandboxPinnedHandsets, { ...defaultHandsetLimits, media: small });
    const mediaId = arriveWithMedium(Buffer.alloc(8));
    arriveWithMedium(Buffer.alloc(8));
    expect((await call(`/${phone}/messages`)).data).toMatchObject([{ media: [{ mediaId, url: null }] }, {}]);
    expect((await get(mediaId)).status).toBe(404);
  });

  it.each([
    ['text/html', 'a.html', 'text/html; charset=utf-8', 'attachment; filename="a.html"'],
    ['image/jpeg', 'ü"\r\n; x=1.jpg', 'image/jpeg', 'inline; filename="_x_1.jpg"'],
    ['application/pdf', '', 'application/pdf', 'attachment; filename="medium"'],
  ])('of type %s called %j cannot run or break a header', async (type, fileName, contentType, disposition) => {
    const { headers } = await get(arriveWithMedium(Buffer.from('x'), type, fileName));
    expect(headers.get('content-type')).toBe(contentType);
    expect(headers.get('content-disposition')).toBe(disposition);
  });

  it('is not there for others', async () => {
    const mediaId = arriveWithMedium(Buffer.from('x'));
    const theirs = arriveWithMedium(Buffer.from('x'), 'image/png', 'a.png', others);
    expect((await get(mediaId, pairs.live)).status).toBe(404);
    expect((await get(theirs)).status).toBe(404);
    expect((await get(mediaId, pairs.sandbox, '12025550101')).status).toBe(404);
    expect((await get(mediaId, { ...pairs.sandbox, authToken: 'at_sbx_wrong' })).status).toBe(400);
    expect((await get(mediaId, pairs.sandbox, 'abc')).status).toBe(400);
    for (const bad of ['hmd_1', '..%2f..', '%00']) expect((await get(bad)).status).toBe(404);
    expect((await get(mediaId, pairs.reader)).status).toBe(200);
  });
});

describe('who may call', () => {
  it('a live pair finds nothing here', async () => {
    for (const answer of [
      await call('', undefined, pairs.live),
      await call(`/${phone}/messages`, undefined, pairs.live),
      await call(`/${phone}/reply`, { text: 'hi' }, pairs.live),
    ]) {
      expect(answer).toMatchObject({ status: 404, success: false, reason: 'NOT_FOUND' });
    }
    expect(replies).toEqual([]);
  });

  it('nobody without credentials, and no reply from a pair that only reads', async () => {
    const nobody = { ...pairs.sandbox, authToken: 'at_sbx_wrong' };
    expect(await call('', undefined, nobody)).toMatchObject({ status: 400, reason: 'NOT_AUTHORIZED' });
    expect(await call(`/${phone}/reply`, { text: 'hi' }, pairs.reader)).toMatchObject({ reason: 'NOT_AUTHORIZED' });
    expect((await call('', undefined, pairs.reader)).status).toBe(200);
  });
});
