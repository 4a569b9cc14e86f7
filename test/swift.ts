/**
 * A real S3 service for the long tests: OpenStack Swift with s3api, from Debian's packages swift-proxy, swift-account,
 * swift-container and swift-object. One disk in a temporary folder, loopback only, stopped by process id.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const startMs = 30_000;
const lookMs = 50;

export interface TestSwift {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Pauses all servers (SIGSTOP) until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Stops them and removes their folder. */
  remove(): Promise<void>;
}

const storage = ['account', 'container', 'object'] as const;
const [account, user, password] = ['test', 'tester', 'testing'];

export async function startSwift(): Promise<TestSwift> {
  const root = mkdtempSync(join(tmpdir(), 'heliograph-swift-'));
  mkdirSync(join(root, 'devices', 'disk'), { recursive: true });
  const [proxyPort, ...ports] = await freePorts(1 + storage.length);
  writeFileSync(join(root, 'swift.conf'), swiftConf);
  const servers: ChildProcess[] = [];
  for (const [i, name] of storage.entries()) {
    const builder = join(root, `${name}.builder`);
    run('swift-ring-builder', [builder, 'create', '4', '1', '0']);
    run('swift-ring-builder', [builder, 'add', `r1z1-127.0.0.1:${ports[i]}/disk`, '1']);
    run('swift-ring-builder', [builder, 'rebalance']);
    const app = `[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`;
    servers.push(startServer(name, root, `${common(root, ports[i]!)}${app}`));
  }
  servers.push(startServer('proxy', root, `${common(root, proxyPort!)}${proxyPipeline}`));
  const endpoint = `http://127.0.0.1:${proxyPort}`;
  const all = [proxyPort!, ...ports].map((port) => `http://127.0.0.1:${port}/healthcheck`);
  const remove = async () => {
    for (const { pid } of servers) process.kill(pid!, 'SIGKILL');
    await Promise.all(servers.map((one) => (one.signalCode === null ? once(one, 'exit') : null)));
    rmSync(root, { recursive: true, force: true });
  };
  await Promise.all(all.map(answering)).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of servers) process.kill(pid!, name);
  };
  return {
    endpoint,
    accessKeyId: `${account}:${user}`,
    secretAccessKey: password!,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    remove,
  };
}

const swiftConf = `[swift-hash]
swift_hash_path_suffix = heliograph
swift_hash_path_prefix = heliograph
[storage-policy:0]
name = one
default = yes
`;

const common = (root: string, port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${root}
devices = ${join(root, 'devices')}
mount_check = false
log_udp_host = 127.0.0.1
log_udp_port = 9
`;

/** tempauth requires a cache setting; without a cache there it only loses a look-up. */
const proxyPipeline = `[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
auth_pipeline_check = false
[filter:tempauth]
use = egg:swift#tempauth
user_${account}_${user} = ${password} .admin
`;

function run(program: string, args: string[]): void {
  const ended = spawnSync(program, args, { encoding: 'utf8' });
  if (ended.status !== 0) {
    throw new Error(
      `${program} failed (Debian's Swift must be installed): ${ended.error ?? ended.stdout + ended.stderr}`,
    );
  }
}

function startServer(name: string, root: string, conf: string): ChildProcess {
  const path = join(root, `${name}.conf`);
  writeFileSync(path, conf);
  return spawn(`swift-${name}-server`, [path], { cwd: root, stdio: 'ignore' });
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

/** Any answer shows that the server listens. */
async function answering(url: string): Promise<void> {
  const end = performance.now() + startMs;
  for (;;) {
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (performance.now() > end) throw new Error(`Swift did not start: ${url}`, { cause: error });
      await wait(lookMs);
    }
  }
}
