import { type IncomingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventTypes } from '../model/event-type.ts';
import { createMediaUrls } from '../model/media-url.ts';
import { type RequestReason, requestReasons } from '../model/reason.ts';
import { describedEvents } from '../model/webhook-schema.ts';
import { keyOf } from '../model/world-fixture.ts';
import { StoreUnavailable } from '../store/faults.ts';
import { optOutRoutes } from '../subjects/consent/opt-out-routes.ts';
import { contactRoutes } from '../subjects/contacts/contact-routes.ts';
import { mediaRoutes } from '../subjects/media/media-routes.ts';
import { sandboxCarrierRoute, sandboxResetRoute } from '../subjects/sandbox/sandbox-carrier-route.ts';
import { sandboxDemoRoutes } from '../subjects/sandbox/sandbox-demo-routes.ts';
import { sandboxFaultRoutes } from '../subjects/sandbox/sandbox-fault-routes.ts';
import { sandboxInboxRoutes } from '../subjects/sandbox/sandbox-inbox-routes.ts';
import { sandboxRoutes } from '../subjects/sandbox/sandbox-routes.ts';
import { usageRoutes } from '../subjects/usage/usage-routes.ts';
import { deliveryRoutes } from '../subjects/webhooks/delivery-routes.ts';
import { endpointRoutes } from '../subjects/webhooks/endpoint-routes.ts';
import { eventRoutes } from '../subjects/webhooks/event-routes.ts';
import { answerWith, referencesIn } from './openapi-fixture.ts';
import { resolved } from './openapi-references.ts';
import { openApiShape } from './openapi-shape-fixture.ts';
import {
  type Answered,
  acceptAll,
  openTestServer,
  recordsOf,
  type Speak,
  speak,
  type TestServer,
} from './server-fixture.ts';

/** These tests read only the document and never call these parts. */
const nothing = {} as never;
const allRoutes = [
  sandboxRoutes(nothing, nothing),
  sandboxFaultRoutes(nothing, nothing),
  sandboxResetRoute(nothing, nothing),
  sandboxDemoRoutes(nothing),
  endpointRoutes(nothing),
  deliveryRoutes(nothing),
  eventRoutes(nothing),
  optOutRoutes(nothing),
  contactRoutes(nothing),
  sandboxInboxRoutes(nothing),
  sandboxCarrierRoute(nothing, ''),
  usageRoutes(nothing),
  mediaRoutes({ store: nothing, media: nothing, urls: createMediaUrls({ key: Buffer.alloc(32), baseUrl: () => '' }) }),
];

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, unknown>[];
  responses: Record<
    string,
    { description: string; content: Record<string, { schema: object; examples?: Record<string, { value: unknown }> }> }
  >;
  description?: string;
  requestBody?: { content: Record<string, { schema: object; examples?: Record<string, { value: unknown }> }> };
}

interface Document {
  security: Record<string, unknown>[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

let testServer: TestServer;
/** As served: the API's document, and the sandbox's. */
let document: Document;
let sandbox: Document;
/** With its references resolved. */
let whole: Document;
/** The paths of both documents. */
let paths: Document['paths'];
beforeAll(async () => {
  testServer = await openTestServer({ routes: allRoutes });
  document = (await speak(testServer, { method: 'GET', path: '/openapi.json' })).json;
  sandbox = (await speak(testServer, { method: 'GET', path: '/openapi-sandbox.json' })).json;
  whole = resolved<Document>(document);
  paths = { ...whole.paths, ...resolved<Document>(sandbox).paths };
});
afterAll(() => testServer.close());
beforeEach(() => {
  testServer.flow.accept = acceptAll;
  testServer.use(recordsOf([keyOf(testServer.pair)]));
});

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const pages = ['/docs/api'];

/** Every object and list in a value, as text. */
function partsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return [JSON.stringify(value), ...Object.values(value).flatMap(partsOf)];
}

describe('SEC-80 the OpenAPI documents', () => {
  it('lists exactly the routes and methods there are', () => {
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const registered = [...testServer.server.routes].flatMap(([path, methods]) =>
      pages.includes(path)
        ? []
        : methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
    );
    expect(documented.sort()).toEqual(registered.sort());
    const isSandbox = (path: string) => path.startsWith('/api/v1/sandbox/');
    expect(Object.keys(document.paths).filter(isSandbox)).toEqual([]);
    expect(Object.keys(sandbox.paths).filter((path) => !isSandbox(path))).toEqual([]);
  });

  it('are valid OpenAPI 3.1', () => {
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(openApiShape);
    for (const one of [document, sandbox]) expect(fits(one), JSON.stringify(fits.errors?.slice(0, 5))).toBe(true);
  });

  it('refer only to what they have, and have no component that nothing refers to', () => {
    for (const one of [document, sandbox]) {
      const { securitySchemes: _, ...components } = one.components as unknown as Record<string, object>;
      const there = Object.entries(components).flatMap(([kind, entries]) =>
        Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
      );
      expect(referencesIn(one).sort()).toEqual(there.sort());
    }
  });

  it('have no keyword that says nothing', () => {
    const empty =
      /"(?:required|enum|allOf|parameters|examples)":(?:\[\]|\{\})|"required":false|"additionalProperties":true/g;
    for (const one of [document, sandbox]) expect(JSON.stringify(one).match(empty)).toBeNull();
  });

  it('say a thing once, under a name', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'SendRequest',
        'SendAnswer',
        'Rejection',
        'Message',
        'Endpoint',
        'OptOut',
        'MessageEvent',
      ]),
    );
    for (const one of [document, sandbox]) {
      const long = partsOf(one).filter((text) => text.length > 240);
      expect(long.filter((text, place) => long.indexOf(text) !== place)).toEqual([]);
    }
  });

  it('goes out packed to a client that takes gzip, with the same content', async () => {
    const url = `http://127.0.0.1:${testServer.port}/openapi.json`;
    const get = (encoding: string) =>
      new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
        request(url, { headers: { 'accept-encoding': encoding } }, async (answer) => {
          resolve({ headers: answer.headers, bytes: Buffer.concat(await answer.toArray()) });
        })
          .on('error', reject)
          .end();
      });
    const packed = await get('br, gzip');
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(packed.bytes.length).toBeLessThan(20_000);
    expect(JSON.parse(gunzipSync(packed.bytes).toString())).toEqual(document);
    const plain = await get('gzip;q=0');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(plain.bytes.toString())).toEqual(document);
  });

  it('puts each operation under one of its tags', () => {
    const names = [document, sandbox].flatMap(({ tags }) => tags.map(({ name }) => name));
    const used = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags));
    for (const tag of used) expect(names).toContain(tag);
    expect(new Set(used).size).toBe(names.length);
  });

  it('names every status that an operation may answer', () => {
    for (const [path, methods] of Object.entries(paths)) {
      const guarded = path === '/SendSMS' || path.startsWith('/api/v1');
      for (const { responses } of Object.values(methods)) {
        for (const status of [400, 408, 421, 431, 500, ...(guarded ? [429, 503] : [])]) answerWith(responses, status);
        expect(() => answerWith(responses, 418)).toThrow('418 is not described');
      }
    }
  });

  it('describes each webhook that the gateway sends, with an example that fits', () => {
    expect(Object.keys(whole.webhooks).sort()).toEqual([...eventTypes].sort());
    for (const { type, example } of describedEvents) {
      const { schema, examples = {} } = whole.webhooks[type]!.post!.requestBody!.content['application/json']!;
      const fits = ajv.compile(schema);
      for (const { value } of Object.values(examples)) expect(fits(value), JSON.stringify(fits.errors)).toBe(true);
      expect(fits(example), `${type} ${JSON.stringify(fits.errors)}`).toBe(true);
      expect(fits({ ...example, type: 'message.other' })).toBe(false);
      expect(fits({ ...example, data: {} }), type).toBe(false);
    }
  });

  it('leaves out what is not registered', async () => {
    const bare = await openTestServer();
    const { json } = await speak(bare, { method: 'GET', path: '/openapi.json' });
    expect(Object.keys(json.paths).filter((path) => /sandbox|endpoints|opt-outs|events|media/.test(path))).toEqual([]);
    expect((await speak(bare, { method: 'GET', path: '/openapi-sandbox.json' })).status).toBe(404);
    expect(JSON.stringify(json)).not.toContain('sandbox.json');
    expect(json.openapi).toBe('3.1.0');
    expect(json.servers).toEqual([{ url: `http://localhost:${bare.port}` }]);
    await bare.close();
  });

  it('requires both credentials in one requirement wherever credentials are needed', async () => {
    for (const [path, methods] of Object.entries(paths)) {
      for (const { security = document.security, operationId } of Object.values(methods)) {
        const guarded = path === '/SendSMS' || path.startsWith('/api/v1');
        if (!guarded) expect(security, path).toEqual([]);
        else for (const requirement of security) expect(Object.keys(requirement), path).toHaveLength(2);
        if (guarded) expect(security.length, path).toBeGreaterThan(0);
        expect(operationId, path).toMatch(/^[a-z][A-Za-z]+$/);
      }
    }
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has examples that fit their schemas: a success and two rejections for sending', () => {
    const { responses } = paths['/SendSMS']!.post!;
    expect(Object.keys(responses[400]!.content['application/json']!.examples!).length).toBeGreaterThanOrEqual(2);
    expect(Object.keys(responses[200]!.content['application/json']!.examples!)).toHaveLength(1);
    for (const methods of Object.values(paths)) {
      for (const operation of Object.values(methods)) {
        for (const { content } of [...Object.values(operation.responses), operation.requestBody ?? { content: {} }]) {
          for (const { schema, examples = {} } of Object.values(content)) {
            const fits = ajv.compile(schema);
            for (const { value } of Object.values(examples))
              expect(fits(value), JSON.stringify(fits.errors)).toBe(true);
          }
        }
      }
    }
  });

  it('describes real answers of the routes without credentials', async () => {
    for (const [path, methods] of Object.entries(paths)) {
      if (methods.get === undefined || methods.get.security?.length !== 0) continue;
      const answer = await speak(testServer, { method: 'GET', path, bearer: null, apikey: null });
      const fits = ajv.compile(answerWith(methods.get.responses, answer.status).content['application/json']!.schema);
      expect(fits(answer.json), `${path} ${JSON.stringify(fits.errors)}`).toBe(true);
    }
  });
});

/** Any JSON, often close to a valid request. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('12025550199', '12025550100', 'Hello', ''),
);
const value = fc.oneof({ weight: 3, arbitrary: text }, fc.jsonValue({ maxDepth: 2 }), fc.array(text, { maxLength: 4 }));
const body = fc.oneof(
  fc.record({ from: text, to: fc.array(text, { maxLength: 4 }), text }, { requiredKeys: [] }),
  fc.record(
    { from: value, to: value, text: value, mediaUrls: value, referenceId: value, validityMinutes: value, extra: value },
    { requiredKeys: [] },
  ),
  fc.jsonValue({ maxDepth: 4 }),
);
const bytes = fc.oneof(
  { weight: 5, arbitrary: body.map((sent) => Buffer.from(JSON.stringify(sent))) },
  fc.uint8Array({ maxLength: 60 }).map((sent) => Buffer.from(sent)),
);
const printable = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019 -_.;=,/"\\'), maxLength: 20 })
  .map((sent) => sent.trim());
const call: fc.Arbitrary<Speak> = fc.record(
  {
    body: bytes,
    bearer: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      fc.constant(null),
      fc.constant('wrong'),
    ) as fc.Arbitrary<string | null>,
    query: fc.oneof(
      { weight: 5, arbitrary: fc.constant('') },
      fc.constantFrom('dryRun=true', 'dryRun=x', 'apikey=', '&&==', '%', 'a=%ff'),
    ),
    headers: fc.record(
      {
        'content-type': fc.oneof({ weight: 4, arbitrary: fc.constant('application/json') }, printable),
        'idempotency-key': printable,
        'x-request-id': printable,
        accept: printable,
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['body'] },
);

describe('H-21 whatever is sent', () => {
  it('the status is documented, the body is its envelope, and success is 200', async () => {
    const { responses } = paths['/SendSMS']!.post!;
    const fits = new Map(
      Object.values(responses).map((answer) => [answer, ajv.compile(answer.content['application/json']!.schema)]),
    );
    const seen = new Map<string, number>();
    const check = ({ status, json, headers }: Answered) => {
      const asDescribed = fits.get(answerWith(responses, status))!;
      expect(asDescribed(json), JSON.stringify(asDescribed.errors)).toBe(true);
      expect(json.success).toBe(status === 200);
      expect(headers['x-request-id']).toMatch(/^req_/);
      expect(json.detail.length).toBeLessThanOrEqual(300);
      seen.set(json.reason, (seen.get(json.reason) ?? 0) + 1);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 20 }), async (calls) => {
        for (const answer of await Promise.all(calls.map((sent) => speak(testServer, sent)))) check(answer);
      }),
      { numRuns: 150 },
    );
    expect(seen.get('INTERNAL_ERROR')).toBeUndefined();
    // The generator is only useful if requests pass the first checks and fail at many different ones.
    expect(seen.get('SUCCESS')).toBeGreaterThan(20);
    expect(seen.size).toBeGreaterThanOrEqual(5);
  });

  it("the flow's result is reported with the catalogue’s status", async () => {
    for (const [reason, { httpStatus }] of Object.entries(requestReasons)) {
      if (reason === 'SUCCESS') continue;
      testServer.flow.accept = async () => ({ kind: 'rejected', reason: reason as RequestReason, detail: 'x' });
      const answer = await speak(testServer);
      expect([answer.status, answer.json.reason]).toEqual([httpStatus, reason]);
    }
    testServer.flow.accept = async () => {
      throw new StoreUnavailable('busy', 'x');
    };
    expect((await speak(testServer)).status).toBe(503);
  });
});
