/**
 * What a browser must load before a page of the portal shows: scripts, counted as the gateway serves them. A page is
 * `index.html` with what it names, and the parts of that page with all that they import.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';

const portal = new URL('../packages/portal/', import.meta.url);
const assets = new URL('dist/assets/', portal);
const bytesMax = 200_000;

beforeAll(() => {
  execFileSync(process.execPath, [new URL('build.js', portal).pathname], { stdio: 'inherit' });
}, 120_000);

/** Names without the folder. */
function namedByIndex(): string[] {
  const index = readFileSync(new URL('dist/index.html', portal), 'utf8');
  return [...index.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!);
}

function chunk(page: string): string {
  const found = readdirSync(assets).filter((name) => name.startsWith(`${page}-`) && name.endsWith('.js'));
  expect(found, page).toHaveLength(1);
  return found[0]!;
}

/** With everything that they import, and what that imports. */
function withImports(names: readonly string[]): string[] {
  const all = new Set<string>();
  for (const open = [...names]; open.length > 0; ) {
    const name = open.pop()!;
    if (all.has(name)) continue;
    all.add(name);
    const text = readFileSync(new URL(name, assets), 'utf8');
    for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) open.push(other!);
  }
  return [...all];
}

function bytesOf(names: readonly string[], encoding: 'br' | 'gzip'): number {
  return names.reduce((sum, name) => {
    const packed = new URL(`${name}.br`, assets);
    const isPacked = encoding === 'br' && existsSync(packed);
    return sum + (isPacked ? readFileSync(packed) : gzipSync(readFileSync(new URL(name, assets)), { level: 9 })).length;
  }, 0);
}

it('the sign-in loads at most 200 kB of JavaScript, gzipped', () => {
  expect(namedByIndex().length).toBeGreaterThan(1);
  expect(bytesOf(withImports([...namedByIndex(), chunk('SignInPage')]), 'gzip')).toBeLessThanOrEqual(bytesMax);
});

it('the start page loads at most 200 kB of JavaScript, as browsers get it over https and on this machine: brotli', () => {
  const names = withImports([...namedByIndex(), chunk('Frame'), chunk('HomePage')]);
  expect(names.length).toBeGreaterThan(10);
  expect(bytesOf(names, 'br')).toBeLessThanOrEqual(bytesMax);
});
