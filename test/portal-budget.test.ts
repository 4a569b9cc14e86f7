/** What a browser must load before the first page of the portal shows: counted from the files as they are served. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const portal = new URL('../packages/portal/', import.meta.url);
const initialBytesMax = 200_000;

it('the initial JavaScript is at most 200 kB, gzipped', () => {
  execFileSync(process.execPath, [new URL('build.js', portal).pathname], { stdio: 'inherit' });
  const index = readFileSync(new URL('dist/index.html', portal), 'utf8');
  const named = [...index.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(1);
  const bytes = named.map((path) => gzipSync(readFileSync(new URL(`dist${path}`, portal)), { level: 9 }).length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(initialBytesMax);
});
