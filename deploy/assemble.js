/**
 * Lays out what the Debian package and the image contain: `node deploy/assemble.js ROOT [--arch amd64|arm64] [--release FOLDER]`
 * puts the gateway from the release tarball, its dependencies as package-lock.json pins them and its own Node into
 * ROOT/usr/lib/heliograph, and the command into ROOT/usr/bin. Without --release it makes the release first. Nothing of the
 * target runs, so any machine can lay out either architecture.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { neededPlaces, readLock } from '../packages/gateway/locked.js';

const deploy = dirname(fileURLToPath(import.meta.url));
const checkout = dirname(deploy);
const cpus = { amd64: 'x64', arm64: 'arm64' };

const { values, positionals } = parseArgs({
  options: { arch: { type: 'string', default: 'amd64' }, release: { type: 'string' } },
  allowPositionals: true,
});
const cpu = cpus[values.arch];
if (positionals.length !== 1 || cpu === undefined) {
  process.stderr.write('Usage: node deploy/assemble.js ROOT [--arch amd64|arm64] [--release FOLDER]\n');
  process.exit(2);
}
const root = resolve(positionals[0]);
const work = mkdtempSync(join(tmpdir(), 'helio-assemble-'));

/** The checkout's lock for a folder that holds what the gateway needs from the registry, and nothing else. */
function lockFor(own) {
  const lock = readLock();
  // The sister packages are in the tarball.
  const places = neededPlaces(lock).filter((place) => place.includes('node_modules/'));
  const entries = places.map((place) => [place.replace(/^packages\/\w+\//, ''), lock[place]]);
  if (new Set(entries.map(([place]) => place)).size < entries.length) throw new Error('two versions want one place');
  return { lockfileVersion: 3, requires: true, packages: { '': own, ...Object.fromEntries(entries) } };
}

/** Installs from the registry what the manifest names and the tarball does not carry. */
function installNeeded(folder, { dependencies, optionalDependencies, bundleDependencies }) {
  const needed = Object.fromEntries(
    Object.entries(dependencies).filter(([name]) => !bundleDependencies.includes(name)),
  );
  const own = { name: 'heliograph-installed', private: true, dependencies: needed, optionalDependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockFor(own)));
  const platform = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc'];
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...platform], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const name of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'node_modules/.bin'])
    rmSync(join(folder, name), { recursive: true, force: true });
  // Headers and manuals of Node: a third of the whole.
  for (const name of ['include', 'share'])
    rmSync(join(folder, 'node_modules', `node-linux-${cpu}`, name), { recursive: true });
}

function assemble() {
  const released = values.release === undefined ? work : resolve(values.release);
  if (values.release === undefined)
    execFileSync(process.execPath, [join(checkout, 'packages/gateway/release.js'), released], { stdio: 'inherit' });
  const { version } = JSON.parse(readFileSync(join(checkout, 'packages/gateway/package.json'), 'utf8'));
  const folder = join(root, 'usr/lib/heliograph');
  const tarball = join(released, `heliograph-${version}.tgz`);
  const inside = join(folder, 'node_modules/heliograph');
  mkdirSync(folder, { recursive: true });
  const manifest = execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });
  installNeeded(folder, JSON.parse(manifest));
  mkdirSync(inside);
  execFileSync('tar', ['xzf', tarball, '--no-same-owner', '--strip-components=1', '-C', inside]);
  mkdirSync(join(folder, 'bin'));
  symlinkSync(`../node_modules/node-linux-${cpu}/bin/node`, join(folder, 'bin/node'));
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  cpSync(join(deploy, 'helio.sh'), join(root, 'usr/bin/helio'));
  chmodSync(join(root, 'usr/bin/helio'), 0o755);
  const documents = join(root, 'usr/share/doc/heliograph');
  mkdirSync(documents, { recursive: true });
  cpSync(join(released, `heliograph-${version}.cdx.json`), join(documents, 'heliograph.cdx.json'));
  for (const name of ['SECURITY.md', 'CHANGELOG.md']) cpSync(join(checkout, name), join(documents, name));
  // What this package carries, with its licences, in the place where Debian has them.
  const texts = ['LICENSE', 'LICENSES.txt'].map((name) => readFileSync(join(inside, name), 'utf8'));
  writeFileSync(join(documents, 'copyright'), texts.join('\n\n'));
}

try {
  assemble();
} finally {
  rmSync(work, { recursive: true, force: true });
}
