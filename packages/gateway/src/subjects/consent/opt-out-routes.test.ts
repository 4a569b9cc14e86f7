import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildDirectory } from '../../carriers/directory.ts';
import { openTestServer, recordsOf, speak, type TestServer } from '../../http/server-fixture.ts';
import type { Consent, EntryResult } from '../../messaging/consent/consent.ts';
import type { OptOut } from '../../messaging/store/items.ts';
import { accounts, inSandbox, keyOf, newPair, number, own } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { optOutRoutes } from './opt-out-routes.ts';

const pairs = {
  own: newPair(),
  live: newPair('live'),
  other: newPair(),
  reader: newPair(),
  sender: newPair(),
  admin: newPair(),
};
type As = keyof typeof pairs | null;

const entry: OptOut = {
  accountId: 'acc_one',
  scope: 'campaign:C-ONE',
  contact: '12025550100',
  at: 1_700_000_000_000,
  how: 'keyword',
  reason: '',
  evidenceMessageId: 'msg_01JD8Z6QF2X5T9V3B7N1KMHGCA',
};

let testServer: TestServer;
let changes: Parameters<Consent['change']>[];
let lists: Parameters<Consent['list']>[];
/** The result for the next entries. */
let outcome: EntryResult['result'];
let pages: OptOut[][];
let broken: Error | null;

const consent: Pick<Consent, 'change' | 'list'> = {
  change: async (...params) => {
    if (broken !== null) throw broken;
    changes.push(params);
    return params[3].map(({ contact }) =>
      outcome === 'refused'
        ? { contact, scope: null, result: outcome, detail: 'No such campaign here.' }
        : { contact, scope: entry.scope, result: outcome, detail: null },
    );
  },
  list: async (...params) => {
    if (broken !== null) throw broken;
    lists.push(params);
    const entries = pages.shift() ?? [];
    const { scope, contact } = entries.at(-1) ?? entry;
    return { entries, next: pages.length === 0 ? null : { scope, contact } };
  },
};

beforeAll(async () => {
  const records = {
    ...recordsOf(
      [
        keyOf(pairs.own),
        keyOf(pairs.live, { environment: 'live' }),
        keyOf(pairs.other, { accountId: 'acc_two' }),
        keyOf(pairs.reader, { scopes: ['read'] }),
        keyOf(pairs.sender, { scopes: ['send'] }),
        keyOf(pairs.admin, { scopes: ['admin'] }),
      ],
      accounts,
    ),
    numbers: [number(own, { ...inSandbox, campaignId: 'C-ONE' })],
  };
  const directory = buildDirectory(records);
  testServer = await openTestServer({ directory: () => directory, routes: [optOutRoutes(consent)] });
});
afterAll(() => testServer.close());
beforeEach(() => {
  changes = [];
  lists = [];
  outcome = 'changed';
  pages = [];
  broken = null;
});

function call(method: string, path: string, body?: unknown, as: As = 'own', how: object = {}) {
  const pair = as === null ? null : pairs[as];
  const [file, query = ''] = path.split('?');
  return speak(testServer, {
    method,
    path: `/api/v1/opt-outs${file}`,
    query,
    bearer: pair?.bearerToken ?? null,
    apikey: pair?.authToken ?? null,
    ...(body !== undefined && { body }),
    ...how,
  });
}
const table = (text: string, as: As = 'own', type = 'text/csv') =>
  call('POST', '/import', Buffer.from(text), as, { headers: { 'content-type': type } });

describe('GET /api/v1/opt-outs', () => {
  it('shows who, where, since when, how and the proof, of the caller’s account and environment', async () => {
    pages = [[entry]];
    const { json } = await call('GET', '');
    const { accountId: _, ...shown } = entry;
    expect(json).toMatchObject({ data: [{ ...shown, at: '2023-11-14T22:13:20.000Z' }], next: null });
    expect(Object.keys(json.data[0])).not.toContain('accountId');
    await call('GET', '', undefined, 'live');
    await call('GET', '', undefined, 'other');
    expect(lists.map(([owner]) => owner)).toEqual([
      { accountId: 'acc_one', environment: 'sandbox' },
      { accountId: 'acc_one', environment: 'live' },
      { accountId: 'acc_two', environment: 'sandbox' },
    ]);
  });

  it('by contact, scope, campaign or number, page by page', async () => {
    pages = [[entry], []];
    const { json } = await call('GET', '?limit=1');
    await call('GET', `?after=${encodeURIComponent(json.next)}`);
    await call('GET', '?after=&contact=12025550100&campaign=C-X');
    await call('GET', '?scope=number:18005550199');
    await call('GET', '?number=12025550199');
    const all = { scope: null, contact: null, after: null, limit: 50 };
    expect(lists.map(([, query]) => query)).toEqual([
      { ...all, limit: 1 },
      { ...all, after: { contact: '12025550100', scope: 'campaign:C-ONE' } },
      { ...all, contact: '12025550100', scope: 'campaign:C-X' },
      { ...all, scope: 'number:18005550199' },
      { ...all, scope: 'campaign:C-ONE' },
    ]);
  });

  it.each([
    '?contact=+1',
    '?number=12025550111',
    '?number=12025550199&campaign=C-ONE',
    '?after=x',
    '?after=12025550100',
    '?after=12025550100~other:x',
    '?limit=101',
    '?limit=1&limit=1',
    '?scope=campaign:%00',
    '?campaign=C%00',
    '?after=12025550100~campaign:%00',
  ])('refuses %s', async (query) => {
    expect((await call('GET', query)).json).toMatchObject({ reason: 'INVALID_FIELD' });
    expect(lists).toEqual([]);
  });

  it('SEC-20 another environment does not know the number', async () => {
    expect((await call('GET', '?number=12025550199', undefined, 'live')).json.reason).toBe('INVALID_FIELD');
  });
});

describe('POST /api/v1/opt-outs and /remove', () => {
  const body = { contact: '12025550100', campaign: 'C-ONE', reason: 'Asked by e-mail' };

  it('enters and lifts with a reason', async () => {
    const added = await call('POST', '', body);
    expect(added.json).toMatchObject({
      detail: '12025550100 is opted out from now on.',
      data: { contact: '12025550100', scope: 'campaign:C-ONE', changed: true },
    });
    outcome = 'unchanged';
    expect((await call('POST', '/remove', body)).json).toMatchObject({
      detail: '12025550100 is not opted out already.',
      data: { changed: false },
    });
    const owner = { accountId: 'acc_one', environment: 'sandbox' };
    expect(changes).toEqual([
      [owner, 'out', 'api', [body]],
      [owner, 'in', 'api', [body]],
    ]);
  });

  it('gives the reason for a refusal by the flow', async () => {
    outcome = 'refused';
    for (const path of ['', '/remove']) {
      const { status, json } = await call('POST', path, body);
      expect([status, json.reason, json.detail]).toEqual([
        400,
        'INVALID_FIELD',
        'No such campaign here. Nothing was changed.',
      ]);
    }
  });

  it.each([
    [{ contact: '12025550100' }, 'MISSING_FIELD'],
    [{ reason: 'x' }, 'MISSING_FIELD'],
    [{ ...body, contact: 12025550100 }, 'INVALID_FIELD'],
    [{ ...body, reason: null }, 'INVALID_FIELD'],
    [{ ...body, reason: 'x'.repeat(401) }, 'INVALID_FIELD'],
    [{ ...body, how: 'keyword' }, 'INVALID_FIELD'],
    [[body], 'INVALID_FIELD'],
  ])('refuses %j', async (sent, reason) => {
    for (const path of ['', '/remove']) expect((await call('POST', path, sent)).json).toMatchObject({ reason });
    expect(changes).toEqual([]);
  });
});

describe('POST /api/v1/opt-outs/import', () => {
  const entries = [
    { contact: '12025550100', campaign: 'C-ONE', reason: 'Old system' },
    { contact: '12025550101', number: '12025550199', reason: 'Old system' },
  ];
  const csv =
    'contact,campaign,number,reason\r\n12025550100,C-ONE,,Old system\r\n12025550101,,12025550199,Old system\r\n';

  it('takes JSON, and a table with or without a byte order mark', async () => {
    const answers = [
      await call('POST', '/import', { entries }),
      await table(csv),
      await table(`\ufeff${csv}`, 'own', 'text/csv; charset=utf-8; header=present'),
    ];
    for (const { json } of answers) {
      expect(json).toMatchObject({ data: { added: 2, unchanged: 0, refused: 0, problems: [] } });
    }
    for (const [, to, how, sent] of changes) expect([to, how, sent]).toEqual(['out', 'import', entries]);
  });

  it('says which entries were refused', async () => {
    outcome = 'refused';
    expect((await table(csv)).json.data).toEqual({
      added: 0,
      unchanged: 0,
      refused: 2,
      problems: [
        { entry: 1, contact: '12025550100', detail: 'No such campaign here.' },
        { entry: 2, contact: '12025550101', detail: 'No such campaign here.' },
      ],
    });
  });

  it.each([
    ['contact,reason\r\n"x', 'text/csv', 'INVALID_FIELD'],
    ['contact,reason\r\n', 'text/csv', 'INVALID_FIELD'],
    ['', 'text/csv', 'INVALID_FIELD'],
    ['a,b\r\n1,2', 'text/csv', 'INVALID_FIELD'],
    ['{"entries":[]}', 'application/json', 'INVALID_FIELD'],
    ['{"entries":[{"contact":"1"}]}', 'application/json', 'MISSING_FIELD'],
    ['{}', 'application/json', 'MISSING_FIELD'],
    ['{', 'application/json', 'INVALID_JSON'],
    ['contact,reason', 'text/plain', 'UNSUPPORTED_CONTENT_TYPE'],
    ['contact,reason', 'text/csv; charset=latin1', 'UNSUPPORTED_CONTENT_TYPE'],
  ])('refuses %j as %s', async (text, type, reason) => {
    expect((await table(text, 'own', type)).json).toMatchObject({ success: false, reason });
    expect(changes).toEqual([]);
  });

  it('refuses what is no UTF-8, and more than a body may hold', async () => {
    const headers = { 'content-type': 'text/csv' };
    const latin = await call('POST', '/import', Buffer.from('contact,reason\r\n1,Jos\xe9', 'latin1'), 'own', {
      headers,
    });
    expect(latin.json.reason).toBe('INVALID_FIELD');
    const large = await call('POST', '/import', Buffer.alloc(300_000, 'a'), 'own', { headers });
    expect(large.json.reason).toBe('BODY_TOO_LARGE');
    expect(changes).toEqual([]);
  });
});

describe('GET /api/v1/opt-outs/export', () => {
  it('is a table to be saved, over all pages', async () => {
    pages = [[entry], [{ ...entry, contact: '12025550101', reason: 'a "b", c' }]];
    const { headers, text } = await call('GET', '/export');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="opt-outs.csv"',
      'cache-control': 'no-store',
    });
    expect(headers['x-next']).toBeUndefined();
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe('contact,scope,how,at,reason,evidenceMessageId');
    expect(lines[2]).toContain('"a ""b"", c"');
  });

  it('SEC-60 holds no cell that a spreadsheet would run', async () => {
    pages = [['=1+1', '+1', '-1+1', '@a', '\t=1'].map((reason) => ({ ...entry, reason }))];
    const { text } = await call('GET', '/export');
    for (const line of text.trimEnd().split('\r\n').slice(1)) expect(line).toMatch(/,"?'[^,]*,msg_/);
  });

  it('comes in several files when it is long', async () => {
    pages = Array.from({ length: 60 }, () => [entry]);
    const first = await call('GET', '/export');
    expect(first.text.trimEnd().split('\r\n')).toHaveLength(51);
    const second = await call('GET', `/export?after=${first.headers['x-next']}`);
    expect(second.text.trimEnd().split('\r\n')).toHaveLength(10);
    expect(second.text).not.toContain('contact,');
    expect(second.headers['x-next']).toBeUndefined();
    expect((await call('GET', '/export?after=x')).json.reason).toBe('INVALID_FIELD');
  });
});

describe('the cursor of an export', () => {
  const cursorOf = async (scope: string): Promise<string> => {
    pages = Array.from({ length: 60 }, () => [{ ...entry, scope }]);
    const { headers } = await call('GET', '/export');
    return String(headers['x-next']);
  };

  it('is plain for an ordinary campaign', async () => {
    expect(await cursorOf('campaign:C-ONE')).toBe(`${entry.contact}~campaign:C-ONE`);
  });

  it.each(['campaign:C-ONE', 'number:12025550199', 'campaign:Frühling & Co 50% +1'])(
    'of %s is ASCII, and goes on from there whether or not the client encodes it',
    async (scope) => {
      const cursor = await cursorOf(scope);
      expect(cursor).toMatch(/^[!-~]+$/);
      for (const after of [cursor, encodeURIComponent(cursor), encodeURIComponent(`${entry.contact}~${scope}`)]) {
        lists = [];
        expect((await call('GET', `/export?after=${after}`)).status).toBe(200);
        expect(lists[0]![1]).toMatchObject({ after: { contact: entry.contact, scope } });
      }
    },
  );

  it('in the form of earlier versions is accepted, encoded again or not', async () => {
    const earlier = encodeURIComponent(`${entry.contact}~campaign:C-ONE`);
    for (const after of [earlier, encodeURIComponent(earlier)]) {
      expect((await call('GET', `/export?after=${after}`)).status).toBe(200);
    }
  });
});

describe('who may', () => {
  const body = { contact: '12025550100', campaign: 'C-ONE', reason: 'Asked by e-mail' };
  const operations = [
    ['GET', '', undefined, 'reader'],
    ['POST', '', body, 'sender'],
    ['POST', '/remove', body, 'admin'],
    ['POST', '/import', { entries: [body] }, 'sender'],
    ['GET', '/export', undefined, 'reader'],
  ] as const;

  it('both credentials, and the scope of the operation (SEC-18)', async () => {
    for (const [method, path, sent, allowed] of operations) {
      const refused: As[] = [null, ...(['reader', 'sender', 'admin'] as const).filter((name) => name !== allowed)];
      for (const as of refused) {
        expect((await call(method, path, sent, as)).json.reason, `${method} ${path} ${as}`).toBe('NOT_AUTHORIZED');
      }
      expect([changes, lists]).toEqual([[], []]);
      expect((await call(method, path, sent, allowed)).status).toBe(200);
      changes = [];
      lists = [];
    }
  });

  it('says 503 when the store is down', async () => {
    broken = new StoreUnavailable('full', 'x');
    for (const [method, path, sent] of operations) expect((await call(method, path, sent)).status).toBe(503);
  });
});
