import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWebhookServer, type WebhookTestServer } from '../subjects/webhooks/webhook-server-fixture.ts';
import { answerWith } from './openapi-fixture.ts';
import { resolved } from './openapi-references.ts';
import { type Answered, speak } from './server-fixture.ts';

interface Schema {
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
}
interface Operation {
  description: string;
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

let world: WebhookTestServer;
let paths: Record<string, Record<string, Operation>>;
beforeAll(async () => {
  world = await openWebhookServer();
  world.reset();
  const { json } = await speak(world.testServer, { method: 'GET', path: '/openapi.json' });
  paths = resolved<{ paths: typeof paths }>(json).paths;
});
afterAll(() => world.testServer.close());

/**
 * For an `allOf`, merges the properties of all its schemas. The last wins, because it is the one that extends the
 * envelope.
 */
function propertiesOf({ properties, allOf = [] }: Schema): Record<string, Schema> | undefined {
  const all = [properties, ...allOf.map(propertiesOf)].filter((one) => one !== undefined);
  return all.length === 0 ? undefined : Object.assign({}, ...all);
}

/** Names in `value` that the schema does not know, at any depth; `data` of events is open. */
function unknownNames(value: unknown, schema: Schema, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => unknownNames(one, schema.items ?? {}, `${path}[]`));
  const properties = propertiesOf(schema);
  if (typeof value !== 'object' || value === null || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    name in properties ? unknownNames(one, properties[name]!, `${path}.${name}`) : [`${path}.${name}`],
  );
}

const described = new Set<string>();

/** Calls an operation and checks the answer against the document. */
async function asDescribed(method: string, template: string, body?: unknown, query = ''): Promise<Answered> {
  const path = template.replace('{endpointId}', endpointId).replace('{deliveryId}', deliveryId);
  const answer = await world.call(method, path, body, 'own', { query });
  const { responses } = paths[`/api/v1${template}`]![method.toLowerCase()]!;
  const { schema } = answerWith(responses, answer.status).content['application/json']!;
  const fits = ajv.compile(schema);
  expect(fits(answer.json), `${method} ${path} ${JSON.stringify(fits.errors)}`).toBe(true);
  expect(unknownNames(answer.json, schema), `${method} ${path}`).toEqual([]);
  if (answer.status === 200) described.add(`${method} /api/v1${template}`);
  return answer;
}

let endpointId = 'ep_nothing';
let deliveryId = 'dlv_1_ep_nothing';

it('answers as the document says, each operation: done, refused and not found', async () => {
  const one = '/endpoints/{endpointId}';
  const period = { since: '2023-11-14T20:00:00Z' };
  const all: [string, string, unknown?, unknown?][] = [
    ['GET', '/endpoints'],
    ['GET', one],
    ['PATCH', one, { name: 'New' }, { name: 5 }],
    ['POST', `${one}/test`],
    ['POST', `${one}/replay`, period, {}],
    ['POST', `${one}/rotate-secret`, { overlapHours: 1 }, { overlapHours: 'x' }],
    ['POST', `${one}/disable`],
    ['POST', `${one}/enable`],
    ['GET', '/deliveries'],
    ['GET', '/deliveries/{deliveryId}'],
    ['POST', '/deliveries/{deliveryId}/replay'],
    ['POST', '/deliveries/{deliveryId}/send-as-new'],
    ['GET', '/events'],
    ['POST', '/events/trigger', { type: 'message.received' }, { type: 'x' }],
    ['DELETE', one],
  ];
  await asDescribed('POST', '/endpoints', {});
  for (const [method, path, body] of all.filter(([, path]) => path.includes('{'))) {
    expect((await asDescribed(method, path, body)).status, `${method} ${path}`).toBe(404);
  }
  const header = { name: 'X-Token', value: 'x' };
  const made = await asDescribed('POST', '/endpoints', { url: 'https://shop.example/hooks', header });
  endpointId = made.json.data.endpointId;
  deliveryId = world.delivered(endpointId, world.happened('12025550199'), { state: 'waiting' }).deliveryId;
  world.store.attempts = [{ attempt: 1, at: 0, durationMs: 1, status: 500, error: null, answer: 'x', skewSeconds: 0 }];
  for (const [method, path, body, wrong] of all) {
    if (wrong !== undefined) expect((await asDescribed(method, path, wrong)).status).toBe(400);
    expect((await asDescribed(method, path, body)).status, `${method} ${path}`).toBe(200);
  }
  expect((await asDescribed('GET', '/deliveries', undefined, 'limit=0')).status).toBe(400);
  expect((await asDescribed('GET', '/events', undefined, 'wait=31')).status).toBe(400);

  const documented = Object.entries(paths)
    .filter(([path]) => /endpoints|deliveries|events/.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  expect([...described].sort()).toEqual(documented.sort());
});

it('says which scope a key pair needs, and that is so', async () => {
  const allowed = { read: 'reader', send: 'sender', admin: 'admin' } as const;
  for (const [template, methods] of Object.entries(paths)) {
    if (!/endpoints|deliveries|events/.test(template)) continue;
    for (const [method, { description }] of Object.entries(methods)) {
      const [, scope] = /Scope `(\w+)`/.exec(description) ?? [];
      const path = template.replace('/api/v1', '').replace(/\{\w+\}/, 'x');
      for (const [name, as] of Object.entries(allowed)) {
        const { json } = await world.call(method.toUpperCase(), path, undefined, as);
        expect([template, method, name, json.reason !== 'NOT_AUTHORIZED']).toEqual([
          template,
          method,
          name,
          name === scope,
        ]);
      }
    }
  }
});
