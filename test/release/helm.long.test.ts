/**
 * The Helm chart, rendered in Helm's template language, is valid for Kubernetes: TypeScript checks it against types
 * made from the Kubernetes API, so an unknown name is an error. Needs Go with sprig, and the npm registry.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../packages/gateway/src/app/config.ts';
import { buildRenderer, canRender, type Resource, render } from './helm/chart.ts';

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const types: Record<string, [from: string, name: string]> = {
  StatefulSet: ['apps/v1', 'IStatefulSet'],
  Service: ['v1', 'IService'],
  PodDisruptionBudget: ['policy/v1', 'IPodDisruptionBudget'],
  Ingress: ['networking.k8s.io/v1', 'IIngress'],
};
const several = {
  replicas: 3,
  database: { secretName: 'database' },
  key: { secretName: 'key', secretKey: 'bytes' },
  publicUrl: 'https://sms.example.com',
  trustedProxies: '10.0.0.0/8',
  metrics: { secretName: 'metrics', podMonitor: true },
  ingress: {
    enabled: true,
    host: 'sms.example.com',
    className: 'nginx',
    tlsSecretName: 'tls',
    annotations: { a: 'b' },
  },
  storage: { className: 'fast' },
  env: { HELIO_LOG: 'debug' },
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'sms', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
};

let folder: string;
let renderer: string;

describe.skipIf(!canRender())('the Helm chart', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'helio-helm-'));
    renderer = join(folder, 'render');
    buildRenderer(renderer);
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, '--prefix', folder, 'kubernetes-models@5.1.0'], { stdio: 'ignore' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** TypeScript's errors for the resources as literals of their types. */
  function faults(resources: readonly Resource[]): string {
    const lines = resources.map((resource, at) => {
      const [from, name] = types[resource.kind]!;
      return `import type { ${name} as T${at} } from 'kubernetes-models/${from}';\nexport const v${at}: T${at} = ${JSON.stringify(resource, null, 1)};`;
    });
    writeFileSync(join(folder, 'check.mts'), lines.join('\n'));
    const strict = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      '',
      '--skipLibCheck',
    ];
    return spawnSync(process.execPath, [tsc, ...strict, 'check.mts'], { cwd: folder, encoding: 'utf8' }).stdout;
  }
  const kinds = (resources: readonly Resource[]) => resources.map(({ kind }) => kind).sort();
  const gatewayOf = (resources: readonly Resource[]) => resources.find(({ kind }) => kind === 'StatefulSet')!.spec;
  const ofKubernetes = (resources: readonly Resource[]) => resources.filter(({ kind }) => kind in types);

  it('is one gateway with SQLite by default, and several on PostgreSQL with everything set', () => {
    const one = render(renderer, {});
    expect(kinds(one.resources)).toEqual(['Service', 'Service', 'StatefulSet']);
    expect(one.notes).toContain('kubectl exec sms-heliograph-0 -- helio admin login-link');
    const all = render(renderer, several);
    expect(kinds(all.resources)).toEqual([
      ...['Ingress', 'PodDisruptionBudget', 'PodMonitor', 'Service', 'Service', 'StatefulSet'],
    ]);
    expect(faults(ofKubernetes(one.resources))).toBe('');
    expect(faults(ofKubernetes(all.resources))).toBe('');
    // The check itself detects an unknown name.
    const misspelt = structuredClone(one.resources);
    Object.assign(gatewayOf(misspelt).template.spec.securityContext, { runAsNonRot: true });
    expect(faults(ofKubernetes(misspelt))).toContain('runAsNonRot');
  });

  it('selects the pods that it makes, and mounts only what it declares', () => {
    for (const { resources } of [render(renderer, {}), render(renderer, several)]) {
      const { selector, template, volumeClaimTemplates, serviceName } = gatewayOf(resources);
      const { labels } = template.metadata;
      const services = resources.filter(({ kind }) => kind === 'Service');
      for (const wanted of [selector.matchLabels, ...services.map(({ spec }) => spec.selector)])
        expect(labels).toMatchObject(wanted);
      expect(services.map(({ metadata }) => metadata.name)).toContain(serviceName);
      const { containers, initContainers = [], volumes = [] } = template.spec;
      const declared = [...volumes, ...volumeClaimTemplates.map(({ metadata }) => metadata)].map(({ name }) => name);
      const mounted = [...containers, ...initContainers].flatMap((container) =>
        container.volumeMounts.map(({ name }) => name),
      );
      expect([...new Set(mounted)].sort()).toEqual(declared.sort());
      for (const container of [...containers, ...initContainers]) {
        expect(container.securityContext).toEqual({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        });
      }
      const ports = containers[0].ports.map(({ name }) => name);
      const { startupProbe, livenessProbe, readinessProbe } = containers[0];
      const probes = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
      expect(probes.map(({ path }) => path)).toEqual(['/healthz', '/healthz', '/readyz']);
      for (const { port } of probes) expect(ports).toContain(port);
      for (const { spec } of services) for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
    }
  });

  it('sets only what the gateway takes', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const own of [{}, { sandbox: true }, several]) {
      const env = gatewayOf(render(renderer, own).resources).template.spec.containers[0].env;
      const values = env.map(({ name, value }) => {
        if (name === 'HELIO_DATABASE_URL') return [name, 'postgres://gateway@db/gateway'];
        return [name, /_FILE$/.test(name) ? file : value];
      });
      expect(readConfig(Object.fromEntries(values))).toMatchObject({ ok: true, warnings: [] });
    }
  });

  it('refuses values that cannot work, with the reason', () => {
    const refusalOf = (own: Record<string, unknown>) => {
      try {
        render(renderer, own);
        return '';
      } catch (error) {
        return String(error);
      }
    };
    expect(refusalOf({ replicas: 2 })).toContain('database.secretName is not set');
    expect(refusalOf({ replicas: 2, database: { secretName: 'x' } })).toContain('key.secretName is not set');
    expect(refusalOf({ sandbox: true, database: { secretName: 'x' } })).toContain('sandbox is true');
    expect(refusalOf({ ingress: { enabled: true } })).toContain('ingress.host is not set');
    expect(refusalOf({ metrics: { podMonitor: true } })).toContain('metrics.secretName is not set');
    expect(refusalOf({ replica: 2 })).toContain('additional properties');
    expect(refusalOf({ env: { HELIO_LOG: 7 } })).toContain('must be string');
  });
});
