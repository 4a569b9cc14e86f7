/** A release brings no install script and no package that reports home. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  link?: true;
  resolved?: string;
  hasInstallScript?: true;
}

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
const packages: Record<string, Locked> = lock.packages;

// Plain JavaScript without types.
const { neededPlaces } = await import(new URL('../../packages/gateway/locked.js', import.meta.url).href);
const all: string[] = neededPlaces(packages);

it('run no script when they are installed', () => {
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter((place) => packages[place]!.hasInstallScript)).toEqual([]);
});

it('bring no package that reports installations', () => {
  expect(Object.keys(packages).filter((place) => place.endsWith('/@scarf/scarf'))).toEqual([]);
});
