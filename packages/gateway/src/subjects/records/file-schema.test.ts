/** The schema of the records file: it compiles, and docs/configuration.md and docs/carriers.md describe each field. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { Property } from '../../kernel/property.ts';
import { carrierKinds } from './carrier-schema.ts';
import { fileSchema } from './file-schema.ts';

const pageOf = (name: string) => readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8');

type Fields = Record<string, Property>;

/** In the notation of the pages; undefined when the field has no default. */
function defaultOf({ default: fallback }: Property): string | undefined {
  return typeof fallback === 'string' && fallback !== '' ? fallback : JSON.stringify(fallback)?.replaceAll(',', ', ');
}

it('is a JSON Schema', () => {
  const ajv = new Ajv();
  expect(ajv.validateSchema(fileSchema), ajv.errorsText()).toBe(true);
});

describe('docs/configuration.md', () => {
  const page = pageOf('configuration.md');
  const lists = Object.entries(fileSchema.properties as Record<string, { items?: { properties?: Fields } }>).flatMap(
    ([list, { items }]) => (items?.properties === undefined ? [] : [[list, items.properties] as const]),
  );

  it.each(lists)('has each field of %s with its default', (list, fields) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${list}\``));
    for (const [name, property] of Object.entries(fields)) {
      const fallback = defaultOf(property);
      expect(row, name).toContain(fallback === undefined ? `\`${name}\`` : `\`${name}\` \`${fallback}\``);
    }
  });
});

describe('docs/carriers.md', () => {
  const page = pageOf('carriers.md');

  it.each(Object.entries(carrierKinds))('has each field of %s with its default', (kind, { properties }) => {
    const [, section = ''] = page.split(`\n<!-- fields: ${kind} -->\n`);
    const rows = section
      .split('\n\n')[0]!
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    for (const [name, property] of Object.entries(flat(properties))) {
      const [, , fallback] = rows.find(([, fields = '']) => fields.split(', ').includes(`\`${name}\``)) ?? [];
      expect(fallback, name).toBeDefined();
      if (defaultOf(property) !== undefined) expect(fallback, name).toBe(`\`${defaultOf(property)}\``);
    }
  });

  /** The fields of `inbound` with their dotted names, as the pages list them. */
  function flat(fields: Fields, before = ''): Fields {
    const entries = Object.entries(fields).flatMap(([name, property]) =>
      property.properties === undefined
        ? [[before + name, property] as const]
        : Object.entries(flat(property.properties as Fields, `${name}.`)),
    );
    return Object.fromEntries(entries);
  }
});
