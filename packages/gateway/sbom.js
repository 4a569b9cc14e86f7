/**
 * The software bill of materials of a release, in CycloneDX 1.6: every package that package-lock.json pins for the gateway
 * on any platform, what the portal's pages carry, and the Node that comes with it. The same inputs give the same bytes.
 */
import { createHash } from 'node:crypto';
import { nameAt, neededBy, neededPlaces, readLock } from './locked.js';

const gateway = 'packages/gateway';
/** npm's packages of Node for each kind of machine; a scanner looks for Node under its own name. */
const nodePackage = /^node-(linux|darwin|bin-darwin)-/;

function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function licencesOf(licence) {
  if (licence === undefined) return {};
  const isExpression = / (AND|OR|WITH) /.test(licence);
  return { licenses: [isExpression ? { expression: licence } : { license: { id: licence } }] };
}

function hashesOf(integrity) {
  const sha512 = /^sha512-(\S+)$/.exec(integrity ?? '')?.[1];
  return sha512 === undefined
    ? {}
    : { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] };
}

function library(name, { version, license, integrity, optional }) {
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': purl(name, version),
    ...(group !== undefined && { group }),
    name: short,
    version,
    scope: optional === true ? 'optional' : 'required',
    ...licencesOf(license),
    purl: purl(name, version),
    ...hashesOf(integrity),
  };
}

/** Of any name and version in the lock, for what the portal was built from. */
function entryOf(lock, name, version) {
  return Object.entries(lock).find(([place, entry]) => nameAt(lock, place) === name && entry.version === version)?.[1];
}

/** `carried`: the packages that the built portal and the documentation carry, `{ name, version, licence }`. */
export function createSbom(carried = []) {
  const lock = readLock();
  const refAt = (place) => purl(nameAt(lock, place), lock[place].version);
  const places = neededPlaces(lock);
  const components = new Map(places.map((place) => [refAt(place), library(nameAt(lock, place), lock[place])]));
  const root = refAt(gateway);
  const inside = [];
  for (const { name, version, licence } of carried) {
    const ref = purl(name, version);
    if (!components.has(ref)) {
      const entry = entryOf(lock, name, version) ?? { version, license: licence };
      components.set(ref, library(name, { ...entry, optional: false }));
      inside.push(ref);
    }
  }
  const nodeVersion = lock[places.find((place) => nodePackage.test(nameAt(lock, place)))].version;
  const node = `pkg:generic/node@${nodeVersion}`;
  const needs = new Map([[root, new Set([...inside, node])]]);
  // A package that lies in two places is one part of the bill.
  for (const place of [gateway, ...places]) {
    const refs = needs.get(refAt(place)) ?? new Set();
    for (const next of neededBy(lock, place)) refs.add(refAt(next));
    needs.set(refAt(place), refs);
  }
  const dependencies = [...needs].map(([ref, refs]) => ({ ref, dependsOn: [...refs].sort() }));
  const { version, license } = lock[gateway];
  const parts = {
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: 'heliograph',
        version,
        ...licencesOf(license),
        purl: root,
      },
    },
    components: [
      ...[...components.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
      { type: 'platform', 'bom-ref': node, name: 'node', version: nodeVersion, purl: node },
    ],
    dependencies,
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(parts))}`,
    version: 1,
    ...parts,
  };
}

/** A UUID of version 8 from the content, so that the same bill has the same number. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
