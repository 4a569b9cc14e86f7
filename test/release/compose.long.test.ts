/**
 * The services of the compose file, without Docker: two gateways with its settings on a PostgreSQL that asks for the
 * password, behind HAProxy with its configuration. docker-compose reads the file itself, which needs no Docker engine.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { type InstalledGateway, startInstalled } from './installed-gateway.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const compose = join(checkout, 'deploy/compose');
const read = (name: string) => readFileSync(join(compose, name), 'utf8');
const environment = parse(read('compose.yaml'), { merge: true }).services.gateway.environment as Record<string, string>;

function lacks(command: string): boolean {
  const isMissing = spawnSync(command, ['-v']).error !== undefined;
  if (isMissing && process.env.CI !== undefined) throw new Error(`needs ${command} (apt-get install ${command})`);
  return isMissing;
}

let folder: string;
let secrets: string;
let database: TestPostgres;
let balancer: ChildProcess;
let url: string;
const gateways: InstalledGateway[] = [];
const metricsPorts: number[] = [];

/** Runs the script of the compose file. Unless `owners` is true, the files belong to the user of this test. */
function makeSecrets(to: string, { owners }: { owners: boolean }): void {
  mkdirSync(to, { recursive: true });
  const script = read('make-secrets.sh');
  const own = script.replace(/^gateway=.*$/m, (line) => line.replaceAll(/=\d+/g, `=${process.getuid!()}`));
  execFileSync('sh', ['-c', owners ? script : own, 'make-secrets.sh', to]);
}

async function startGateway(databaseUrl: string, number: number): Promise<InstalledGateway> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  metricsPorts.push(metricsPort);
  const set = {
    ...environment,
    HELIO_DATABASE_URL: databaseUrl,
    HELIO_TRUSTED_PROXIES: '127.0.0.1',
    HELIO_METRICS_PORT: String(metricsPort),
    HELIO_METRICS_HOST: '127.0.0.1',
    HELIO_DATA: join(folder, `data-${number}`),
    PORT: String(port),
  };
  const pairs = Object.entries(set).map(
    ([name, value]) => `${name}=${value.replace('/secrets/', `${secrets}/`).replace(/^\$\{\w+:-(.*)\}$/, '$1')}`,
  );
  const command = [process.execPath, join(checkout, 'packages/gateway/bin/helio.js'), 'start'];
  return startInstalled(['env', '-i', ...pairs, ...command], port);
}

async function startBalancer(ports: readonly string[]): Promise<ChildProcess> {
  const port = await freePort();
  const servers = ports.map((server, at) => `  server gateway${at} 127.0.0.1:${server}`).join('\n');
  const config = read('haproxy.cfg')
    .replace('bind :8088', `bind 127.0.0.1:${port}`)
    .replace(/resolvers docker\n(?: .*\n)+/, '')
    .replace(' resolvers docker init-addr none', '')
    .replace(/^ {2}server-template .*$/m, servers);
  writeFileSync(join(folder, 'haproxy.cfg'), config);
  url = `http://127.0.0.1:${port}`;
  return spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
}

/** The answer of `/readyz` through the balancer, once there is one. */
async function ready(): Promise<{ ready: boolean; acts: boolean }> {
  for (const until = Date.now() + 30_000; Date.now() < until; await pause(100)) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return ((await answer.json()) as { data: { ready: boolean; acts: boolean } }).data;
  }
  throw new Error('no gateway is ready behind the balancer');
}

describe.skipIf(lacks('haproxy'))('the parts of the compose file', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helio-compose-'));
    chmodSync(folder, 0o755);
    secrets = join(folder, 'secrets');
    makeSecrets(secrets, { owners: false });
    const hba = join(folder, 'hba.conf');
    writeFileSync(hba, 'local all helio trust\nlocal all heliograph scram-sha-256\n', { mode: 0o644 });
    database = await startPostgres([`hba_file=${hba}`]);
    const asOwner = await database.createDatabase();
    const password = readFileSync(join(secrets, 'postgres/password'), 'utf8');
    await database.query(asOwner, `create role heliograph login password '${password}'`);
    await database.query(asOwner, 'create schema heliograph authorization heliograph');
    const own = asOwner.replace('helio@', 'heliograph@');
    for (const number of [1, 2]) gateways.push(await startGateway(own, number));
    balancer = await startBalancer(gateways.map((gateway) => new URL(gateway.url).port));
  });

  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    if (balancer?.exitCode === null) {
      balancer.kill('SIGTERM');
      await once(balancer, 'exit');
    }
    await database?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answer behind the balancer, which lets nobody say where a request comes from', async () => {
    await ready();
    await fetch(`${url}/api/portal/v1/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.66', origin: url },
      body: JSON.stringify({ email: 'nobody@example.com', password: 'a wrong password' }),
    });
    const failed = gateways
      .flatMap((gateway) => gateway.output().split('\n'))
      .filter((line) => line.includes('"msg":"sign-in failed"'))
      .map((line) => JSON.parse(line).address);
    expect(failed).toEqual(['127.0.0.1']);
  });

  it('give their metrics to the token that Prometheus has, and to no other', async () => {
    const token = readFileSync(join(secrets, 'prometheus/metrics-token'), 'utf8');
    for (const port of metricsPorts) {
      const scrape = (bearer: string) =>
        fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${bearer}` } });
      // Each node learns of the other when it next renews its lease.
      const until = Date.now() + 30_000;
      let text = '';
      while (!text.includes('helio_nodes 2\n') && Date.now() < until) {
        text = await (await scrape(token)).text();
        await pause(100);
      }
      expect(text).toContain('helio_nodes 2\n');
      expect((await scrape('another')).status).toBe(401);
    }
  });

  it('go on when one gateway is stopped', async () => {
    expect(await gateways[0]!.stop()).toBe(0);
    const until = Date.now() + 30_000;
    // The balancer may use the stopped node for a moment more.
    let state = await ready();
    while (!state.acts && Date.now() < until) state = await ready();
    expect(state).toMatchObject({ ready: true, acts: true });
  });
});

describe('the compose file', () => {
  it.skipIf(process.getuid?.() !== 0)('makes secrets once, each for the user of its container', () => {
    const made = mkdtempSync(join(tmpdir(), 'helio-secrets-'));
    makeSecrets(made, { owners: true });
    const owners = { gateway: 10_001, postgres: 999, prometheus: 65_534, grafana: 472 };
    const contents = () =>
      Object.keys(owners).flatMap((name) =>
        readdirSync(join(made, name)).map((file) => readFileSync(join(made, name, file), 'utf8')),
      );
    const before = contents();
    for (const [name, uid] of Object.entries(owners)) {
      for (const path of [name, ...readdirSync(join(made, name)).map((file) => `${name}/${file}`)]) {
        const { uid: owner, mode } = statSync(join(made, path));
        expect([path, owner, mode & 0o077]).toEqual([path, uid, 0]);
      }
    }
    expect(readFileSync(join(made, 'gateway/secret.key'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    makeSecrets(made, { owners: true });
    expect(contents()).toEqual(before);
    rmSync(made, { recursive: true });
  });

  it.skipIf(lacks('docker-compose'))('is one that docker-compose takes', () => {
    const copy = join(compose, `.check-${process.pid}.yaml`);
    // Debian's docker-compose is older than this line.
    writeFileSync(copy, read('compose.yaml').replace(/^name: .*$/m, ''));
    try {
      const { status, stdout, stderr } = spawnSync('docker-compose', ['-f', copy, 'config'], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
      expect(Object.keys(parse(stdout).services)).toHaveLength(6);
    } finally {
      rmSync(copy);
    }
  });

  it.skipIf(lacks('haproxy'))('has a configuration that HAProxy takes, with a certificate and without', () => {
    const judge = (env: Record<string, string>) =>
      spawnSync('haproxy', ['-c', '-f', join(compose, 'haproxy.cfg')], {
        encoding: 'utf8',
        env: { ...process.env, ...env },
      });
    expect(judge({}).status).toBe(0);
    // The certificate exists only in the container: HAProxy reports that it is missing, and nothing else.
    const faults = judge({ HELIO_TLS_PEM: 'x' }).stderr.match(/\[ALERT\].*/g)!;
    expect(faults.filter((line) => !/heliograph\.pem|Error\(s\) found|Fatal errors/.test(line))).toEqual([]);
    expect(faults.some((line) => line.includes("unable to stat SSL certificate from file '/certificates/"))).toBe(true);
  });
});
