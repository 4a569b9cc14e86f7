/** Arrays as the server reads them. */
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSchema } from './postgres-fixture.ts';
import { binaryArray } from './postgres-values.ts';

const schema = useSchema();
let client: Client;
beforeEach(async () => {
  client = new Client({ connectionString: schema.databaseUrl });
  await client.connect();
});
afterEach(() => client.end());

async function read(type: 'text' | 'int', values: (string | number | null)[]): Promise<unknown> {
  const element = type === 'text' ? 'text' : 'bigint';
  const { rows } = await client.query(`select to_json($1::${element}[])::text as list`, [binaryArray(type, values)]);
  return JSON.parse(rows[0].list);
}

describe('a column of a batch', () => {
  it('keeps texts as they are', async () => {
    const texts = ['', 'plain', '{"a,b"}', 'NULL', null, 'ñ 😀', 'back\\slash', "it's", 'x'.repeat(70_000)];
    expect(await read('text', texts)).toEqual(texts);
  });

  it('keeps whole numbers of either sign up to 2^53', async () => {
    const edges = [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER];
    const numbers = [0, 1, -1, null, ...edges, ...edges.map((edge) => -edge)];
    expect(await read('int', numbers)).toEqual(numbers);
  });

  it('takes a missing value for null', () => {
    expect(binaryArray('int', [undefined])).toEqual(binaryArray('int', [null]));
    expect(binaryArray('text', [undefined])).toEqual(binaryArray('text', [null]));
  });

  it.each([1.5, Number.NaN, 2 ** 53])('refuses %s, which no column holds', (value) => {
    expect(() => binaryArray('int', [value])).toThrow(/no whole number/);
  });
});
