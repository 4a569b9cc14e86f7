/**
 * The files in `deploy/` match the gateway: each variable exists and has a valid value, and versions, ports and files
 * are the same everywhere. Long tests of test/release run the packages.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../packages/gateway/src/app/config.ts';
import { migrations } from '../packages/gateway/src/store/migrate.ts';

const deploy = fileURLToPath(new URL('../deploy', import.meta.url));
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');
const { version } = JSON.parse(readFileSync(new URL('../packages/gateway/package.json', import.meta.url), 'utf8'));

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
}
type Environment = Record<string, string>;
interface Service {
  image: string;
  environment?: Environment;
  volumes?: string[];
  ports?: string[];
  networks?: { default: { ipv4_address: string } };
  deploy?: { replicas: number };
}
const compose = parse(read('compose/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: { default: { ipam: { config: [{ subnet: string }] } } };
};
const gateway = compose.services.gateway!;
const dockerfile = read('docker/Dockerfile');
const imageEnv = environmentOf(/^ENV (.+)$/m.exec(dockerfile)![1]!.split(' '));

/** `NAME=value` each. */
function environmentOf(pairs: readonly string[]): Environment {
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** Each setting of a file, including the commented ones. */
function settingsIn(text: string): Environment {
  return environmentOf([...text.matchAll(/^#?([A-Z][A-Z0-9_]*=.+)$/gm)].map(([, pair]) => pair!));
}

/** As compose fills in `${NAME:-default}` with nothing set. */
function filledIn(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  );
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'helio-deploy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The gateway's verdict on an environment, assuming that the files it names exist. */
function judged(environment: Environment) {
  const here = Object.entries(environment).map(([name, value]) => {
    if (!/_FILE$|_TLS_CERT$|_TLS_KEY$/.test(name)) return [name, value];
    mkdirSync(join(folder, dirname(value)), { recursive: true });
    writeFileSync(join(folder, value), '');
    return [name, join(folder, value)];
  });
  const result = readConfig(Object.fromEntries(here));
  return { problems: result.ok ? [] : result.problems, warnings: result.warnings };
}
const fine = { problems: [], warnings: [] };

describe('the settings', () => {
  const unit = read('systemd/heliograph.service');
  it.each<[string, Environment]>([
    ['the image', imageEnv],
    ['the compose file', { ...imageEnv, ...filledIn(gateway.environment!) }],
    ['the Debian package, with all its examples', settingsIn(read('debian/heliograph.env'))],
    ['the unit', environmentOf([...unit.matchAll(/^Environment=(.+)$/gm)].map(([, pair]) => pair!))],
  ])('of %s are such that the gateway takes them', (_name, environment) => {
    expect(Object.keys(environment)).toContain('HELIO_DATA');
    expect(judged(environment)).toEqual(fine);
  });

  it('of another name or value would be noticed', () => {
    expect(judged({ ...imageEnv, HELIO_HOTS: 'x' }).warnings).toHaveLength(1);
    expect(judged({ ...imageEnv, HELIO_CLUSTER: 'yes' }).problems).toHaveLength(1);
  });

  it('that a person may change are those that the compose file reads', () => {
    const named = [...read('compose/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    expect(Object.keys(settingsIn(read('compose/env.example'))).sort()).toEqual([...new Set(named)].sort());
  });
});

describe('versions, ports and addresses', () => {
  it('are one version in all packages, in the lock and in the changelog, which has a section for what comes next', () => {
    const root = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
    const { packages } = JSON.parse(root('package-lock.json')) as { packages: Record<string, Manifest> };
    const { workspaces } = JSON.parse(root('package.json')) as { workspaces: string[] };
    for (const place of workspaces) {
      for (const manifest of [JSON.parse(root(`${place}/package.json`)) as Manifest, packages[place]!]) {
        const sisters = Object.entries(manifest.dependencies ?? {}).filter(([name]) => name.startsWith('@heliograph/'));
        expect([place, manifest.version, ...sisters.map(([, pinned]) => pinned)]).toEqual([
          place,
          ...Array(sisters.length + 1).fill(version),
        ]);
      }
    }
    const [unreleased, newest, ...older] = root('CHANGELOG.md').split(/^## /m).slice(1);
    expect(unreleased).toMatch(/^Unreleased\n/);
    expect(newest).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')} \\(20\\d{2}-\\d{2}-\\d{2}\\)\n`));
    expect(older.map((section) => section.split(' ')[0])).toEqual(['0.1.0']);
    // Operators of a shared database must know of a schema change before they upgrade.
    const [, named] = /schema (\d+)/.exec(unreleased!) ?? /The schema changes from \d+ to (\d+)/.exec(newest!) ?? [];
    expect(Number(named)).toBe(migrations.at(-1)!.version);
  });

  it('are those of the gateway', () => {
    const chart = parse(read('helm/heliograph/Chart.yaml'));
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
    expect(gateway.image).toBe(`heliograph:${version}`);
    const result = readConfig({});
    const port = result.ok ? result.config.port : 0;
    expect(dockerfile).toContain(`\nEXPOSE ${port}\n`);
    expect(read('compose/haproxy.cfg')).toMatch(new RegExp(`server-template gateway \\d+ gateway:${port}$`, 'm'));
    expect(read('helm/heliograph/templates/statefulset.yaml')).toContain(`containerPort: ${port}\n`);
    expect(read('docker/health.mjs')).toContain(`PORT || ${port})`);
  });

  it('agree in the compose file', () => {
    const { HELIO_METRICS_PORT: port, HELIO_TRUSTED_PROXIES: trusted } = gateway.environment!;
    const [scrape] = parse(read('compose/prometheus.yml')).scrape_configs;
    expect(scrape.dns_sd_configs).toEqual([expect.objectContaining({ names: ['gateway'], port: Number(port) })]);
    expect(compose.services.balancer!.networks!.default.ipv4_address).toBe(trusted);
    expect(trusted!.split('.').slice(0, 3).join('.')).toBe(
      compose.networks.default.ipam.config[0].subnet.split('.').slice(0, 3).join('.'),
    );
    const places = Number(/server-template gateway (\d+)/.exec(read('compose/haproxy.cfg'))![1]);
    expect(gateway.deploy!.replicas).toBeLessThanOrEqual(places);
    expect(places).toBe(JSON.parse(read('helm/heliograph/values.schema.json')).properties.replicas.maximum);
  });

  it('of images are pinned, and only the gateway and people on this machine are reached from outside by default', () => {
    for (const [name, { image, ports = [] }] of Object.entries(compose.services)) {
      expect([name, image]).toEqual([name, expect.stringMatching(/^[a-z/-]+:v?\d/)]);
      for (const port of ports) expect(filledIn({ port }).port).toMatch(/^127\.0\.0\.1:/);
    }
  });
});

describe('files', () => {
  const mounts = Object.entries(compose.services).flatMap(([name, { volumes = [] }]) =>
    volumes.map((volume) => [name, ...filledIn({ volume }).volume!.split(':')] as const),
  );

  it('that are mounted exist, and so do the volumes', () => {
    for (const [name, from] of mounts) {
      const exists = from!.startsWith('.') ? existsSync(join(deploy, 'compose', from!)) : from === '/dev/null';
      expect([name, from, exists || from! in compose.volumes]).toEqual([name, from, true]);
    }
    for (const name of Object.keys(compose.volumes)) expect(mounts.map(([, from]) => from)).toContain(name);
  });

  it('with secrets are made where each container reads them', () => {
    const script = read('compose/make-secrets.sh');
    const made = [...script.matchAll(/put \$\w+ (\w+\/[\w.-]+)/g)].map(([, file]) => file!);
    const texts = [...readdirSync(join(deploy, 'compose')), 'grafana/datasources.yml']
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => read(`compose/${name}`));
    const wanted = texts.flatMap((text) => [...text.matchAll(/\/secrets\/(\w+\/[\w.-]+)/g)].map(([, file]) => file!));
    expect(made.sort()).toEqual([...new Set(wanted)].sort());
  });

  it('of the Debian package are named in its scripts', () => {
    const settings = '/etc/heliograph/heliograph.env';
    for (const name of ['systemd/heliograph.service', 'debian/postinst', 'debian/build.js', 'helio.sh'])
      expect([name, read(name).includes(settings)]).toEqual([name, true]);
  });
});
