/** What the gateway needs to run, as package-lock.json pins it: on every platform that the packages are made for. */
import { readFileSync } from 'node:fs';

const gateway = 'packages/gateway';

/** The lock's entries by their places in the checkout. */
export function readLock() {
  return JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')).packages;
}

/** Where Node finds `name` from the package at `from`; undefined for an optional package that is nowhere. */
export function placeOf(lock, name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (lock[place] !== undefined) return lock[place].link === true ? lock[place].resolved : place;
    if (at === '') return undefined;
  }
}

/** The places of what the package at `place` needs itself. */
export function neededBy(lock, place) {
  const { dependencies, optionalDependencies } = lock[place];
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => placeOf(lock, name, place))
    .filter((found) => found !== undefined);
}

/** The places of all that the gateway needs, sorted, without the gateway itself. */
export function neededPlaces(lock) {
  const found = new Set();
  const visit = (place) => {
    for (const next of neededBy(lock, place)) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(gateway);
  return [...found].sort();
}

export function nameAt(lock, place) {
  return lock[place].name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
