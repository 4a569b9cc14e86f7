/** The chart as Helm would render it, by `render.go` (Debian: golang-go, golang-github-masterminds-sprig-dev). */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

const folder = fileURLToPath(new URL('../../../deploy/helm/heliograph', import.meta.url));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

type Values = Record<string, unknown>;
export interface Container {
  env: { name: string; value?: string }[];
  volumeMounts: { name: string }[];
  securityContext: object;
  ports: { name: string }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
}
interface Probe {
  httpGet: { path: string; port: string };
}
/** The fields that the tests read; TypeScript compares all fields with the types of Kubernetes. */
interface Spec {
  selector: { matchLabels: object };
  serviceName: string;
  template: {
    metadata: { labels: object };
    spec: {
      containers: [Container];
      initContainers?: Container[];
      volumes?: { name: string }[];
      securityContext: object;
    };
  };
  volumeClaimTemplates: { metadata: { name: string } }[];
  ports: { targetPort: string }[];
}
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  spec: Spec;
}

/** True where the renderer can be built. */
export function canRender(): boolean {
  const sprig = '/usr/share/gocode/src/github.com/Masterminds/sprig';
  const lacks = spawnSync('go', ['version']).error !== undefined || !existsSync(sprig);
  if (lacks && process.env.CI !== undefined)
    throw new Error('needs Go with sprig (apt-get install golang-go golang-github-masterminds-sprig-dev)');
  return !lacks;
}

/** Builds the renderer as `file`. */
export function buildRenderer(file: string): void {
  const source = fileURLToPath(new URL('render.go', import.meta.url));
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: `${file}.cache` };
  execFileSync('go', ['build', '-o', file, source], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** values.yaml with `own` merged over it, as Helm does. */
function merged(base: Values, own: Values): Values {
  const both = Object.entries(own).map(([name, value]): [string, unknown] => {
    const under = base[name];
    const isMap = (one: unknown): one is Values => typeof one === 'object' && one !== null && !Array.isArray(one);
    return [name, isMap(under) && isMap(value) ? merged(under, value) : value];
  });
  return { ...base, ...Object.fromEntries(both) };
}

/** Renders each resource; throws with the message of the values' schema or of a template. */
export function render(renderer: string, own: Values): { resources: Resource[]; notes: string } {
  const { name, version, appVersion } = parse(read('Chart.yaml'));
  const values = merged(parse(read('values.yaml')), own);
  const ajv = new Ajv();
  if (!ajv.validate(JSON.parse(read('values.schema.json')), values)) throw new Error(ajv.errorsText());
  const templates = readdirSync(join(folder, 'templates')).map((file) => [file, read(`templates/${file}`)]);
  const root = {
    Values: values,
    Release: { Name: 'sms', Namespace: 'messaging', Service: 'Helm' },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  };
  const input = JSON.stringify({ root, templates: Object.fromEntries(templates) });
  const { status, stdout, stderr } = spawnSync(renderer, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const { 'NOTES.txt': notes, ...files } = JSON.parse(stdout) as Record<string, string>;
  const documents = Object.values(files).flatMap((text) => parseAllDocuments(text, { version: '1.1' }));
  for (const { errors } of documents as { errors: Error[] }[]) if (errors[0] !== undefined) throw errors[0];
  const resources = (documents as { toJS(): Resource | null }[]).map((document) => document.toJS());
  return { resources: resources.filter((resource) => resource !== null), notes: notes! };
}
