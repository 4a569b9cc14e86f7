/**
 * Lists the shipped packages with their licences: every package that the packages at `roots` need to run, as found in
 * node_modules at the build. One JSON file, so that the list is available offline. Leaves out packages for other
 * operating systems.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const licenceFile = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/** `[{name, version, licence, text}]` by name; `text` is the index of its licence in `texts`, or null without one. */
export function writeLicences(roots, to) {
  const found = new Map();
  for (const root of roots) visit(root, found);
  const texts = [];
  const packages = [...found.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ folder, ...shown }) => ({ ...shown, text: placeOf(textIn(folder), texts) }));
  writeFileSync(to, JSON.stringify({ packages, texts }));
}

function visit(folder, found) {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = placeIn(folder, name);
    if (place === null) continue;
    const { version, license, private: isOwn } = manifestOf(place);
    if (isOwn === true) continue;
    const key = `${name}@${version}`;
    if (found.has(key)) continue;
    found.set(key, { name, version, licence: typeof license === 'string' ? license : 'see its text', folder: place });
    visit(place, found);
  }
  for (const own of found.keys()) if (own.startsWith('@heliograph/')) found.delete(own);
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Where Node would find the package from this folder; null when it is not installed. */
function placeIn(from, name) {
  for (let at = from; ; at = dirname(at)) {
    const place = join(at, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return place;
    if (dirname(at) === at) return null;
  }
}

function textIn(folder) {
  const files = readdirSync(folder).filter((name) => licenceFile.test(name));
  return files.length === 0 ? null : files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
}

function placeOf(text, texts) {
  if (text === null) return null;
  const known = texts.indexOf(text);
  return known === -1 ? texts.push(text) - 1 : known;
}
