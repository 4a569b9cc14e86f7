/** Compares what the running gateway answers with committed files. `npm run goldens` writes these again. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { sorted } from './shape.ts';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

type Entries = Readonly<Record<string, unknown>>;

/** Compares only entries that differ, so that the failure shows the change alone. */
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

/** The same for a folder of generated files, compared as the formatter leaves them. */
export function holdFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const root = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
  withFormatted(dirname(root), files, (made) => {
    if (process.env.HELIO_GOLDENS === 'write') {
      rmSync(root, { recursive: true, force: true });
      renameSync(made, root);
      return;
    }
    expect(filesIn(made), `${folder} is old: npm run goldens, and read the diff.`).toEqual(filesIn(root));
  });
}

/** The same for a single file. */
export function holdFile(path: string, text: string): void {
  const place = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  withFormatted(dirname(place), { [basename(place)]: text }, (made) => {
    const now = readFileSync(join(made, basename(place)), 'utf8');
    if (process.env.HELIO_GOLDENS === 'write') writeFileSync(place, now);
    else expect(now, `${path} is old: npm run goldens, and read the diff.`).toBe(readFileSync(place, 'utf8'));
  });
}

/** `work` gets a folder that is removed afterwards. */
function withFormatted(near: string, files: Readonly<Record<string, string>>, work: (made: string) => void): void {
  const made = mkdtempSync(join(near, '.made-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
    execFileSync(process.execPath, [biome, 'check', '--write', '--log-level=error', made], { stdio: 'pipe' });
    work(made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
