/** Holds what the running gateway says against committed files. `npm run goldens` writes these anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { sorted } from './shape.ts';

type Entries = Readonly<Record<string, unknown>>;

/** Only entries that differ are compared, so that the failure shows what changed and nothing else. */
export function holdGolden(name: string, found: Entries): void {
  const path = fileURLToPath(new URL(`./${name}.json`, import.meta.url));
  const now = sorted(found);
  if (process.env.HELIO_GOLDENS === 'write') {
    writeFileSync(path, `${JSON.stringify(now, null, 2)}\n`);
    return;
  }
  const then = JSON.parse(readFileSync(path, 'utf8')) as Entries;
  const names = new Set([...Object.keys(then), ...Object.keys(now)]);
  const changed = [...names].filter((one) => JSON.stringify(then[one]) !== JSON.stringify(now[one]));
  const only = (entries: Entries) => Object.fromEntries(changed.map((one) => [one, entries[one]]));
  const sentence = `test/goldens/${name}.json says otherwise. If the change is meant: npm run goldens, and read the diff.`;
  expect(only(now), sentence).toEqual(only(then));
}
