/**
 * The parts of OpenAPI 3.1 that this gateway uses, as a JSON Schema that refuses other fields. Source: OpenAPI
 * Specification 3.1.0, section 4.8. For tests.
 */

const text = { type: 'string', minLength: 1 };
const reference = {
  type: 'object',
  required: ['$ref'],
  properties: { $ref: { type: 'string', pattern: '^#/components/' } },
  additionalProperties: false,
};
const orReference = (name: string) => ({ oneOf: [reference, { $ref: `#/$defs/${name}` }] });
const closed = (required: readonly string[], properties: object) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const map = (of: object, names: object = {}) => ({ type: 'object', propertyNames: names, additionalProperties: of });
const component = (of: object) => map(of, { pattern: '^[a-zA-Z0-9._-]+$' });
const list = (items: object) => ({ type: 'array', items });
const schema = { $ref: 'https://json-schema.org/draft/2020-12/schema' };
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const security = list(map(list(text)));

export const openApiShape = {
  ...closed(['openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components'], {
    openapi: { const: '3.1.0' },
    info: closed(['title', 'version'], {
      title: text,
      version: text,
      description: text,
      license: closed(['name', 'identifier'], { name: text, identifier: text }),
    }),
    servers: list(closed(['url'], { url: text })),
    security,
    tags: list(closed(['name', 'description'], { name: text, description: text })),
    paths: map({ $ref: '#/$defs/pathItem' }, { pattern: '^/' }),
    webhooks: map(orReference('pathItem')),
    components: closed([], {
      schemas: component(schema),
      responses: component(orReference('response')),
      requestBodies: component(orReference('requestBody')),
      parameters: component(orReference('parameter')),
      headers: component(orReference('header')),
      pathItems: component(orReference('pathItem')),
      securitySchemes: component({ $ref: '#/$defs/securityScheme' }),
    }),
  }),
  $defs: {
    pathItem: closed([], Object.fromEntries(methods.map((method) => [method, { $ref: '#/$defs/operation' }]))),
    operation: closed(['tags', 'summary', 'responses'], {
      tags: { ...list(text), minItems: 1, maxItems: 1 },
      operationId: text,
      summary: text,
      description: text,
      security,
      parameters: list(orReference('parameter')),
      requestBody: orReference('requestBody'),
      responses: {
        ...map(orReference('response'), { pattern: '^([1-5][0-9][0-9]|[1-5]XX|default)$' }),
        minProperties: 1,
      },
    }),
    requestBody: closed(['content'], { required: { type: 'boolean' }, content: { $ref: '#/$defs/content' } }),
    parameter: {
      ...closed(['name', 'in', 'schema'], {
        name: text,
        in: { enum: ['query', 'header', 'path'] },
        required: { type: 'boolean' },
        explode: { const: false },
        description: text,
        schema,
      }),
      if: { properties: { in: { const: 'path' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ['required'], properties: { required: { const: true } } },
    },
    response: closed(['description'], {
      description: text,
      headers: map(orReference('header')),
      content: { $ref: '#/$defs/content' },
    }),
    header: closed(['schema'], { description: text, schema }),
    content: map(closed(['schema'], { schema, examples: map(closed(['value'], { summary: text, value: {} })) })),
    securityScheme: {
      oneOf: [
        closed(['type', 'scheme'], { type: { const: 'http' }, scheme: text, description: text }),
        closed(['type', 'in', 'name'], {
          type: { const: 'apiKey' },
          in: { enum: ['query', 'header'] },
          name: text,
          description: text,
        }),
      ],
    },
  },
};
