/** What a release brings to another machine: no script that runs at installation, no package that reports home. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  name?: string;
  link?: true;
  resolved?: string;
  hasInstallScript?: true;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
const packages: Record<string, Locked> = lock.packages;

/** Where Node finds the package, starting from the one at `from`. */
function placeOf(name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    const found = packages[place];
    if (found !== undefined) return found.link === true ? found.resolved : place;
    if (at === '') return undefined;
  }
}

/** Every package the gateway needs at run time, also on other platforms. */
function needed(place: string, found = new Set<string>()): ReadonlySet<string> {
  const { dependencies, optionalDependencies } = packages[place]!;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const next = placeOf(name, place);
    if (next === undefined || found.has(next)) continue;
    found.add(next);
    needed(next, found);
  }
  return found;
}

const all = needed('packages/gateway');

it('run no script when they are installed', () => {
  expect(all.size).toBeGreaterThan(60);
  expect([...all].filter((place) => packages[place]!.hasInstallScript)).toEqual([]);
});

it('has nothing in the place of the package that reports installations', () => {
  expect([...all].filter((place) => place.includes('scarf'))).toEqual(['packages/no-scarf']);
  expect(Object.keys(packages).filter((place) => place.endsWith('/@scarf/scarf'))).toEqual([
    'node_modules/@scarf/scarf',
  ]);
  expect(packages['node_modules/@scarf/scarf']).toEqual({ resolved: 'packages/no-scarf', link: true });
});
