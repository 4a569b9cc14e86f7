// The package must run in a browser: its sources use nothing of Node and import only each other.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('./', import.meta.url);
const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

describe('purity', () => {
  it.each(sources)('%s imports nothing from outside and uses nothing of Node', (name) => {
    const source = readFileSync(new URL(name, folder), 'utf8');
    const imported = Array.from(source.matchAll(/\bfrom '([^']+)'/g), (match) => match[1]);
    expect(imported.filter((path) => !/^\.\/[a-z0-9-]+\.ts$/.test(path!))).toEqual([]);
    expect(source).not.toMatch(/\b(Buffer|process|require|globalThis)\b|\bimport\(|Date\.now|Math\.random/);
  });
});
