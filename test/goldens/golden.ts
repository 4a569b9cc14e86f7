/** Holds what the running gateway says against committed files. `npm run goldens` writes these anew. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { sorted } from './shape.ts';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

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

/** The same for the files of a folder that are written by a program. They are compared as their formatter leaves them. */
export function holdFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const root = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
  const made = mkdtempSync(join(dirname(root), '.made-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
    execFileSync(process.execPath, [biome, 'check', '--write', '--log-level=error', made], { stdio: 'pipe' });
    if (process.env.HELIO_GOLDENS === 'write') {
      rmSync(root, { recursive: true, force: true });
      renameSync(made, root);
      return;
    }
    const found = Object.fromEntries(readdirSync(made).map((name) => [name, readFileSync(join(made, name), 'utf8')]));
    const there = Object.fromEntries(readdirSync(root).map((name) => [name, readFileSync(join(root, name), 'utf8')]));
    expect(found, `${folder} is old: npm run goldens, and read the diff.`).toEqual(there);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
