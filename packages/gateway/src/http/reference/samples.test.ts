/**
 * From an operation's description to a request, and from there to programs. `test/interop/samples.long.test.ts` runs them.
 */
import { describe, expect, it } from 'vitest';
import { exampleBody, exampleOf, exampleRequest } from './example.ts';
import { fieldList } from './fields.ts';
import { prose } from './html.ts';
import type { Operation, Parameter } from './reading.ts';
import { languages, literal, notations, sample } from './samples.ts';

const string = { type: 'string' };
const parameter = (name: string, more: Partial<Parameter> = {}): Parameter => ({
  name,
  in: 'query',
  schema: string,
  ...more,
});
const operation = (more: Partial<Operation> = {}): Operation => ({
  operationId: 'doIt',
  method: 'POST',
  path: '/things/{thingId}/{number}',
  summary: 'Does it',
  tags: [],
  parameters: [
    parameter('thingId', { in: 'path', required: true }),
    parameter('number', { in: 'path', required: true }),
    parameter('month', { required: true }),
    parameter('limit'),
  ],
  responses: {},
  ...more,
});
const request = (more: Partial<Operation> = {}) => exampleRequest(operation(more), 'http://gw.test');
const json = (value: unknown) => ({ content: { 'application/json': { schema: {}, examples: { one: { value } } } } });

describe('the example of an operation', () => {
  it('has its required parameters, an example where one is known, and else a placeholder', () => {
    expect(request().url).toBe('http://gw.test/things/THING_ID/12025550100?month=2026-05');
    expect(request().credentials).toBe(true);
    expect(request({ security: [] }).credentials).toBe(false);
  });

  it('has the body of its example, else the smallest that fits', () => {
    expect(exampleBody(operation({ requestBody: json({ a: 1 }) }))).toEqual({ kind: 'json', value: { a: 1 } });
    expect(exampleBody(operation())).toBeNull();
    expect(exampleBody(operation({ requestBody: { content: { '*/*': { schema: string } } } }))).toEqual({
      kind: 'file',
      name: 'photo.jpg',
    });
    expect(
      exampleOf({
        type: ['object', 'null'],
        required: ['to', 'kind', 'count'],
        properties: {
          to: { type: 'array', items: { ...string, examples: ['12025550100'] } },
          kind: { enum: ['first', 'second'] },
          count: { type: 'integer', minimum: 3 },
          left: string,
        },
      }),
    ).toEqual({ to: ['12025550100'], kind: 'first', count: 3 });
    expect(exampleOf({ properties: { on: { type: 'boolean' }, off: string } })).toEqual({ on: true });
  });
});

describe('a literal', () => {
  const value = { text: `it's "#{x}" \\`, yes: true, none: null, list: [1, { a: [] }] };

  it('is that of its language', () => {
    expect(JSON.parse(literal(value, notations.javascript))).toEqual(value);
    expect(literal(value, notations.python)).toContain('"yes": True');
    expect(literal(value, notations.python)).toContain('"none": None');
    expect(literal(value, notations.ruby)).toContain('"it\'s \\"\\#{x}\\" \\\\"');
    expect(literal(value, notations.ruby)).toContain('"none" => nil');
    expect(literal(value, notations.php)).toContain(`'text' => 'it\\'s "#{x}" \\\\'`);
    expect(literal({}, notations.php)).toBe('new stdClass()');
    expect(literal([], notations.php)).toBe('[]');
  });
});

describe('a sample', () => {
  it.each(languages)('in %s names method, address, credentials and body', (language) => {
    const text = sample(language, request({ method: 'PATCH', requestBody: json({ text: "it's" }) }));
    expect(text.toUpperCase()).toContain('PATCH');
    expect(text).toContain('http://gw.test/things/THING_ID/12025550100?month=2026-05');
    expect(text).toContain('Bearer BEARER_TOKEN');
    expect(text).toContain('AUTH_TOKEN');
    expect(text).toContain('application/json');
    expect(text).toMatch(/it(\\'|'|'\\'')s/);
  });

  it.each(languages)('in %s has no credentials and no body where none are needed', (language) => {
    const text = sample(language, request({ method: 'GET', security: [] }));
    expect(text).not.toMatch(/TOKEN|Content-Type|json/i);
  });
});

describe('fields', () => {
  it('say type, limits and values, and hide what is nested', () => {
    const html = fieldList({
      required: ['id'],
      properties: {
        id: { type: ['string', 'null'], maxLength: 9, description: 'Its `id` <b>' },
        inner: { type: 'array', items: { type: 'object', properties: { deep: { enum: ['a', 'b'] } } } },
      },
    });
    expect(html).toContain('<code>id</code> <span class="type">string, or null, at most 9 characters</span>');
    expect(html).toContain('<span class="required">required</span>');
    expect(html).toContain('Its <code>id</code> &lt;b&gt;');
    expect(html).toContain('<span class="type">list of object</span>');
    expect(html).toContain('<summary>1 field</summary>');
    expect(html).toContain('<code>a</code> <code>b</code>');
    expect(fieldList({ type: 'string' })).toBe('');
  });

  it('link only to addresses, never to a script', () => {
    expect(prose('[x](https://a.test) [y](javascript:1)')).toBe('<a href="https://a.test">x</a> [y](javascript:1)');
  });
});
