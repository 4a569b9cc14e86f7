/** `/api/v1/usage` over HTTP: whose usage, which days, and refusals. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resolved } from '../../http/openapi-references.ts';
import { type Answered, openTestServer, recordsOf, speak, type TestServer } from '../../http/server-fixture.ts';
import { keyOf, newPair } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { type Statement, statementCsv, type UsageReport, type UsageService } from './report.ts';
import { usageRoutes } from './usage-routes.ts';

const reader = newPair();
const sender = newPair();

const figures = { smsMessages: 1, smsSegments: 2, mmsMessages: 0, cost: '0.02', unpricedMessages: 0 };
const report: UsageReport = {
  currency: 'USD',
  total: figures,
  before: null,
  groups: [{ name: '', ...figures, before: null }],
  next: null,
};
const statement: Statement = {
  from: '2026-11-01',
  to: '2026-11-30',
  currency: null,
  lines: [],
  messages: 0,
  cost: null,
};
const csv = statementCsv(statement);

let testServer: TestServer;
let requests: unknown[];
let answer: UsageReport;
let table: Statement | null;
let broken: Error | null;

const service: UsageService = {
  today: () => '2026-11-21',
  read: async (...request) => {
    if (broken !== null) throw broken;
    requests.push(request);
    return answer;
  },
  statement: async (...request) => {
    requests.push(request);
    return table;
  },
};

beforeAll(async () => {
  testServer = await openTestServer({ routes: [usageRoutes(service)] });
  testServer.use(recordsOf([keyOf(reader, { scopes: ['read'] }), keyOf(sender, { scopes: ['send'] })]));
});
afterAll(() => testServer.close());
beforeEach(() => {
  requests = [];
  answer = report;
  table = statement;
  broken = null;
});

function get(address: string, { bearerToken: bearer, authToken: apikey } = reader): Promise<Answered> {
  const [path, query] = address.split('?');
  return speak(testServer, { method: 'GET', path, query, bearer, apikey });
}

const owner = { accountId: 'acc_one', environment: 'sandbox' };
const none = { number: null, campaign: null, kind: null, country: null, key: null, carrier: null };

describe('GET /api/v1/usage', () => {
  it('covers this month by day by default', async () => {
    const { status, json } = await get('/api/v1/usage');
    expect([status, json]).toMatchObject([
      200,
      { success: true, reason: 'SUCCESS', detail: 'Usage from 2026-11-01 to 2026-11-21 (UTC) by day.', next: null },
    ]);
    expect(json.data).toEqual({
      from: '2026-11-01',
      to: '2026-11-21',
      groupBy: 'day',
      currency: 'USD',
      total: figures,
      before: null,
      groups: [{ name: '', ...figures, before: null }],
    });
    expect(requests).toEqual([
      [
        owner,
        {
          from: '2026-11-01',
          to: '2026-11-21',
          groupBy: 'day',
          compare: false,
          filter: none,
          after: null,
          limit: 1_000,
        },
      ],
    ]);
  });

  it('can be requested by days and names', async () => {
    answer = { ...report, next: 'C1' };
    const { json } = await get('/api/v1/usage?from=2026-01-05&to=2026-02-03&groupBy=campaign&after=&limit=1');
    expect(json.next).toBe('C1');
    expect(requests).toEqual([
      [
        owner,
        {
          from: '2026-01-05',
          to: '2026-02-03',
          groupBy: 'campaign',
          compare: false,
          filter: none,
          after: '',
          limit: 1,
        },
      ],
    ]);
    await get('/api/v1/usage?to=2026-02-03');
    expect(requests[1]).toMatchObject([owner, { from: '2026-02-01', to: '2026-02-03' }]);
  });

  it('covers its filters, and is compared on request', async () => {
    await get('/api/v1/usage?groupBy=key&compare=before&number=12025550199&kind=MMS&campaign=&key=portal%3Au1');
    expect(requests).toMatchObject([
      [
        owner,
        { compare: true, filter: { ...none, number: '12025550199', kind: 'MMS', campaign: '', key: 'portal:u1' } },
      ],
    ]);
  });

  it('answers as its document says', async () => {
    const { json } = await speak(testServer, { method: 'GET', path: '/openapi.json' });
    const document = resolved<typeof json>(json);
    const { schema } = document.paths['/api/v1/usage'].get.responses['200'].content['application/json'];
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    for (const total of [figures, { ...figures, cost: null }]) {
      const before = { from: '2026-10-01', to: '2026-10-31', total };
      answer = { ...report, total, before, groups: [{ name: 'C', ...total, before: total }], currency: null };
      validate((await get('/api/v1/usage')).json);
      expect(validate.errors).toBeNull();
    }
  });

  it.each([
    ['from=2026-02-30', 'The query parameters from and to must be days like 2026-11-30.'],
    ['to=today', 'must be days like'],
    ['from=2026-11-22', 'from must not be later than to'],
    ['from=2025-01-01', 'Ask for at most 366 days at once.'],
    ['groupBy=hour', 'groupBy must be one of day, number, campaign, kind, country, key, carrier'],
    ['groupBy=toString', 'groupBy must be one of'],
    ['compare=after', 'compare must be before'],
    ['kind=RCS', 'kind must be SMS or MMS'],
    ['number=x', 'number must be a number'],
    ['limit=0', 'limit must be a whole number from 1 to 1000'],
    ['after=a%00', 'holds a control character'],
    ['from=2026-11-01&from=2026-11-02', 'Send it once'],
  ])('refuses %s', async (query, detail) => {
    const { status, json } = await get(`/api/v1/usage?${query}`);
    expect([status, json.reason]).toEqual([400, 'INVALID_FIELD']);
    expect(json.detail).toContain(detail);
    expect(requests).toEqual([]);
  });

  it('needs the scope read, and a store that answers', async () => {
    expect((await get('/api/v1/usage', sender)).status).toBe(400);
    expect((await get('/api/v1/usage/statement?month=2026-11', sender)).status).toBe(400);
    broken = new StoreUnavailable('down', 'down');
    expect((await get('/api/v1/usage')).status).toBe(503);
    expect(requests).toEqual([]);
  });
});

describe('GET /api/v1/usage/statement', () => {
  it('is a file of a month', async () => {
    const { status, headers, text } = await get('/api/v1/usage/statement?month=2026-02');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="statement-2026-02.csv"');
    expect(text).toBe(csv);
    expect(requests).toEqual([[owner, { from: '2026-02-01', to: '2026-02-28' }]]);
  });

  it.each(['', '?month=', '?month=2026-13', '?month=2026-1', '?month=2026-01&month=2026-02'])(
    'refuses %s',
    async (query) => {
      const { status, json } = await get(`/api/v1/usage/statement${query}`);
      expect([status, json.reason]).toEqual([400, 'INVALID_FIELD']);
      expect(requests).toEqual([]);
    },
  );

  it('says when it is too long', async () => {
    table = null;
    const { status, json } = await get('/api/v1/usage/statement?month=2026-02');
    expect([status, json.detail]).toEqual([400, expect.stringContaining('more than 50000 lines')]);
  });
});
