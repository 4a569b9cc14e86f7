/** The schema of the records file: it compiles, and docs/configuration.md tells of each of its fields with its default. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileSchema } from './file-schema.ts';
import type { Property } from './property.ts';

const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
const lists = Object.entries(
  fileSchema.properties as Record<string, { items: { properties: Record<string, Property> } }>,
);

describe('docs/configuration.md', () => {
  it.each(lists)('has each field of %s with its default', (list, { items }) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${list}\``));
    for (const [name, { default: fallback }] of Object.entries(items.properties)) {
      const plain =
        typeof fallback === 'string' && fallback !== '' ? fallback : JSON.stringify(fallback)?.replaceAll(',', ', ');
      expect(row, name).toContain(fallback === undefined ? `\`${name}\`` : `\`${name}\` \`${plain}\``);
    }
  });
});
